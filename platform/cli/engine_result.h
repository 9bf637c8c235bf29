/* SPDX-License-Identifier: Apache-2.0 */
// What a network's last run left, as the judge's result.
#ifndef TPU_PLATFORM_CLI_ENGINE_RESULT_H
#define TPU_PLATFORM_CLI_ENGINE_RESULT_H

#include "judge/engine.h"
#include "models/core/network.h"

namespace tpu::cli {

// c: image C after the run; copied. The result owns what it points to: release_result.
void fill_result(const core::network &net, const std::uint8_t *c, std::size_t image_bytes,
                 tpu_engine_result &out);

// Reports that a machine finds no memory; returns 0.
int out_of_memory(const tpu_params &p, tpu_report *r);

void release_result(tpu_engine_result *result);

} // namespace tpu::cli
#endif
