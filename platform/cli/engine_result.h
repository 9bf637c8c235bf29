/* SPDX-License-Identifier: Apache-2.0 */
// What a network's last run left, as the judge's result.
#ifndef TPU_PLATFORM_CLI_ENGINE_RESULT_H
#define TPU_PLATFORM_CLI_ENGINE_RESULT_H

#include "judge/engine.h"
#include "models/core/network.h"

#include <array>

namespace tpu::cli {

constexpr std::size_t path_causes = static_cast<std::size_t>(core::path_cause::count);
using cause_cycles = std::array<std::uint64_t, path_causes>;

// Cycles by cause; they sum to those of the path.
cause_cycles sum_by_cause(const std::vector<core::path_stretch> &path);

// c: image C after the run; copied. The causes are filled when the run recorded its path. The
// result owns what it points to: release_result.
void fill_result(const core::network &net, const std::uint8_t *c, std::size_t image_bytes,
                 bool recorded, tpu_engine_result &out);

// Reports that a machine finds no memory; returns 0.
int out_of_memory(const tpu_params &p, tpu_report *r);

void release_result(tpu_engine_result *result);

} // namespace tpu::cli
#endif
