// SPDX-License-Identifier: Apache-2.0
#include "cycle_stepped.h"

#include <algorithm>
#include <deque>
#include <functional>
#include <memory>

namespace oracle {
namespace {

using tpu::core::timing_profile;
using time = std::int64_t;

struct token {
  time put;
  std::int64_t rows; // iterations of a command, activation rows of a weight word
  int kind;
};

// State is that of the start of the cycle until settle().
class queue {
public:
  void shape(std::int64_t depth, std::int64_t bits, const timing_profile &t) {
    depth_ = depth;
    latency_ = t.stream_latency + (bits * depth > t.stream_ram_bits ? t.stream_ram_cycles : 0);
  }
  bool has_token(time now) const {
    return !tokens_.empty() && tokens_.front().put + latency_ <= now;
  }
  bool has_slot() const { return static_cast<std::int64_t>(tokens_.size()) < depth_; }
  const token &front() const { return tokens_.front(); }
  void take() { taken_ = true; }
  void put(const token &t) { incoming_.push_back(t); }
  void settle() {
    if (taken_) {
      tokens_.pop_front();
      taken_ = false;
    }
    tokens_.insert(tokens_.end(), incoming_.begin(), incoming_.end());
    incoming_.clear();
  }

private:
  std::int64_t depth_ = 0, latency_ = 0;
  std::deque<token> tokens_;
  std::vector<token> incoming_;
  bool taken_ = false;
};

struct action {
  std::int64_t stage;
  queue *on;
  bool is_put;
  token value;
};

enum command_kind { from_dma, from_scratchpad, matrix, alu, retire };

// Something that moves at most once a cycle. Decides on the state at the start of the cycle, acts
// in commit().
class process {
public:
  explicit process(enum tpu_unit which) : unit(which) {}
  virtual ~process() = default;
  // Sets get_missing, put_missing; true when it can go.
  virtual bool decide(time now) = 0;
  virtual void commit(time now) = 0;
  virtual bool finished() const = 0;
  // Side activity that is no cycle of its own; true if any.
  virtual bool background(time) { return false; }

  enum tpu_unit unit;
  time start = 0, last = -1;
  bool get_missing = false, put_missing = false;
  time last_get_missing = -1, last_put_missing = -1;
  account a;

  void wait_here(time now) {
    if (get_missing) {
      last_get_missing = now;
    }
    if (put_missing) {
      last_put_missing = now;
    }
  }
  void moved(time now, time busy_from) {
    const time gap = now - busy_from;
    if (gap > 0) {
      (last_put_missing >= last_get_missing ? a.blocked : a.starved) += gap;
    }
    last_get_missing = last_put_missing = -1;
    ++a.busy;
    last = now;
  }
};

// A loop pipelined at an interval whose stages freeze together.
class pipeline final : public process {
public:
  using decoder = std::function<std::vector<action>(const token &command, std::int64_t k)>;

  pipeline(enum tpu_unit which, std::int64_t stages, std::int64_t interval, std::int64_t done_stage,
           std::int64_t work, queue &commands, decoder decode)
      : process(which), stages_(stages), interval_(interval), done_stage_(done_stage), work_(work),
        commands_(commands), decode_(std::move(decode)) {}

  std::int64_t preamble = 0; // busy cycles before the first iteration
  std::int64_t window = 0;   // writes in flight; 0 = no writes
  std::int64_t write_stage = 0, round_trip = 0;
  std::vector<time> writes;

  bool finished() const override { return work_ == 0 || (issued_ == work_ && inside_.empty()); }

  bool decide(time now) override {
    get_missing = put_missing = false;
    if (n_ < 0) { // in the preamble
      return true;
    }
    fresh_.reset();
    if (issued_ < work_ && n_ % interval_ == 0) {
      token c = command_;
      std::int64_t left = left_;
      auto entering = std::make_unique<iteration>();
      if (left == 0) {
        if (!commands_.has_token(now)) {
          get_missing = true;
        } else {
          c = commands_.front();
          left = c.rows;
          entering->fetched = true;
        }
      }
      if (left > 0) {
        entering->entry = n_;
        entering->command = c;
        entering->actions = decode_(c, c.rows - left);
        fresh_ = std::move(entering);
      }
    }
    for (const auto &it : inside_) {
      check(*it, now);
    }
    if (fresh_ != nullptr) {
      check(*fresh_, now);
    }
    return !get_missing && !put_missing;
  }

  void commit(time now) override {
    moved(now, last + 1);
    if (n_ >= 0) {
      if (fresh_ != nullptr) {
        if (fresh_->fetched) {
          commands_.take();
          command_ = fresh_->command;
          left_ = command_.rows;
        }
        --left_;
        ++issued_;
        inside_.push_back(std::move(fresh_));
      }
      for (const auto &it : inside_) {
        const std::int64_t stage = n_ - it->entry;
        for (const action &x : it->actions) {
          if (x.stage == stage) {
            if (x.is_put) {
              x.on->put({now, x.value.rows, x.value.kind});
            } else {
              x.on->take();
            }
          }
        }
        if (window > 0 && stage == write_stage) {
          writes.push_back(now);
        }
        a.done += stage == done_stage_ ? 1 : 0;
      }
      while (!inside_.empty() && n_ + 1 - inside_.front()->entry >= stages_) {
        inside_.pop_front();
      }
    }
    ++n_;
  }

  void begin() { n_ = -preamble; }

private:
  struct iteration {
    std::int64_t entry = 0;
    bool fetched = false;
    token command{};
    std::vector<action> actions;
  };

