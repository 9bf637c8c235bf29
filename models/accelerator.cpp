// SPDX-License-Identifier: Apache-2.0
#include "models/accelerator.h"

#include <algorithm>

namespace tpu {

accelerator::accelerator(const sc_core::sc_module_name &name, const tpu_params &p,
                         const core::timing_profile &timing, core::cycle memory_latency,
                         const sc_core::sc_time &period, std::uint32_t seed)
    : sc_module(name), bus_masters(memory_latency, period),
      network(p, timing, {program, operands, results}, seed), period_(period) {
  for (std::size_t k = 0; k < unit_count; ++k) {
    core::unit &u = *units()[k];
    const bool masters_bus = u.masters_bus();
    modules_[k] = std::make_unique<unit_module>(u.name().c_str(), u, masters_bus);
    u.set_slot(k);
  }
}

void accelerator::start(const core::run_addresses &addresses, const sc_core::sc_time &origin) {
  origin_ = origin;
  undetermined_ = true;
  for (bus_port *port : {&program, &operands, &results}) {
    port->set_origin(origin);
  }
  network::start(addresses);
}

sc_core::sc_time accelerator::end_time() const {
  return origin_ +
         sc_core::sc_time::from_value(static_cast<std::uint64_t>(elapsed()) * period_.value());
}

void accelerator::schedule(core::unit &u) { modules_[u.slot()]->schedule(); }

void accelerator::ended() {
  undetermined_ = false;
  if (listener_) {
    listener_();
  }
}

} // namespace tpu
