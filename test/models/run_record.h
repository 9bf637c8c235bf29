// SPDX-License-Identifier: Apache-2.0
// Everything an accelerator shows of a run, as text: two runs are the same when their records are.
#ifndef TPU_TEST_MODELS_RUN_RECORD_H
#define TPU_TEST_MODELS_RUN_RECORD_H

#include <string>

#include "models/core/network.h"

namespace support {

inline std::string record(const tpu::core::unit_counters &c) {
  return std::to_string(c.promised) + " promised " + std::to_string(c.done) + " done " +
         std::to_string(c.busy) + " busy " + std::to_string(c.starved) + " starved " +
         std::to_string(c.blocked) + " blocked " + std::to_string(c.idle) + " idle\n";
}

// Outcome, cycles, the counters of every unit and of every instance, the hang report.
inline std::string record(const tpu::core::network &net) {
  using namespace tpu::core;
  std::string text = net.result() == outcome::completed  ? "completed"
                     : net.result() == outcome::deadlock ? "deadlock"
                                                         : "failed";
  text += " after " + std::to_string(net.elapsed()) + " " + net.failure().text + "\n";
  for (std::uint32_t u = 0; u < TPU_UNIT_COUNT; ++u) {
    const auto unit = static_cast<enum tpu_unit>(u);
    text += std::string(unit_name(unit)) + ": " + record(net.counters(unit));
  }
  const std::uint32_t t = net.params().t;
  for (std::uint32_t k = 0; k < t * t; ++k) {
    text += process_name({TPU_UNIT_WLD, k}, t) + ": " + record(net.loader_counters(k / t, k % t));
    text += process_name({TPU_UNIT_PE, k}, t) + ": " + record(net.pe_counters(k / t, k % t));
  }
  if (net.result() != outcome::deadlock) {
    return text;
  }
  for (const blocked_access &b : net.blocked()) {
    text += b.process + (b.kind == access_kind::get ? " gets from " : " puts into ") + b.stream +
            " " + std::to_string(b.occupancy) + "/" + std::to_string(b.depth) + " of " + b.peer +
            " holds " + b.held + "\n";
  }
  for (const std::string &name : net.wait_cycle()) {
    text += name + " -> ";
  }
  return text;
}

} // namespace support
#endif
