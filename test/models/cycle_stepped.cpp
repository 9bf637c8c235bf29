// SPDX-License-Identifier: Apache-2.0
#include "cycle_stepped.h"

#include <algorithm>
#include <memory>

#include "stepped_processes.h"

namespace oracle {
namespace {

class machine {
public:
  machine(const tpu_params &p, const timing_profile &t, const tpu_code &code, const tpu_counts &c);
  result run();

private:
  queue &add(std::int64_t depth, std::int64_t bits) {
    queues_.push_back(std::make_unique<queue>());
    queues_.back()->shape(depth, bits, t_);
    return *queues_.back();
  }
  template <class P> P &own(std::unique_ptr<P> x) {
    P &r = *x;
    all_.push_back(std::move(x));
    return r;
  }
  void build_array(const tpu_counts &c, queue &wcol0, queue &acol0, queue &result);

  const tpu_params p_;
  const timing_profile t_;
  std::vector<std::unique_ptr<queue>> queues_;
  std::vector<std::unique_ptr<process>> all_;
  std::vector<loader *> loaders_;
  pipeline *store_ = nullptr;
};

action get(std::int64_t stage, queue &q) { return {stage, &q, false, {}}; }
action put(std::int64_t stage, queue &q, std::int64_t rows = 0) {
  return {stage, &q, true, {0, rows, 0}};
}

void machine::build_array(const tpu_counts &c, queue &wcol0, queue &acol0, queue &result) {
  const std::int64_t lanes = p_.t;
  const std::int64_t qd = p_.qd;
  const auto n = static_cast<std::size_t>(lanes);
  std::vector<queue *> wcol(n, &wcol0), acol(n, &acol0), cw(n, &result);
  std::vector<std::vector<queue *>> wrow(n, std::vector<queue *>(n)), wq = wrow, af = wrow,
                                                                      pf = wrow;
  for (std::size_t i = 0; i < n; ++i) {
    if (i > 0) {
      wcol[i] = &add(qd, 8 * lanes);
      acol[i] = &add(qd, 8 * lanes);
    }
    if (i + 1 < n) {
      cw[i] = &add(qd, 32 * lanes);
    }
    for (std::size_t j = 0; j < n; ++j) {
      wrow[i][j] = &add(qd, 8 * lanes);
      wq[i][j] = &add(std::min<std::int64_t>(qd, TPU_WEIGHT_QD), 32);
      af[i][j] = &add(qd, 8);
      pf[i][j] = &add(qd, 32);
    }
  }
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const std::int64_t words = j == 0 ? lanes + 1 - static_cast<std::int64_t>(i) : 2;
      loaders_.push_back(
          &own(std::make_unique<loader>(words, c.mm, j == 0 ? *wcol[i] : *wrow[i][j - 1],
                                        j == 0 && i + 1 < n ? wcol[i + 1] : nullptr,
                                        j + 1 < n ? wrow[i][j] : nullptr, *wq[i][j])));
      const std::int64_t stages = i == 0 ? t_.pe_top_stages : t_.pe_stages;
      std::vector<action> actions;
      actions.push_back(get(0, j > 0 ? *af[i][j - 1] : *acol[i]));
      if (i > 0) {
        actions.push_back(get(0, *pf[i - 1][j]));
      }
      if (j + 1 < n) {
        actions.push_back(put(t_.pe_forward_stage, *af[i][j]));
      }
      if (j == 0 && i + 1 < n) {
        actions.push_back(put(t_.pe_forward_stage, *acol[i + 1]));
      }
      if (i + 1 < n) {
        actions.push_back(put(stages - 1, *pf[i][j]));
      } else {
        if (j > 0) {
          actions.push_back(get(t_.pe_collect_stage, *cw[j - 1]));
        }
        actions.push_back(put(stages - 1, *cw[j]));
      }
      own(std::make_unique<pipeline>(TPU_UNIT_PE, stages, 1, stages - 1, c.mm_rows, *wq[i][j],
                                     [actions](const token &, std::int64_t) { return actions; }));
    }
  }
}

