/* SPDX-License-Identifier: Apache-2.0 */
// The circle of a deadlock in words.
#ifndef TPU_PLATFORM_CLI_CIRCLE_WORDS_H
#define TPU_PLATFORM_CLI_CIRCLE_WORDS_H

#include "models/core/network.h"

#include <string>
#include <vector>

namespace tpu::cli {

// A clause for each step, e.g. "accu waits for result rows in cw[3] that the PEs hold back";
// processes of the array that follow one another in it are told as one. blocked, circle: a
// network's blocked() and wait_cycle().
std::vector<std::string> circle_in_words(const std::vector<core::blocked_access> &blocked,
                                         const std::vector<std::string> &circle);

} // namespace tpu::cli
#endif
