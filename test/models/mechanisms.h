// SPDX-License-Identifier: Apache-2.0
// A machine, small programs for it, and when the mechanisms of docs/timing.md make things happen:
// sums of the profile's constants, written down without running anything.
#ifndef TPU_TEST_MODELS_MECHANISMS_H
#define TPU_TEST_MODELS_MECHANISMS_H

#include <algorithm>
#include <memory>
#include <string>

#include "cycle_stepped.h"
#include "isa/asm.h"
#include "support.h"

namespace mechanisms {

using tpu::core::cycle;
using tpu::core::outcome;
using tpu::core::timing_profile;

struct shape {
  std::uint32_t t = 4;
  std::uint32_t qd = 16;
  std::uint32_t dma_words = 1;
  std::uint32_t maxdim = 0; // 0: the largest multiple of t up to 64
  std::uint32_t imem_size = 136;
  std::uint32_t nvr = 0; // 0: derived
};

// Program text.
inline std::string load(const std::string &mode, cycle rows, cycle row = 0) {
  return "dma_ld mode=" + mode + " row=" + std::to_string(row) +
         " col=0 dest=0 rows=" + std::to_string(rows) + "\n";
}
inline std::string mm(cycle rows) {
  return "mm vr=0 ar=0 acc=0 spad=0 rows=" + std::to_string(rows) + "\n";
}
inline std::string vrelu(cycle rows) {
  return "vrelu dest=0 src=0 rows=" + std::to_string(rows) + "\n";
}
inline std::string vadd(cycle rows) {
  return "vadd dest=0 src1=0 src2=0 rows=" + std::to_string(rows) + "\n";
}
inline std::string mvout(cycle rows) {
  return "mvout ar=0 row=0 col=0 rows=" + std::to_string(rows) + "\n";
}
inline std::string loop(cycle trip, const std::string &body) {
  return "loop " + std::to_string(trip) + "\n" + body + "endloop\n";
}
inline std::string times(cycle n, const std::string &text) {
  std::string all;
  for (cycle k = 0; k < n; ++k) {
    all += text;
  }
  return all;
}

// Activations, weights, their product, and out with it; the loads in this order.
inline std::string tile(const std::string &load_1, const std::string &load_2, cycle rows) {
  std::string all = load_1;
  for (const std::string &text : {load_2, mm(rows), mvout(rows)}) {
    all += text;
  }
  return all;
}

// Times are cycles of a run; "enters" is stage 0 of a row in a unit's pipeline.
class machine {
public:
  explicit machine(const shape &s) : at(support::profile()) {
    p = {s.t,        s.maxdim != 0 ? s.maxdim : 64 / s.t * s.t, s.qd, s.dma_words, 0, s.nvr, 0,
         s.imem_size};
    tpu_error e{};
    EXPECT_EQ(tpu_params_resolve(&p, &e), 1) << e.text;
    t = p.t;
    qd = p.qd;
  }

  // Runs a program; the network shows what happened. The cycle-stepped machine must see the same.
  const tpu::core::plain_network &run(const std::string &text) {
    random_program::program program;
    program.words.resize(tpu_program_capacity(&p));
    tpu_program out{program.words.data(), static_cast<std::uint32_t>(program.words.size()), 0};
    tpu_error e{};
    EXPECT_EQ(tpu_assemble(text.c_str(), &out, &e), 1) << e.text;
    program.words.resize(out.count);
    program.insns.resize(out.count);
    tpu_code code{program.insns.data(), out.count, 0};
    EXPECT_EQ(tpu_decode_program(&out, &code, nullptr, nullptr, &e), 1) << e.text;
    EXPECT_EQ(tpu_counts_of(&p, &code, &program.counts, nullptr, nullptr, &e), 1) << e.text;
    support::store_program(memory_.bytes.data(), program.counts, program.words);
    net_ = std::make_unique<tpu::core::plain_network>(
        p, at, tpu::core::memory_ports{memory_, memory_, memory_}, 1);
    net_->run(support::addresses);
    const oracle::result want = oracle::simulate(p, at, program.code(), program.counts);
    EXPECT_EQ(net_->result() == outcome::completed, want.completed) << text;
    EXPECT_EQ(net_->elapsed(), want.cycles) << text;
    return *net_;
  }
  // Start to done of a program that completes.
  cycle cycles(const std::string &text) {
    const auto &net = run(text);
    EXPECT_EQ(net.result(), outcome::completed) << text << net.failure().text;
    return net.elapsed();
  }
  bool completes(const std::string &text) { return run(text).result() == outcome::completed; }
  // The last enabled cycle of a unit in the latest run.
  cycle last_cycle(const std::string &unit) const {
    for (const tpu::core::unit *u : net_->units()) {
      if (u->name() == unit) {
        return u->end() - 1;
      }
    }
    ADD_FAILURE() << unit;
    return 0;
  }