  void check(const iteration &it, time now) {
    const std::int64_t stage = n_ - it.entry;
    for (const action &x : it.actions) {
      if (x.stage != stage) {
        continue;
      }
      if (x.is_put) {
        put_missing = put_missing || !x.on->has_slot();
      } else {
        get_missing = get_missing || !x.on->has_token(now);
      }
    }
    const auto row = static_cast<std::int64_t>(writes.size());
    if (window > 0 && stage == write_stage && row >= window &&
        writes[static_cast<std::size_t>(row - window)] + round_trip > now) {
      put_missing = true;
    }
  }

  std::int64_t stages_, interval_, done_stage_, work_;
  queue &commands_;
  decoder decode_;
  std::int64_t n_ = 0, issued_ = 0, left_ = 0;
  token command_{};
  std::deque<std::unique_ptr<iteration>> inside_;
  std::unique_ptr<iteration> fresh_;
};

// Elastic: one word a cycle; a weight whose queue is full waits in a register.
class loader final : public process {
public:
  loader(std::int64_t words, std::int64_t mms, queue &in, queue *south, queue *east, queue &weights)
      : process(TPU_UNIT_WLD), words_(words), mms_(mms), in_(in), south_(south), east_(east),
        weights_(weights) {}

  bool finished() const override { return taken_ == mms_ && !pending_; }

  bool decide(time now) override {
    get_missing = put_missing = false;
    if (taken_ == mms_) {
      return false;
    }
    get_missing = !in_.has_token(now);
    const bool own = word_ == 1;
    const bool to_south = south_ != nullptr && !own;
    const bool to_east = east_ != nullptr && word_ <= 1;
    put_missing = (to_south && !south_->has_slot()) || (to_east && !east_->has_slot()) ||
                  (word_ + 1 == words_ && pending_);
    return !get_missing && !put_missing;
  }

  bool background(time now) override { // before commit, on the same state as decide
    flush_ = pending_ && weights_.has_slot();
    if (flush_) {
      weights_.put({now, rows_pending_, 0});
      queued_ = now;
    }
    return flush_;
  }

  void commit(time now) override {
    moved(now, last + 1);
    const token t = in_.front();
    in_.take();
    if (word_ == 0) {
      rows_ = t.rows;
    }
    if (south_ != nullptr && word_ != 1) {
      south_->put({now, t.rows, 0});
    }
    if (east_ != nullptr && word_ <= 1) {
      east_->put({now, t.rows, 0});
    }
    ++a.done;
    if (++word_ == words_) {
      word_ = 0;
      ++taken_;
      if (weights_.has_slot()) {
        weights_.put({now, rows_, 0});
        queued_ = now;
      } else {
        rows_pending_ = rows_;
        arming_ = true;
      }
    }
  }

  void settle() {
    if (flush_) {
      pending_ = false;
      flush_ = false;
    }
    if (arming_) {
      pending_ = true;
      arming_ = false;
    }
  }

  time queued() const { return queued_; }
  bool waiting_for_words() const { return taken_ < mms_; }

private:
  std::int64_t words_, mms_;
  queue &in_;
  queue *south_, *east_;
  queue &weights_;
  std::int64_t word_ = 0, taken_ = 0, rows_ = 0, rows_pending_ = 0;
  bool pending_ = false, flush_ = false, arming_ = false;
  time queued_ = -1;
};

struct outgoing {
  queue *to;
  token value;
};

// Fetches at an interval; the last cycle of a data instruction's fetch writes all its words.
class front final : public process {
public:
  front(const tpu_code &code, std::int64_t interval,
        std::function<std::vector<outgoing>(const tpu_issue &)> translate)
      : process(TPU_UNIT_SEQUENCER), interval_(interval), translate_(std::move(translate)) {
    tpu_walk w;
    tpu_issue i;
    tpu_walk_begin(&w, &code);
    while (tpu_walk_next(&w, &i) != 0) {
      issues_.push_back(i);
      fetch_of_.push_back(static_cast<std::int64_t>(w.fetches) - 1);
    }
    total_ = static_cast<std::int64_t>(tpu_total_fetches(&code));
  }

  std::int64_t preamble = 0;
  void begin() { n_ = -preamble; }
  bool finished() const override { return n_ == total_ * interval_; }

  bool decide(time) override {
    get_missing = put_missing = false;
    words_.clear();
    if (dispatches()) {
      words_ = translate_(issues_[next_]);
      for (const outgoing &o : words_) {
        put_missing = put_missing || !o.to->has_slot();
      }
    }
    return !put_missing;
  }

  void commit(time now) override {
    moved(now, last + 1);
    for (const outgoing &o : words_) {
      o.to->put({now, o.value.rows, o.value.kind});
    }
    next_ += dispatches() ? 1 : 0;
    ++n_;
    a.done = n_ < 0 ? 0 : n_ / interval_;
  }

private:
  bool dispatches() const {
    return n_ >= 0 && n_ % interval_ == interval_ - 1 && next_ < issues_.size() &&
           fetch_of_[next_] == n_ / interval_;
  }

  std::int64_t interval_;
  std::function<std::vector<outgoing>(const tpu_issue &)> translate_;
  std::vector<tpu_issue> issues_;
  std::vector<std::int64_t> fetch_of_;
  std::int64_t total_ = 0, n_ = 0;
  std::size_t next_ = 0;
  std::vector<outgoing> words_;
};

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
  const std::int64_t memory_bits = static_cast<std::int64_t>(p.nvr) * lanes * 8;
  ld.preamble = (span * (p.maxdim / lanes) + p.dma_words - 1) / p.dma_words + t.load_setup_cycles +
                (memory_bits > t.large_memory_bits ? t.large_memory_cycles : 0);
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
      q->settle();
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
        a.blocked += response - x->last;
        tail -= response - x->last;
      }
      a.idle += tail;
    } else {
      (x->get_missing ? a.starved : a.blocked) += tail;
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
