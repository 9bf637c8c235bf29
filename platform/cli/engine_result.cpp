/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/engine_result.h"

#include "platform/cli/hang_of.h"

#include <algorithm>
#include <cstring>
#include <memory>

namespace tpu::cli {

namespace {

// What a result points into.
struct stored {
  std::vector<std::int8_t> image;
  std::unique_ptr<hang> deadlock;
  std::string text;
};

tpu_engine_counters counters_of(const core::unit_counters &c) {
  const auto cycles = [](core::cycle n) { return static_cast<std::uint64_t>(n); };
  return {c.promised, c.done, cycles(c.busy), cycles(c.starved), cycles(c.blocked), cycles(c.idle)};
}

} // namespace

cause_cycles sum_by_cause(const std::vector<core::path_stretch> &path) {
  cause_cycles sum{};
  for (const core::path_stretch &s : path)
    sum[static_cast<std::size_t>(s.cause)] += static_cast<std::uint64_t>(s.to - s.from);
  return sum;
}

void fill_result(const core::network &net, const std::uint8_t *c, std::size_t image_bytes,
                 bool recorded, tpu_engine_result &out) {
  auto keep = std::make_unique<stored>();
  keep->image.resize(image_bytes);
  std::memcpy(keep->image.data(), c, image_bytes);
  out = tpu_engine_result{};
  switch (net.result()) {
  case core::outcome::completed:
    out.outcome = TPU_ENGINE_COMPLETED;
    break;
  case core::outcome::deadlock:
    out.outcome = TPU_ENGINE_DEADLOCK;
    keep->deadlock = std::make_unique<hang>(net);
    out.hang = &keep->deadlock->view();
    keep->text = out.hang->sentence;
    break;
  default:
    out.outcome = TPU_ENGINE_FAULT;
    keep->text = net.failure().text;
    break;
  }
  out.cycles = static_cast<std::uint64_t>(net.elapsed());
  for (int u = 0; u < TPU_UNIT_COUNT; ++u)
    out.unit[u] = counters_of(net.counters(static_cast<tpu_unit>(u)));
  if (recorded && out.outcome != TPU_ENGINE_FAULT) {
    const cause_cycles sum = sum_by_cause(net.critical_path());
    std::copy(sum.begin(), sum.end(), out.cause);
  }
  out.image = keep->image.data();
  out.text = keep->text.c_str();
  out.storage = keep.release();
}

int out_of_memory(const tpu_params &p, tpu_report *r) {
  return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory for a machine of T=%u, QD=%u", p.t,
                         p.qd);
}

void release_result(tpu_engine_result *result) {
  delete static_cast<stored *>(result->storage);
  *result = tpu_engine_result{};
}

} // namespace tpu::cli
