/* SPDX-License-Identifier: Apache-2.0 */
// The least a program needs around the core: RAM, a console and a finisher where QEMU's virt
// machine has them. RAM is reached through the window or, to compare, through the callbacks.
#ifndef TPU_TEST_CPU_MACHINE_H
#define TPU_TEST_CPU_MACHINE_H

#include "platform/cpu/core.h"
#include "platform/hw/memory_map.h"

#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

class machine {
public:
  static constexpr std::uint32_t base = TPU_DRAM_BASE;
  enum class memory { window, callbacks };

  explicit machine(memory how = memory::window, std::uint32_t bytes = 0x20000,
                   const rv_config &config = {0, 1, 1, 1})
      : ram_(bytes) {
    const rv_host host = {this, &machine::read, &machine::write, nullptr};
    rv_init(&core, &config, &host);
    if (how == memory::window) {
      const rv_window window = {ram_.data(), base, bytes, 0, 0, 0};
      rv_set_window(&core, &window);
    }
    rv_reset(&core, base);
  }
  ~machine() { rv_destroy(&core); }
  machine(const machine &) = delete;
  machine &operator=(const machine &) = delete;

  void put(std::uint32_t address, const std::vector<std::uint32_t> &words) {
    for (const std::uint32_t w : words) {
      std::memcpy(at(address), &w, 4);
      rv_invalidate(&core, address, 4);
      address += 4;
    }
  }
  std::uint32_t word_at(std::uint32_t address) {
    std::uint32_t w;
    std::memcpy(&w, at(address), 4);
    return w;
  }
  std::uint8_t *at(std::uint32_t address) { return ram_.data() + (address - base); }

  rv_core core{};
  std::string console;
  bool finished = false;
  std::uint32_t finish_word = 0;
  std::uint32_t extra_cycles = 0; // what a bus access adds
  std::uint32_t bus_accesses = 0;

private:
  bool holds(std::uint32_t address, std::uint32_t bytes) const {
    return address >= base && address - base <= ram_.size() - bytes;
  }

  static int read(void *context, rv_core *core, rv_access, std::uint32_t address,
                  std::uint32_t bytes, std::uint32_t *value) {
    auto *m = static_cast<machine *>(context);
    m->bus_accesses++;
    core->cycle += m->extra_cycles;
    *value = 0;
    if (m->holds(address, bytes)) {
      std::memcpy(value, m->at(address), bytes);
      return 1;
    }
    if (address == TPU_CONSOLE_BASE + TPU_CONSOLE_LINE_STATUS) {
      *value = 0x60;
      return 1;
    }
    return 0;
  }

  static int write(void *context, rv_core *core, std::uint32_t address, std::uint32_t bytes,
                   std::uint32_t value) {
    auto *m = static_cast<machine *>(context);
    m->bus_accesses++;
    core->cycle += m->extra_cycles;
    if (m->holds(address, bytes)) {
      std::memcpy(m->at(address), &value, bytes);
      return 1;
    }
    if (address == TPU_CONSOLE_BASE && bytes == 1) {
      m->console += static_cast<char>(value);
      return 1;
    }
    if (address == TPU_FINISHER_BASE && bytes == 4) {
      m->finished = true;
      m->finish_word = value;
      rv_request(core, RV_REQUEST_STOP);
      return 1;
    }
    return 0;
  }

  std::vector<std::uint8_t> ram_;
};

#endif
