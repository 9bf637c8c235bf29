/* SPDX-License-Identifier: Apache-2.0 */
#include "machine.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "isa/header.h"
#include "isa/interp.h"
#include "platform/hw/memory_map.h"
#include "platform/hw/registers.h"

std::vector<uint8_t> read_file(const std::string &path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

machine::machine(const tpu_params &params)
    : params_(params), dram_(TPU_DRAM_SIZE, 0xa5), core_(std::make_unique<rv_core>()) {
  const rv_config config{0, 1, 1, 1};
  const rv_host host{this, read, write, nullptr};
  rv_init(core_.get(), &config, &host);
  const rv_window window{dram_.data(), TPU_DRAM_BASE, TPU_DRAM_SIZE, 0, 0, 0};
  rv_set_window(core_.get(), &window);
}

machine::~machine() { rv_destroy(core_.get()); }

void machine::load(uint32_t address, const void *bytes, size_t count) {
  std::memcpy(&dram_.at(address - TPU_DRAM_BASE), bytes, count);
}

const uint8_t *machine::memory(uint32_t address) const {
  return &dram_.at(address - TPU_DRAM_BASE);
}

bool machine::load_elf(const std::vector<uint8_t> &elf) {
  const auto word = [&](size_t at) {
    uint32_t v = 0;
    std::memcpy(&v, &elf.at(at), sizeof v);
    return v;
  };
  if (elf.size() < 52 || word(0) != 0x464c457f) {
    return false;
  }
  entry_ = word(24);
  const uint32_t count = word(44) & 0xffffU;
  for (uint32_t i = 0; i < count; ++i) {
    const size_t at = word(28) + size_t{32} * i;
    if (word(at) != 1) {
      continue;
    }
    load(word(at + 12), &elf.at(word(at + 4)), word(at + 16));
  }
  return true;
}

tpu_result machine::result() const {
  tpu_result r;
  std::memcpy(&r, memory(TPU_RESULT_BASE), sizeof r);
  return r;
}

int machine::run(uint64_t limit) {
  rv_reset(core_.get(), entry_);
  while (core_->cycle < limit) {
    const uint64_t until = busy_ && done_at_ < limit ? done_at_ : limit;
    switch (rv_run(core_.get(), until)) {
    case RV_STOP_HOST:
      return exit_code_;
    case RV_STOP_UNHANDLED:
      return -1;
    case RV_STOP_SLEEP:
      if (!busy_) {
        return -2;
      }
      core_->cycle = done_at_ > core_->cycle ? done_at_ : core_->cycle;
      break;
    default:
      break;
    }
    if (busy_ && core_->cycle >= done_at_) {
      finish();
    }
  }
  return -3;
}

int machine::read(void *context, rv_core *, rv_access, uint32_t address, uint32_t bytes,
                  uint32_t *value) {
  auto *m = static_cast<machine *>(context);
  if (address == TPU_CONSOLE_BASE + TPU_CONSOLE_LINE_STATUS && bytes == 1) {
    *value = 0x60;
    return 1;
  }
  const uint32_t offset = address - TPU_ACCELERATOR_BASE;
  return offset < TPU_REG_SPACE && bytes == 4 && m->read_register(offset, value);
}

int machine::write(void *context, rv_core *core, uint32_t address, uint32_t bytes, uint32_t value) {
  auto *m = static_cast<machine *>(context);
  if (address == TPU_CONSOLE_BASE && bytes == 1) {
    m->console_ += static_cast<char>(value);
    return 1;
  }
  if (address == TPU_FINISHER_BASE && bytes == 4) {
    m->exit_code_ = (value & 0xffffU) == TPU_FINISHER_PASS ? 0 : static_cast<int>(value >> 16);
    rv_request(core, RV_REQUEST_STOP);
    return 1;
  }
  const uint32_t offset = address - TPU_ACCELERATOR_BASE;
  return offset < TPU_REG_SPACE && bytes == 4 && m->write_register(offset, value);
}

bool machine::read_register(uint32_t offset, uint32_t *value) const {
  switch (offset) {
  case TPU_REG_ID:
    *value = script.id;
    return true;
  case TPU_REG_VERSION:
    *value = script.version;
    return true;
  case TPU_REG_STATUS:
    *value = busy_ ? static_cast<uint32_t>(TPU_STATUS_BUSY) : status_;
    return true;
  case TPU_REG_ERROR_INFO:
    *value = info_;
    return true;
  case TPU_REG_CYCLES_LO:
    *value = static_cast<uint32_t>(script.cycles);
    return true;
  case TPU_REG_CYCLES_HI:
    *value = static_cast<uint32_t>(script.cycles >> 32);
    return true;
  default:
    break;
  }
  const uint32_t config[] = {params_.t,         params_.maxdim, params_.qd,  params_.dma_words,
                             params_.spad_rows, params_.nvr,    params_.nar, params_.imem_size};
  if (offset >= TPU_REG_T && offset <= TPU_REG_IMEM_SIZE) {
    *value = config[(offset - TPU_REG_T) / 4];
    return true;
  }
  const uint32_t at = offset - TPU_REG_COUNTERS;
  if (offset >= TPU_REG_COUNTERS && at < uint32_t{TPU_UNIT_COUNT} * TPU_REG_UNIT_STRIDE) {
    const uint32_t unit = at / TPU_REG_UNIT_STRIDE;
    const uint32_t counter = at % TPU_REG_UNIT_STRIDE / 8;
    const uint64_t wide = counter == TPU_COUNTER_PROMISED ? promised_[unit]
                          : counter == TPU_COUNTER_DONE   ? done_[unit]
                                                          : 0x500000000ULL + at;
    *value = static_cast<uint32_t>(at % 8 == 0 ? wide : wide >> 32);
    return true;
  }
  return false;
}

bool machine::write_register(uint32_t offset, uint32_t value) {
  switch (offset) {
  case TPU_REG_BASE_PROGRAM:
  case TPU_REG_BASE_A:
  case TPU_REG_BASE_B:
  case TPU_REG_BASE_C:
    base_[(offset - TPU_REG_BASE_PROGRAM) / 4] = value;
    return true;
  case TPU_REG_IRQ_ENABLE:
    irq_enable_ = value;
    break;
  case TPU_REG_IRQ_STATUS:
    irq_ = irq_ && (value & TPU_IRQ_DONE) == 0;
    break;
  case TPU_REG_CONTROL:
    if (value != TPU_CONTROL_START) {
      return false;
    }
    start();
    break;
  default:
    return false;
  }
  rv_set_irq(core_.get(), RV_IRQ_EXTERNAL, irq_ && irq_enable_ != 0 ? 1 : 0);
  return true;
}

void machine::start() {
  ++starts_;
  busy_ = true;
  done_at_ = core_->cycle + script.latency;
  if (script.latency == 0) {
    finish();
  } else {
    rv_request(core_.get(), RV_REQUEST_YIELD); /* the run's bound has changed */
  }
}

/* Runs the program at the base addresses; returns the error code it ends with. */
uint32_t machine::execute() {
  const auto pointer = [&](uint32_t address) {
    return reinterpret_cast<int8_t *>(&dram_.at(address - TPU_DRAM_BASE));
  };
  for (int i = 0; i < 4; ++i) {
    if (base_[i] == 0 || base_[i] % (i == 0 ? 8 : 4) != 0) {
      return TPU_HW_ERROR_BAD_BASE;
    }
  }
  uint64_t header[TPU_HEADER_WORDS];
  std::memcpy(header, pointer(base_[0]), sizeof header);
  tpu_counts promised;
  if (tpu_header_unpack(header, &promised) == 0) {
    return TPU_HW_ERROR_BAD_HEADER;
  }
  if (promised.insns == 0 || promised.insns > tpu_program_capacity(&params_)) {
    return TPU_HW_ERROR_BAD_COUNT;
  }
  std::vector<tpu_word> words(promised.insns);
  std::memcpy(words.data(), pointer(base_[0]) + sizeof header, words.size() * sizeof(tpu_word));
  std::vector<tpu_insn> insn(promised.insns);
  const tpu_program program{words.data(), promised.insns, promised.insns};
  tpu_code code{insn.data(), promised.insns, 0};
  tpu_counts done;
  tpu_error e;
  if (tpu_decode_program(&program, &code, nullptr, nullptr, &e) == 0 ||
      tpu_check_loops(&code, nullptr, nullptr, &e) == 0 ||
      tpu_counts_of(&params_, &code, &done, nullptr, nullptr, &e) == 0) {
    return TPU_HW_ERROR_BAD_PROGRAM;
  }
  promised_[TPU_UNIT_DMA_ST] = promised.dma_st + script.extra_promised;
  done_[TPU_UNIT_DMA_ST] = done.dma_st;
  promised_[TPU_UNIT_ACCU] = promised.accu;
  done_[TPU_UNIT_ACCU] = done.accu;
  std::vector<int8_t> spad(size_t{params_.spad_rows} * params_.t);
  std::vector<int8_t> vr(size_t{params_.nvr} * params_.t);
  std::vector<int32_t> ar(size_t{params_.nar} * params_.t);
  tpu_state state{spad.data(), vr.data(), ar.data()};
  tpu_state_scramble(&params_, &state, starts_);
  return tpu_interpret(&params_, &code, &state, pointer(base_[1]), pointer(base_[2]),
                       pointer(base_[3]), &e) != 0
             ? TPU_HW_ERROR_NONE
             : TPU_HW_ERROR_BAD_ADDRESS;
}

void machine::finish() {
  busy_ = false;
  const uint32_t error = script.error != 0 ? script.error : execute();
  info_ = script.error_info;
  status_ = error == TPU_HW_ERROR_NONE
                ? static_cast<uint32_t>(TPU_STATUS_DONE)
                : static_cast<uint32_t>(TPU_STATUS_ERROR) | error << TPU_STATUS_CODE_SHIFT;
  if (script.clobber) {
    dram_[base_[3] - TPU_DRAM_BASE + params_.maxdim * params_.maxdim - 1] ^= 1U;
  }
  irq_ = true;
  rv_set_irq(core_.get(), RV_IRQ_EXTERNAL, irq_enable_ != 0 ? 1 : 0);
}