  // Put to get, by the stream's bits.
  cycle latency(cycle bits, cycle depth) const {
    return at.stream_latency + (bits * depth > at.stream_ram_bits ? at.stream_ram_cycles : 0);
  }
  cycle command() const { return latency(64, qd); }
  cycle word() const { return latency(8 * t, qd); } // dma2sp, dma2vr, wcol, acol, ac2sp
  cycle sum() const { return latency(32, qd); }
  cycle result() const { return latency(32 * t, qd); } // cw
  cycle weight() const { return latency(32, std::min<cycle>(qd, TPU_WEIGHT_QD)); }

  // The cycle of the n-th fetch, from 1, in which its instruction is dispatched if queues have
  // room.
  cycle dispatched(cycle n) const {
    const cycle steps = (cycle{p.imem_size} + at.prefetch_beat_words - 1) / at.prefetch_beat_words;
    return at.start_cycles - 1 + steps + at.dispatch_setup_cycles + n * at.fetch_interval;
  }
  // When dma_ld can take its first row.
  cycle burst(cycle span) const {
    const cycle words = span * tpu_words_per_row(&p);
    return at.start_cycles + at.load_setup_cycles +
           (p.nvr > static_cast<std::uint32_t>(at.large_memory_rows) ? at.large_memory_cycles : 0) +
           (words + p.dma_words - 1) / p.dma_words;
  }
  // From a row's entry in dma_ld until it is taken by spm or vru.
  cycle loaded() const { return at.load_put_stage + word(); }
  // From an mm's header word entering spm until PE (0, 0) has its weight, which follows T words.
  cycle weighed() const { return at.scratchpad_put_stage + word() + t + weight(); }
  // From a row's entry in PE (0, 0) until accu takes its result. The sums go down the rows, in
  // column 0 beside the activation; the result word is packed along the bottom row; every hop costs
  // the stages before it and its stream.
  cycle through_array() const {
    const cycle top = std::max(at.pe_top_stages - 1 + sum(), at.pe_forward_stage + word());
    const cycle below = std::max(at.pe_stages - 1 + sum(), at.pe_forward_stage + word());
    const cycle right = at.pe_stages - 1 - at.pe_collect_stage + result();
    return top + (t - 2) * below + (t - 1) * right + at.pe_stages - 1 + result();
  }
  // From the first request of a fresh write window to its k-th, from 0, when no row is late.
  cycle requested(cycle k) const {
    const cycle window = at.store_window;
    return k / window * std::max<cycle>(at.store_round_trip, window * at.store_interval) +
           k % window * at.store_interval;
  }
  // From a retired row's entry in accu to its request.
  cycle retired() const {
    return at.accumulator_put_stage + word() + at.store_request_stage - at.store_get_stage;
  }
  // Done, when the first of `rows` retired rows enters accu at `first`.
  cycle done_after(cycle first, cycle rows) const {
    return first + retired() + requested(rows - 1) + at.store_round_trip + at.finish_cycles;
  }
  // The same when the first of as many result rows enters PE (0, 0) at `first`: mm and mvout.
  cycle tile_done_after(cycle first, cycle rows) const {
    return done_after(first + through_array() + rows - at.accumulator_get_stage, rows);
  }
  // Done, when accu's last row enters at `last` and ends the run.
  cycle done_after_accu(cycle last) const {
    return last + at.accumulator_stages - 1 + at.finish_cycles;
  }

  timing_profile at;
  tpu_params p{};
  cycle t = 0;
  cycle qd = 0;

private:
  support::flat_memory memory_;
  std::unique_ptr<tpu::core::plain_network> net_;
};

} // namespace mechanisms
#endif
