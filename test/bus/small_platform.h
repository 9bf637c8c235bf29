/* SPDX-License-Identifier: Apache-2.0 */
// A bus with a small memory, the devices, and two initiators in the hands of the test.
#ifndef TPU_TEST_BUS_SMALL_PLATFORM_H
#define TPU_TEST_BUS_SMALL_PLATFORM_H

#include "test/bus/traffic.h"

#include "platform/bus/console.h"
#include "platform/bus/dram.h"
#include "platform/bus/finisher.h"
#include "platform/bus/router.h"
#include "platform/bus/timer.h"

#include <sstream>
#include <vector>

namespace small {

using namespace tpu;

constexpr std::uint64_t dram_base = region_DRAM.base;
constexpr std::uint32_t dram_bytes = 0x10000;
constexpr region small_dram = {"dram", dram_base, dram_bytes};

struct platform {
  std::ostringstream printed;
  traffic cpu{"cpu"};
  traffic dma{"dma"};
  router bus{"bus"};
  dram memory;
  console uart{"uart", &printed};
  timer clint{"clint"};
  finisher end{"end"};
  bool mapped;

  platform() : memory("memory", {dram_bytes}) {
    cpu.socket.bind(bus.initiators);
    dma.socket.bind(bus.initiators);
    mapped = bus.map(small_dram, memory.socket) && bus.map(region_CONSOLE, uart.socket) &&
             bus.map(region_TIMER, clint.socket) && bus.map(region_FINISHER, end.socket);
    sc_core::sc_start(sc_core::SC_ZERO_TIME);
  }
};

using bytes = std::vector<std::uint8_t>;

constexpr auto ok = tlm::TLM_OK_RESPONSE;
constexpr auto bad_value = tlm::TLM_GENERIC_ERROR_RESPONSE;

} // namespace small
#endif