machine::machine(const tpu_params &p, const timing_profile &t, const tpu_code &code,
                 const tpu_counts &c)
    : p_(p), t_(t) {
  const std::int64_t lanes = p.t;
  const std::int64_t qd = p.qd;
  queue &c_dld = add(qd, 64), &c_spm = add(qd, 64), &c_vru = add(qd, 64), &c_acc = add(qd, 64),
        &c_dst = add(qd, 64);
  queue &dma2sp = add(qd, 8 * lanes), &dma2vr = add(qd, 8 * lanes), &sp2vr = add(qd, 8 * lanes),
        &ac2sp = add(qd, 8 * lanes);
  queue &wcol0 = add(qd, 8 * lanes), &acol0 = add(qd, 8 * lanes), &result = add(qd, 32 * lanes);

  auto &seq = own(std::make_unique<front>(
      code, t.fetch_interval, [=, &c_dld, &c_spm, &c_vru, &c_acc, &c_dst](const tpu_issue &i) {
        const std::int64_t nr = i.nr;
        const bool vr = (i.f[0] & TPU_DMA_DEST_VR) != 0;
        switch (i.op) {
        case TPU_OP_DMA_LD:
          return std::vector<outgoing>{{&c_dld, {0, nr, vr ? 1 : 0}},
                                       {vr ? &c_vru : &c_spm, {0, nr, from_dma}}};
        case TPU_OP_VLD:
          return std::vector<outgoing>{{&c_spm, {0, nr, from_scratchpad}},
                                       {&c_vru, {0, nr, from_scratchpad}}};
        case TPU_OP_MM: // the scratchpad's word carries the rows in its kind
          return std::vector<outgoing>{{&c_spm, {0, lanes + 1, 1000 + static_cast<int>(nr)}},
                                       {&c_vru, {0, nr, matrix}},
                                       {&c_acc, {0, nr, matrix}}};
        case TPU_OP_VADD:
          return std::vector<outgoing>{{&c_acc, {0, 2 * nr, alu}}};
        case TPU_OP_VRELU:
          return std::vector<outgoing>{{&c_acc, {0, nr, alu}}};
        default:
          return std::vector<outgoing>{{&c_acc, {0, nr, retire}}, {&c_dst, {0, nr, 0}}};
        }
      }));
  const std::int64_t beat = t.prefetch_beat_words;
  seq.preamble = (p.imem_size + beat - 1) / beat + t.dispatch_setup_cycles;
  seq.begin();

  using actions = std::vector<action>;
  auto &ld = own(std::make_unique<pipeline>(
      TPU_UNIT_DMA_LD, t.load_stages, 1, t.load_put_stage, c.dma_ld, c_dld,
      [=, &dma2sp, &dma2vr](const token &k, std::int64_t) {
        return actions{put(t.load_put_stage, k.kind == 1 ? dma2vr : dma2sp)};
      }));
  const std::int64_t span = std::max(c.a_span, c.b_span);
  ld.preamble = (span * (p.maxdim / lanes) + p.dma_words - 1) / p.dma_words + t.load_setup_cycles +
                (static_cast<int>(p.nvr) > t.large_memory_rows ? t.large_memory_cycles : 0);
  ld.begin();

  own(std::make_unique<pipeline>(
      TPU_UNIT_SPM, t.scratchpad_stages, 1, t.scratchpad_put_stage, c.spm, c_spm,
      [=, &dma2sp, &sp2vr, &wcol0](const token &k, std::int64_t) {
        if (k.kind == from_dma) {
          return actions{get(t.scratchpad_get_stage, dma2sp)};
        }
        if (k.kind == from_scratchpad) {
          return actions{put(t.scratchpad_put_stage, sp2vr)};
        }
        return actions{put(t.scratchpad_put_stage, wcol0, k.kind - 1000)};
      }));
  own(std::make_unique<pipeline>(TPU_UNIT_VRU, t.vector_stages, 1, t.vector_put_stage, c.vru, c_vru,
                                 [=, &dma2vr, &sp2vr, &acol0](const token &k, std::int64_t) {
                                   if (k.kind == matrix) {
                                     return actions{put(t.vector_put_stage, acol0)};
                                   }
                                   return actions{get(t.vector_get_stage,
                                                      k.kind == from_dma ? dma2vr : sp2vr)};
                                 }));
  build_array(c, wcol0, acol0, result);
  own(std::make_unique<pipeline>(TPU_UNIT_ACCU, t.accumulator_stages, 1, t.accumulator_put_stage,
                                 c.accu, c_acc, [=, &result, &ac2sp](const token &k, std::int64_t) {
                                   if (k.kind == matrix) {
                                     return actions{get(t.accumulator_get_stage, result)};
                                   }
                                   return k.kind == retire
                                              ? actions{put(t.accumulator_put_stage, ac2sp)}
                                              : actions{};
                                 }));
  store_ = &own(std::make_unique<pipeline>(
      TPU_UNIT_DMA_ST, t.store_stages, t.store_interval, t.store_request_stage, c.dma_st, c_dst,
      [=, &ac2sp](const token &, std::int64_t) { return actions{get(t.store_get_stage, ac2sp)}; }));
  store_->window = t.store_window;
  store_->write_stage = t.store_request_stage;
  store_->round_trip = t.store_round_trip;
  for (auto &x : all_) {
    x->start = t.start_cycles;
    x->last = t.start_cycles - 1;
  }
}

