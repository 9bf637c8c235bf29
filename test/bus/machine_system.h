/* SPDX-License-Identifier: Apache-2.0 */
// The core on the bus, beside a timer and a device that raises its interrupt at times of its own.
#ifndef TPU_TEST_BUS_MACHINE_SYSTEM_H
#define TPU_TEST_BUS_MACHINE_SYSTEM_H

#include "test/cpu/encode.h"

#include "platform/bus/clock.h"
#include "platform/bus/console.h"
#include "platform/bus/cpu.h"
#include "platform/bus/dram.h"
#include "platform/bus/finisher.h"
#include "platform/bus/router.h"
#include "platform/bus/timer.h"

#include <algorithm>
#include <cstring>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace machine_systems {

using namespace tpu;
using namespace rv;

constexpr word base = TPU_DRAM_BASE;
constexpr word handler = base + 0x200;
constexpr word shared_word = base + 0x800;
constexpr word records = base + 0x1000;
constexpr std::uint32_t memory_bytes = 0x4000;

// Stands for the accelerator: a write of n to offset 0 starts it for n cycles, in which it counts
// up a word of memory every 10 cycles; a write to offset 4 clears its interrupt. Odd runs know
// their end from the middle on and leave memory alone from there; even ones never know.
class worker : public register_target {
public:
  irq_line interrupt{"worker_interrupt"};

  worker(const sc_core::sc_module_name &name, dram &memory)
      : register_target(name, 0x1000), memory_(memory) {
    SC_HAS_PROCESS(worker);
    SC_THREAD(run);
  }

private:
  tlm::tlm_response_status read_register(std::uint32_t offset, std::uint32_t, std::uint64_t,
                                         std::uint32_t &value) override {
    value = busy_ ? 1 : 0;
    return offset == 0 ? tlm::TLM_OK_RESPONSE : tlm::TLM_ADDRESS_ERROR_RESPONSE;
  }

  tlm::tlm_response_status write_register(std::uint32_t offset, std::uint32_t, std::uint64_t at,
                                          std::uint32_t value) override {
    if (offset == 4) {
      interrupt.clear();
      return tlm::TLM_OK_RESPONSE;
    }
    busy_ = true;
    end_ = at + value;
    middle_ = runs_ % 2 == 1 ? at + value / 2 : end_;
    runs_++;
    interrupt.set_undetermined(true);
    start_.notify(cycles_to_time(at) - sc_core::sc_time_stamp());
    return tlm::TLM_OK_RESPONSE;
  }

  void run() {
    for (;;) {
      wait(start_);
      for (;;) {
        const std::uint64_t now = time_to_cycles(sc_core::sc_time_stamp());
        if (now >= middle_)
          break;
        std::uint32_t v;
        std::memcpy(&v, memory_.data() + (shared_word - base), 4);
        v += 3;
        std::memcpy(memory_.data() + (shared_word - base), &v, 4);
        wait(cycles_to_time(std::min<std::uint64_t>(10, middle_ - now)));
      }
      if (middle_ < end_) {
        interrupt.schedule(cycles_to_time(end_));
        wait(cycles_to_time(end_ - middle_));
      } else {
        interrupt.raise();
      }
      busy_ = false;
    }
  }

  dram &memory_;
  sc_core::sc_event start_;
  std::uint64_t middle_ = 0, end_ = 0;
  unsigned runs_ = 0;
  bool busy_ = false;
};

struct options {
  std::uint64_t quantum = 10000;
  bool worker_first = false;
  bool use_dmi = true;
  std::uint32_t latency = 0;
  std::uint32_t bytes_per_cycle = 0;
};

class machine_system : public sc_core::sc_module {
public:
  dram memory;
  router bus{"bus"};
  console uart{"uart", nullptr};
  timer clint{"clint"};
  finisher end{"end"};
  std::unique_ptr<worker> device;
  std::unique_ptr<cpu> core;

  machine_system(const sc_core::sc_module_name &name, const options &o)
      : sc_module(name), memory("memory", {memory_bytes, o.latency, o.bytes_per_cycle}) {
    if (o.worker_first)
      device = std::make_unique<worker>("device", memory);
    core = std::make_unique<cpu>("core", cpu_config{{0, 2, 3, 9}, o.quantum, o.use_dmi});
    if (!o.worker_first)
      device = std::make_unique<worker>("device", memory);
    core->socket.bind(bus.initiators);
    EXPECT_TRUE(bus.map({"dram", base, memory_bytes}, memory.socket) &&
                bus.map(region_CONSOLE, uart.socket) && bus.map(region_TIMER, clint.socket) &&
                bus.map(region_FINISHER, end.socket) &&
                bus.map(region_ACCELERATOR, device->socket));
    core->connect(RV_IRQ_TIMER, clint.interrupt);
    core->connect(RV_IRQ_EXTERNAL, device->interrupt);
    core->set_time([this](std::uint64_t cycle) { return clint.mtime_at(cycle); });
    end.set_on_finish([this] { core->halt(); });
  }

  void load(word address, const std::vector<word> &words) {
    for (const word w : words) {
      std::memcpy(memory.data() + (address - base), &w, 4);
      address += 4;
    }
  }
  word at(word address) const {
    word w;
    std::memcpy(&w, memory.data() + (address - base), 4);
    return w;
  }
  bool stopped() const {
    return core->state() == cpu_state::halted || core->state() == cpu_state::trapped;
  }
};

using systems = std::vector<std::unique_ptr<machine_system>>;

// Starts all of them and simulates until the last has stopped, or 200,000 cycles have passed.
inline void simulate(const systems &all) {
  for (const auto &s : all)
    s->core->reset(base);
  const sc_core::sc_time limit = sc_core::sc_time_stamp() + cycles_to_time(200000);
  const auto running = [&all] {
    for (const auto &s : all)
      if (!s->stopped())
        return true;
    return false;
  };
  while (running() && sc_core::sc_time_stamp() < limit && sc_core::sc_pending_activity())
    sc_core::sc_start(limit - sc_core::sc_time_stamp(), sc_core::SC_EXIT_ON_STARVATION);
}

inline systems make(const std::vector<options> &variants) {
  systems all;
  for (const options &o : variants)
    all.push_back(
        std::make_unique<machine_system>(("system" + std::to_string(all.size())).c_str(), o));
  return all;
}

constexpr word to_finish[] = {lui(30, TPU_FINISHER_BASE), li_high(31, TPU_FINISHER_PASS),
                              li_low(31, TPU_FINISHER_PASS), store(sw, 31, 30, 0), jal(0, 0)};

inline std::vector<word> then_finish(std::vector<word> words) {
  words.insert(words.end(), std::begin(to_finish), std::end(to_finish));
  return words;
}

} // namespace machine_systems
#endif
