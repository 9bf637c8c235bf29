// SPDX-License-Identifier: Apache-2.0
#include "models/core/network.h"

#include <algorithm>
#include <map>

#include "isa/random.h"

namespace tpu::core {

namespace {
// Each memory its own garbage.
constexpr std::uint32_t spad_salt = 0x51a7;
constexpr std::uint32_t vr_salt = 0x7a11;
constexpr std::uint32_t ar_salt = 0xacc0;
} // namespace

network::network(const tpu_params &p, const timing_profile &timing, memory_ports ports,
                 std::uint32_t seed)
    : p_(p), timing_(timing), streams_(p, timing),
      sequencer_(p, timing, streams_, ports.program,
                 [this](const tpu_counts &c, cycle start) { start_units(c, start); }),
      dma_load_(p, timing, streams_, ports.operands),
      scratchpad_(p, timing, streams_, seed ^ spad_salt),
      vector_registers_(p, timing, streams_, seed ^ vr_salt), array_(p, timing, streams_),
      accumulator_(p, timing, streams_, seed ^ ar_salt),
      dma_store_(p, timing, streams_, ports.results), units_{&sequencer_,  &dma_load_,
                                                             &scratchpad_, &vector_registers_,
                                                             &array_,      &accumulator_,
                                                             &dma_store_} {
  for (unit *u : units_) {
    u->attach(*this);
  }
}

void network::start(const run_addresses &addresses) {
  outcome_ = outcome::none;
  fault_ = {};
  streams_.reset();
  for (unit *u : units_) {
    u->reset();
  }
  log_.begin(observer_);
  if (observer_ != nullptr) {
    observer_->started();
  }
  sequencer_.set_addresses(addresses);
  dma_load_.set_addresses(addresses);
  dma_store_.set_addresses(addresses);
  sequencer_.begin(tpu_counts{}, timing_.start_cycles);
}

void network::start_units(const tpu_counts &counts, cycle start) {
  for (unit *u : units_) {
    if (u != &sequencer_) {
      u->begin(counts, start);
    }
  }
}

void network::quiet() {
  const bool all =
      std::all_of(units_.begin(), units_.end(), [](const unit *u) { return u->finished(); });
  cycle last = dma_store_.last_answer(); // nothing ends while a request is under way
  const fault *first = nullptr;
  for (const unit *u : units_) {
    last = std::max(last, u->end() - 1);
    if (const fault *f = u->failure(); f != nullptr) {
      last = std::max(last, f->at);
      first = first == nullptr || f->at < first->at ? f : first;
    }
  }
  if (first != nullptr) {
    outcome_ = outcome::failed;
    fault_ = *first;
    elapsed_ = last + 1;
  } else if (all) {
    outcome_ = outcome::completed;
    elapsed_ = std::max(last, dma_store_.last_response()) + timing_.finish_cycles;
  } else {
    outcome_ = outcome::deadlock;
    elapsed_ = last + timing_.deadlock_detect_cycles;
  }
  if (observer_ != nullptr) {
    observer_->ended();
  }
  ended();
}

unit &network::of(enum tpu_unit u) {
  return const_cast<unit &>(static_cast<const network &>(*this).of(u));
}

const unit &network::of(enum tpu_unit u) const {
  switch (u) {
  case TPU_UNIT_SEQUENCER:
    return sequencer_;
  case TPU_UNIT_DMA_LD:
    return dma_load_;
  case TPU_UNIT_SPM:
    return scratchpad_;
  case TPU_UNIT_VRU:
    return vector_registers_;
  case TPU_UNIT_ACCU:
    return accumulator_;
  case TPU_UNIT_DMA_ST:
    return dma_store_;
  default:
    return array_;
  }
}

unit_counters network::counters(enum tpu_unit u) const {
  if (u != TPU_UNIT_WLD && u != TPU_UNIT_PE) {
    return of(u).counters(elapsed_);
  }
  unit_counters sum;
  for (std::size_t i = 0; i < p_.t; ++i) {
    for (std::size_t j = 0; j < p_.t; ++j) {
      sum += u == TPU_UNIT_WLD ? loader_counters(i, j) : pe_counters(i, j);
    }
  }
  return sum;
}

void network::record_path(bool on) {
  run_log *const log = on ? &log_ : nullptr;
  for (std::uint32_t u = 0; u < TPU_UNIT_COUNT; ++u) {
    if (u != TPU_UNIT_WLD && u != TPU_UNIT_PE) {
      of(static_cast<enum tpu_unit>(u)).record_path(log, place_of({u, 0}));
    }
  }
  array_.record_paths(log, place_of({TPU_UNIT_WLD, 0}), place_of({TPU_UNIT_PE, 0}),
                      place_of({TPU_UNIT_WLD, p_.t * p_.t}));
}

const path_log &network::log_of(process_id id) const { return log_.of(place_of(id)); }

run_tail network::tail_of(process_id id, cycle elapsed) const {
  const std::size_t i = id.instance / p_.t;
  const std::size_t j = id.instance % p_.t;
  return id.unit == TPU_UNIT_WLD  ? array_.loader_tail(i, j, elapsed)
         : id.unit == TPU_UNIT_PE ? array_.pe_tail(i, j, elapsed)
                                  : of(static_cast<enum tpu_unit>(id.unit)).tail(elapsed);
}

std::uint32_t network::instances(std::uint32_t unit) const {
  return unit == TPU_UNIT_WLD || unit == TPU_UNIT_PE ? p_.t * p_.t : 1;
}

std::vector<process_id> network::processes() const {
  std::vector<process_id> all;
  for (std::uint32_t u = 0; u < TPU_UNIT_COUNT; ++u) {
    for (std::uint32_t k = 0; k < instances(u); ++k) {
      all.push_back({u, k});
    }
  }
  return all;
}

std::size_t network::place_of(process_id id) const {
  const bool is_register = id.unit == TPU_UNIT_WLD && id.instance >= instances(id.unit);
  std::size_t before = 0;
  for (std::uint32_t u = 0; u < (is_register ? std::uint32_t{TPU_UNIT_COUNT} : id.unit); ++u) {
    before += instances(u);
  }
  return before + id.instance - (is_register ? instances(id.unit) : 0);
}

std::vector<const stream_timing *> network::streams() {
  const auto all = streams_.all();
  return {all.begin(), all.end()};
}

std::int64_t network::steps(process_id id) const {
  return id.unit == TPU_UNIT_WLD  ? array_.loader_steps(id.instance)
         : id.unit == TPU_UNIT_PE ? array_.pe_steps(id.instance)
                                  : of(static_cast<enum tpu_unit>(id.unit)).busy();
}

cycle network::lead(process_id id) const {
  return id.unit == TPU_UNIT_SEQUENCER ? sequencer_.prefetch_steps()
         : id.unit == TPU_UNIT_DMA_LD  ? dma_load_.burst_steps()
                                       : 0;
}

void network::observe(run_observer *observer) {
  observer_ = observer;
  record_path(observer != nullptr);
  sequencer_.tell(observer);
}

wait_sums network::waits(process_id id) const {
  if (observer_ != nullptr) {
    return observer_->waits(place_of(id));
  }
  wait_sums sums;
  const cycle units_start = dma_load_.start(); // all but the sequencer start together
  if (id.unit == TPU_UNIT_SEQUENCER && units_start != 0) {
    sums.add(unit_state::starved, TPU_WAIT_HEADER, units_start - sequencer_.start());
  }
  wait_reader log(units_start);
  for (const path_entry &e : log_of(id).entries()) {
    const logged_wait w = log.next(e);
    sums.add(w.state, w.on, w.to - w.from);
  }
  const run_tail tail = tail_of(id, elapsed_);
  sums.add(tail.state, tail.on, tail.waited);
  return sums;
}

wait_sums network::waits(enum tpu_unit u) const {
  wait_sums sums;
  for (std::uint32_t k = 0; k < instances(u); ++k) {
    sums += waits(process_id{static_cast<std::uint32_t>(u), k});
  }
  return sums;
}

std::vector<path_stretch> network::critical_path(std::size_t *strays) const {
  path_facts f;
  f.t = p_.t;
  f.qd = p_.qd;
  f.timing = timing_;
  f.elapsed = elapsed_;
  f.units_start = dma_load_.start(); // all units but the sequencer start together
  f.prefetch_steps = sequencer_.prefetch_steps();
  f.setup_steps = dma_load_.setup_steps();
  f.burst_steps = dma_load_.burst_steps();
  f.burst_of_b = dma_load_.burst_of_b();
  f.responded = outcome_ == outcome::completed;
  f.last_request = dma_store_.last_request();
  f.last_response = dma_store_.last_response();
  f.log = [this](process_id id) -> const path_log & { return log_of(id); };
  f.steps = [this](process_id id) { return steps(id); };
  f.work = [this](enum tpu_unit u) -> const work_log & { return sequencer_.work(u); };
  f.is_mm = [this](std::int32_t issue) {
    return sequencer_.issues()[static_cast<std::size_t>(issue)].op == TPU_OP_MM;
  };
  return walk_critical_path(f, strays);
}

std::vector<blocked_access> network::blocked() const {
  std::vector<blocked_access> all;
  for (const unit *u : units_) {
    u->report_blocked(all);
  }
  return all;
}

std::vector<std::string> network::wait_cycle() const {
  const std::vector<blocked_access> all = blocked();
  std::map<std::string, std::string> waits_for;
  for (const blocked_access &b : all) {
    waits_for.emplace(b.process, b.peer);
  }
  for (const blocked_access &b : all) { // follow each chain until it meets itself
    std::vector<std::string> chain;
    std::string at = b.process;
    while (waits_for.count(at) != 0 && std::find(chain.begin(), chain.end(), at) == chain.end()) {
      chain.push_back(at);
      at = waits_for[at];
    }
    const auto repeated = std::find(chain.begin(), chain.end(), at);
    if (repeated != chain.end()) {
      return {repeated, chain.end()};
    }
  }
  return {};
}

outcome plain_network::run(const run_addresses &addresses, std::uint32_t shuffle_seed) {
  ready_.clear();
  tpu_random random = tpu_random_seeded(shuffle_seed);
  start(addresses);
  while (!ready_.empty() && result() == outcome::none) {
    std::size_t pick = 0;
    if (shuffle_seed != 0) {
      pick = tpu_random_next(&random) % ready_.size();
    }
    unit *u = ready_[pick];
    ready_.erase(ready_.begin() + static_cast<std::ptrdiff_t>(pick));
    u->run();
  }
  return result();
}

} // namespace tpu::core
