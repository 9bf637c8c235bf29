// SPDX-License-Identifier: Apache-2.0
#include "models/accelerator.h"

#include <numeric>
#include <utility>

namespace tpu {

accelerator::accelerator(const sc_core::sc_module_name &name, const tpu_params &p,
                         const core::timing_profile &timing, const memory_traits &memory,
                         const sc_core::sc_time &period, std::uint32_t seed, std::uint32_t order)
    : sc_module(name), bus_masters(memory, period),
      network(p, timing, {program, operands, results}, seed), period_(period),
      order_(tpu_random_seeded(order)), shuffles_(order != 0) {
  SC_HAS_PROCESS(accelerator);
  SC_METHOD(wake_scheduled);
  sensitive << scheduled_any_;
  dont_initialize();
  std::array<std::size_t, unit_count> slots{};
  std::iota(slots.begin(), slots.end(), 0U);
  shuffle(slots);
  for (const std::size_t k : slots) {
    core::unit &u = *units()[k];
    const bool masters_bus = u.masters_bus();
    modules_[k] = std::make_unique<unit_module>(u.name().c_str(), u, masters_bus);
    u.set_slot(k);
  }
}

template <class List> void accelerator::shuffle(List &list) {
  for (std::size_t left = list.size(); shuffles_ && left > 1; --left) {
    std::swap(list[left - 1], list[tpu_random_next(&order_) % left]);
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

// Woken at once, units run in the order in which they are scheduled, methods before threads.
void accelerator::schedule(core::unit &u) {
  if (shuffles_) {
    postpone(u);
  } else {
    modules_[u.slot()]->wake();
  }
}

// A delta later none of the others can go.
void accelerator::postpone(core::unit &u) {
  if (scheduled_.empty()) {
    scheduled_any_.notify(sc_core::SC_ZERO_TIME);
  }
  scheduled_.push_back(&u);
}

void accelerator::wake_scheduled() {
  waking_.swap(scheduled_);
  shuffle(waking_);
  if (shuffles_ && waking_.size() > 1) { // one a delta, which runs its methods before its threads
    scheduled_.assign(waking_.begin() + 1, waking_.end());
    waking_.resize(1);
    scheduled_any_.notify(sc_core::SC_ZERO_TIME);
  }
  for (const core::unit *u : waking_) {
    modules_[u->slot()]->wake();
  }
  waking_.clear();
}

void accelerator::ended() {
  undetermined_ = false;
  if (listener_) {
    listener_();
  }
}

} // namespace tpu
