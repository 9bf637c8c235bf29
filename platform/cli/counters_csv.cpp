/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/counters_csv.h"

#include "platform/cli/counters.h"

namespace tpu::cli {

std::string counters_csv(const std::vector<unit_account> &units) {
  std::string out = "unit,instances";
  for (const counter_text &c : counter_texts)
    out += std::string(",") + c.name;
  for (const tpu_counter state : {TPU_COUNTER_STARVED, TPU_COUNTER_BLOCKED})
    for (const wait_text &on : wait_texts)
      out += std::string(",") + counter_texts[state].name + "_" + on.name;
  out += "\n";
  for (const unit_account &u : units) {
    out += u.name + "," + std::to_string(u.instances);
    for (const counter_text &c : counter_texts)
      out += "," + std::to_string(u.counters.value(c.id));
    for (const auto *cycles : {&u.waits.starved, &u.waits.blocked})
      for (const wait_text &on : wait_texts)
        out += "," + std::to_string((*cycles)[on.id]);
    out += "\n";
  }
  return out;
}

} // namespace tpu::cli
