/* SPDX-License-Identifier: Apache-2.0 */
// The page without its data: what stands before them and after them.
#ifndef TPU_PLATFORM_REPORT_PAGE_H
#define TPU_PLATFORM_REPORT_PAGE_H

#include <string_view>

namespace tpu::report {

extern const std::string_view before_data;
extern const std::string_view after_data;

} // namespace tpu::report
#endif
