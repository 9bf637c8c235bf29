/* SPDX-License-Identifier: Apache-2.0 */
/* A machine small enough to see through: the core, DRAM, console, finisher and an accelerator
 * register file whose runs are the reference interpreter's, ending at a cycle the test chooses. It
 * shows what driver and application do, not how long the accelerator takes. */
#ifndef TPU_TEST_FIRMWARE_MACHINE_H
#define TPU_TEST_FIRMWARE_MACHINE_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "firmware/payload.h"
#include "isa/params.h"
#include "platform/cpu/core.h"

/* What the accelerator does beside running the program. */
struct accelerator_script {
  uint64_t latency = 500; /* cycles from start to done */
  uint32_t error = 0;     /* enum tpu_hw_error to end with, C untouched */
  uint32_t error_info = 0;
  uint32_t extra_promised = 0; /* what dma_st's promised count is off by */
  bool clobber = false;        /* also writes the last byte of C */
  uint32_t id = 0x55505454;
  uint32_t version = 0x00010000;
  uint64_t cycles = 0x100000002ULL; /* what the cycle counter ends at; two words wide */
};

class machine {
public:
  explicit machine(const tpu_params &params);
  ~machine();
  machine(const machine &) = delete;
  machine &operator=(const machine &) = delete;

  accelerator_script script;

  /* Loads the segments of an ELF; false when it is none. */
  bool load_elf(const std::vector<uint8_t> &elf);
  void load(uint32_t address, const void *bytes, size_t count);
  const uint8_t *memory(uint32_t address) const;

  /* Runs until the finisher; -1: an unhandled trap, -2: asleep with nothing to wake it, -3: after
   * limit cycles. */
  int run(uint64_t limit = 200000000);

  const std::string &console() const { return console_; }
  uint64_t retired() const { return core_->retired; }
  uint32_t starts() const { return starts_; }
  tpu_result result() const;

private:
  static int read(void *context, rv_core *core, rv_access access, uint32_t address, uint32_t bytes,
                  uint32_t *value);
  static int write(void *context, rv_core *core, uint32_t address, uint32_t bytes, uint32_t value);
  bool read_register(uint32_t offset, uint32_t *value) const;
  bool write_register(uint32_t offset, uint32_t value);
  void start();
  void finish();
  uint32_t execute();

  tpu_params params_;
  std::vector<uint8_t> dram_;
  std::unique_ptr<rv_core> core_;
  std::string console_;
  uint32_t entry_ = 0;
  int exit_code_ = -3;
  bool busy_ = false;
  bool irq_ = false;
  uint32_t irq_enable_ = 0;
  uint32_t status_ = 0;
  uint32_t info_ = 0;
  uint32_t base_[4] = {};
  uint32_t starts_ = 0;
  uint64_t done_at_ = 0;
  uint64_t promised_[8] = {};
  uint64_t done_[8] = {};
};

std::vector<uint8_t> read_file(const std::string &path);

#endif