result machine::run() {
  // Every latency and preamble is far shorter: nothing moved for so long, nothing ever will.
  const time patience = 64 + t_.store_round_trip + 2 * t_.stream_latency + t_.stream_ram_cycles;
  time now = t_.start_cycles;
  time last_move = now;
  std::vector<process *> movers;
  const auto unfinished = [&] {
    return std::any_of(all_.begin(), all_.end(), [](const auto &x) { return !x->finished(); });
  };
  while (unfinished() && now - last_move <= patience) {
    movers.clear();
    for (auto &x : all_) {
      if (x->finished()) {
        continue;
      }
      if (x->decide(now)) {
        movers.push_back(x.get());
      } else {
        x->wait_here(now);
      }
      if (x->background(now)) {
        last_move = now;
      }
    }
    for (process *x : movers) {
      x->commit(now);
      last_move = now;
    }
    for (auto &q : queues_) {
      q->settle(now);
    }
    for (loader *l : loaders_) {
      l->settle();
    }
    ++now;
  }
  result r;
  r.completed = !unfinished();
  time last = t_.start_cycles - 1;
  for (auto &x : all_) {
    last = std::max(last, x->last);
  }
  for (loader *l : loaders_) {
    last = std::max(last, l->queued());
  }
  const time response = store_->writes.empty() ? last : store_->writes.back() + t_.store_round_trip;
  r.cycles =
      r.completed ? std::max(last, response) + t_.finish_cycles : last + t_.deadlock_detect_cycles;
  for (auto &x : all_) {
    account a = x->a;
    a.idle = x->start;
    time tail = r.cycles - (x->last + 1);
    const auto *l = dynamic_cast<loader *>(x.get());
    if (x->finished() || (l != nullptr && !l->waiting_for_words())) {
      if (x.get() == store_ && response > x->last && x->last >= x->start) {
        const time waited = std::min(response - x->last, tail);
        a.blocked += waited;
        tail -= waited;
      }
      a.idle += tail;
    } else {
      (x->get_missing ? a.starved : a.blocked) += tail;
    }
    if (x->unit == TPU_UNIT_WLD || x->unit == TPU_UNIT_PE) {
      (x->unit == TPU_UNIT_WLD ? r.loaders : r.elements).push_back(a);
    }
    account &sum = r.units[x->unit];
    sum.done += a.done;
    sum.busy += a.busy;
    sum.starved += a.starved;
    sum.blocked += a.blocked;
    sum.idle += a.idle;
  }
  return r;
}

} // namespace

result simulate(const tpu_params &p, const timing_profile &timing, const tpu_code &code,
                const tpu_counts &counts) {
  return machine(p, timing, code, counts).run();
}

} // namespace oracle
