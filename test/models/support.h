// SPDX-License-Identifier: Apache-2.0
// What the tests of the models share: the timing profile, flat memory, the reference's answer.
#ifndef TPU_TEST_MODELS_SUPPORT_H
#define TPU_TEST_MODELS_SUPPORT_H

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "isa/interp.h"
#include "models/core/network.h"
#include "platform/timing_file.h"
#include "random_program.h"

namespace support {

// One random program in so many is run: an instrumented build is some ten times slower.
constexpr std::uint32_t thinning = TPU_SANITIZED ? 10 : 1;

inline tpu::core::timing_profile profile() {
  tpu::core::timing_profile t;
  tpu_report r{};
  EXPECT_TRUE(tpu::read_timing_profile(TPU_SOURCE_DIR "/configs/timing/hls-2023.2.json", t, &r) !=
              0)
      << r.text;
  return t;
}

constexpr std::uint64_t program_at = 0x1000;
constexpr std::uint64_t a_at = 0x10000;
constexpr std::uint64_t b_at = 0x20000;
constexpr std::uint64_t c_at = 0x30000;
constexpr std::size_t memory_bytes = 0x40000; // images up to 256 x 256

// Memory that answers at once.
class flat_memory final : public tpu::core::memory_port {
public:
  std::vector<std::uint8_t> bytes = std::vector<std::uint8_t>(memory_bytes);

  tpu::core::transfer read(tpu::core::cycle, std::uint64_t address, void *to,
                           std::size_t n) override {
    if (address + n > bytes.size()) {
      return {false, 0, 0};
    }
    std::memcpy(to, &bytes[address], n);
    return {};
  }
  tpu::core::transfer write(tpu::core::cycle, std::uint64_t address, const void *from,
                            std::size_t n) override {
    if (address + n > bytes.size()) {
      return {false, 0, 0};
    }
    std::memcpy(&bytes[address], from, n);
    return {};
  }
};

// Another memory, whose answers take longer where the address is in [from, to).
class late_memory final : public tpu::core::memory_port {
public:
  explicit late_memory(tpu::core::memory_port &memory, std::uint64_t from = 0,
                       std::uint64_t to = UINT64_MAX)
      : memory_(memory), from_(from), to_(to) {}

  tpu::core::cycle latency = 0;
  tpu::core::cycle last_answer = 0; // when all that was asked of it was done

  tpu::core::transfer read(tpu::core::cycle at, std::uint64_t address, void *to,
                           std::size_t n) override {
    return late(at, address, memory_.read(at, address, to, n));
  }
  tpu::core::transfer write(tpu::core::cycle at, std::uint64_t address, const void *from,
                            std::size_t n) override {
    return late(at, address, memory_.write(at, address, from, n));
  }

private:
  tpu::core::transfer late(tpu::core::cycle at, std::uint64_t address, tpu::core::transfer taken) {
    taken.latency += address >= from_ && address < to_ ? latency : 0;
    last_answer = std::max(last_answer, at + taken.end());
    return taken;
  }

  tpu::core::memory_port &memory_;
  const std::uint64_t from_, to_;
};

// Header and program in memory as the driver puts them there.
inline void store_program(std::uint8_t *memory, const tpu_counts &counts,
                          const std::vector<tpu_word> &words) {
  std::uint64_t header[TPU_HEADER_WORDS];
  ASSERT_EQ(tpu_header_pack(&counts, header), 1);
  std::memcpy(memory + program_at, header, sizeof header);
  std::memcpy(memory + program_at + sizeof header, words.data(), words.size() * sizeof words[0]);
}

// Random A, B and prefilled C.
inline void store_operands(std::uint8_t *memory, const tpu_params &p, std::uint32_t seed) {
  std::mt19937 random(seed);
  const std::size_t n = std::size_t{p.maxdim} * p.maxdim;
  for (const std::uint64_t at : {a_at, b_at, c_at}) {
    for (std::size_t k = 0; k < n; ++k) {
      memory[at + k] = static_cast<std::uint8_t>(random());
    }
  }
}

// C by the reference interpreter, from the images as they stand in memory.
inline std::vector<std::int8_t> reference(const tpu_params &p, const tpu_code &code,
                                          const std::uint8_t *memory, std::uint32_t seed) {
  const std::size_t n = std::size_t{p.maxdim} * p.maxdim;
  std::vector<std::int8_t> spad(std::size_t{p.spad_rows} * p.t);
  std::vector<std::int8_t> vr(std::size_t{p.nvr} * p.t);
  std::vector<std::int32_t> ar(std::size_t{p.nar} * p.t);
  tpu_state state{spad.data(), vr.data(), ar.data()};
  tpu_state_scramble(&p, &state, seed);
  std::vector<std::int8_t> a(n);
  std::vector<std::int8_t> b(n);
  std::vector<std::int8_t> c(n);
  std::memcpy(a.data(), memory + a_at, n);
  std::memcpy(b.data(), memory + b_at, n);
  std::memcpy(c.data(), memory + c_at, n);
  tpu_error e{};
  EXPECT_EQ(tpu_interpret(&p, &code, &state, a.data(), b.data(), c.data(), &e), 1) << e.text;
  return c;
}

inline std::vector<std::int8_t> image_c(const tpu_params &p, const std::uint8_t *memory) {
  std::vector<std::int8_t> c(std::size_t{p.maxdim} * p.maxdim);
  std::memcpy(c.data(), memory + c_at, c.size());
  return c;
}

constexpr tpu::core::run_addresses addresses{program_at, a_at, b_at, c_at};

} // namespace support
#endif
