/* SPDX-License-Identifier: Apache-2.0 */
/* The tiling application as the core runs it: the cross-built image, not a rebuild. */
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "firmware/tile/payload.h"
#include "machine.h"
#include "support.h"

namespace {

struct tiled {
  tpu_tile_payload head{};
  std::vector<uint64_t> words; /* the payload */

  tiled(uint32_t m, uint32_t k, uint32_t n) {
    tpu_error e{};
    EXPECT_TRUE(tpu_tile_layout(m, k, n, &head, &e)) << e.text;
    words.resize(head.total_bytes / 8 + 1, 0x5555555555555555U);
    uint32_t x = 1;
    for (uint32_t i = 0; i < head.c.offset; ++i) {
      x = x * 1664525U + 1013904223U;
      bytes()[i] = static_cast<int8_t>(static_cast<int32_t>(x >> 24) % 9 - 4);
    }
    std::memcpy(words.data(), &head, sizeof head);
    const uint32_t trailer = TPU_PAYLOAD_TRAILER;
    std::memcpy(bytes() + head.total_bytes - sizeof trailer, &trailer, sizeof trailer);
  }

  int8_t *bytes() { return reinterpret_cast<int8_t *>(words.data()); }

  std::vector<int8_t> expected() {
    const int8_t *a = bytes() + head.a.offset;
    const int8_t *b = bytes() + head.b.offset;
    std::vector<int8_t> c;
    for (uint32_t i = 0; i < head.m; ++i) {
      for (uint32_t j = 0; j < head.n; ++j) {
        int64_t sum = 0;
        for (uint32_t k = 0; k < head.k; ++k) {
          sum += a[i * head.k + k] * b[k * head.n + j];
        }
        c.push_back(static_cast<int8_t>(std::clamp<int64_t>(sum, -128, 127)));
      }
    }
    return c;
  }
};

struct outcome {
  int exit_code;
  tpu_tile_result result;
  std::string console;
  uint32_t starts;
  std::vector<uint8_t> payload; /* after the run */
};

outcome run(const tpu_params &params, tiled &job, const accelerator_script &script = {}) {
  machine m(params);
  m.script = script;
  EXPECT_TRUE(m.load_elf(read_file(TPU_FIRMWARE_DIR "/tpu_tile.elf")));
  m.load(TPU_PAYLOAD_BASE, job.words.data(), job.words.size() * 8);
  const int code = m.run();
  outcome o{code, {}, m.console(), m.starts(), {}};
  std::memcpy(&o.result, m.memory(TPU_RESULT_BASE), sizeof o.result);
  o.payload.assign(m.memory(TPU_PAYLOAD_BASE), m.memory(TPU_PAYLOAD_BASE) + job.head.total_bytes);
  EXPECT_EQ(o.result.magic, TPU_TILE_RESULT_MAGIC);
  EXPECT_EQ(o.console, std::string(o.result.line) + "\n");
  return o;
}

TEST(tile_app, every_byte_of_c_and_no_other) {
  const uint32_t sets[][2] = {{4, 16}, {5, 5}, {5, 25}, {8, 16}, {16, 64}};
  for (const auto &set : sets) {
    const tpu_params p = make_params(set[0], set[1]);
    const uint32_t k = std::min(43U, set[1] * set[1] / set[0]);
    for (const auto &[m, n] : {std::pair{1U, 1U}, {19U, 23U}, {40U, 7U}}) {
      tiled job(m, k, n);
      const outcome o = run(p, job);
      ASSERT_EQ(o.exit_code, 0) << o.console;
      ASSERT_EQ(o.result.outcome, TPU_OUTCOME_COMPLETED);
      const std::vector<int8_t> due = job.expected();
      std::memcpy(job.bytes() + job.head.c.offset, due.data(), due.size());
      EXPECT_EQ(std::memcmp(o.payload.data(), job.bytes(), o.payload.size()), 0) << o.console;
      EXPECT_EQ(o.starts, o.result.plan.row_tiles * o.result.plan.col_tiles);
    }
  }
}

TEST(tile_app, what_it_says_of_its_runs) {
  tiled job(35, 12, 35);
  accelerator_script script;
  script.cycles = 0x100000002U; /* wider than a register */
  const outcome o = run(make_params(4, 16), job, script);
  ASSERT_EQ(o.result.programs, 4U);
  uint32_t runs = 0;
  for (const tpu_tile_ran &ran : o.result.program) {
    EXPECT_EQ(ran.least, script.cycles);
    EXPECT_EQ(ran.most, script.cycles);
    EXPECT_EQ(ran.cycles, ran.runs * script.cycles);
    runs += ran.runs;
  }
  EXPECT_EQ(runs, 9U);
  EXPECT_EQ(o.console, "tile 35 x 12 x 35: completed, 9 tiles, accelerator " +
                           std::to_string(9 * script.cycles) + " cycles, end to end " +
                           std::to_string(o.result.end_to_end) + " cycles\n");
  const tpu_tile_result &r = o.result;
  const uint64_t parts = r.map + r.pack_a + r.pack_b + r.start + r.wait + r.unpack;
  EXPECT_LE(parts, r.end_to_end);
  for (const uint64_t part : {r.map, r.pack_a, r.pack_b, r.start, r.unpack}) {
    EXPECT_GT(part, 0U);
  }
  EXPECT_GE(r.wait, 9 * script.latency);
}

TEST(tile_app, the_first_error_of_the_hardware_ends_it) {
  for (const uint32_t error : {TPU_HW_ERROR_DEADLOCK, TPU_HW_ERROR_BUS}) {
    tiled job(35, 12, 35);
    accelerator_script script;
    script.error = error;
    script.error_info = 7;
    const outcome o = run(make_params(4, 16), job, script);
    EXPECT_EQ(o.exit_code, 1);
    EXPECT_EQ(o.starts, 1U);
    EXPECT_EQ(o.result.outcome,
              error == TPU_HW_ERROR_DEADLOCK ? TPU_OUTCOME_DEADLOCK : TPU_OUTCOME_ERROR);
    EXPECT_EQ(o.result.hw_error, error);
    EXPECT_EQ(o.result.hw_error_info, 7U);
    EXPECT_NE(o.console.find("in the tile at row 0 column 0"), std::string::npos) << o.console;
    EXPECT_NE(o.console.find(", 0 tiles, "), std::string::npos) << o.console;
  }
}

TEST(tile_app, sizes_that_the_machine_cannot_hold_are_refused) {
  tiled job(4, 65, 4);
  const outcome o = run(make_params(4, 16), job);
  EXPECT_EQ(o.exit_code, 1);
  EXPECT_EQ(o.result.outcome, TPU_OUTCOME_REFUSED);
  EXPECT_EQ(o.starts, 0U);
  EXPECT_NE(o.console.find("K is 65; allowed is 1..64"), std::string::npos) << o.console;
}

TEST(tile_app, a_payload_that_is_none_is_refused) {
  const std::pair<std::function<void(tiled &)>, const char *> table[] = {
      {[](tiled &t) { t.words[0] = 0; }, "payload: none there"},
      {[](tiled &t) { reinterpret_cast<tpu_tile_payload *>(t.bytes())->version = 2; },
       "payload: version 2, this application reads version 1"},
      {[](tiled &t) { reinterpret_cast<tpu_tile_payload *>(t.bytes())->k = 0; },
       "payload: 4 x 0 x 5 is no size"},
      {[](tiled &t) { reinterpret_cast<tpu_tile_payload *>(t.bytes())->m = 9; },
       "payload: its offsets are not those of its sizes"},
      {[](tiled &t) { reinterpret_cast<tpu_tile_payload *>(t.bytes())->c.offset += 8; },
       "payload: its offsets are not those of its sizes"},
      {[](tiled &t) { t.bytes()[t.head.total_bytes - 1] ^= 1; },
       "payload: truncated, its trailer word is missing"},
  };
  for (const auto &[spoil, says] : table) {
    tiled job(4, 8, 5);
    spoil(job);
    const outcome o = run(make_params(4, 16), job);
    EXPECT_EQ(o.exit_code, 2);
    EXPECT_EQ(o.result.outcome, TPU_OUTCOME_SETUP);
    EXPECT_EQ(o.starts, 0U);
    EXPECT_NE(o.console.find(says), std::string::npos) << o.console;
  }
}

TEST(tile_app, sizes_fill_the_payload_and_no_more) {
  tpu_tile_payload head{};
  tpu_error e{};
  EXPECT_TRUE(tpu_tile_layout(2000, 1024, 1400, &head, &e)) << e.text;
  EXPECT_LE(head.total_bytes, TPU_PAYLOAD_SIZE - TPU_RESULT_SIZE);
  EXPECT_FALSE(tpu_tile_layout(65535, 65535, 65535, &head, &e));
  EXPECT_NE(std::string(e.text).find("M*K + K*N + M*N is 12884508675 bytes; allowed is at most"),
            std::string::npos)
      << e.text;
}

} // namespace
