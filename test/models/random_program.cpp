// SPDX-License-Identifier: Apache-2.0
#include "random_program.h"

#include <algorithm>
#include <memory>

namespace random_program {

namespace {

// Which rows of a memory are surely written.
using rows = std::vector<bool>;

struct open_loop {
  tpu_loop loop;
  std::uint32_t trip;
};

// An address with random terms over the open loops, and how far it reaches beyond its base.
struct reach {
  tpu_addr at;
  std::uint32_t span = 0; // the largest sum of terms
  std::vector<std::uint32_t> offsets{0};
};

class generator {
public:
  generator(const tpu_params &p, std::uint32_t seed) : p_(p), random_(seed) {
    spad_.resize(p.spad_rows);
    vr_.resize(p.nvr);
    ar_.resize(p.nar);
    words_.resize(tpu_program_capacity(&p));
    program_ = {words_.data(), static_cast<std::uint32_t>(words_.size()), 0};
    tpu_builder_begin(&b_, &program_);
  }

  // Prologue that fills some of each memory, then a few random nests, then a store.
  bool build(program &out) {
    for (int k = 0; k < 2; ++k) {
      load(false);
      load(true);
    }
    matrix(false);
    settle();
    const int nests = 1 + pick(5);
    for (int k = 0; k < nests; ++k) {
      nest(0);
      settle();
    }
    retire();
    tpu_error e{};
    if (tpu_builder_end(&b_, &e) == 0) {
      return false;
    }
    words_.resize(program_.count);
    out.words = words_;
    out.insns.resize(words_.size());
    tpu_code code{out.insns.data(), program_.count, 0};
    auto work = std::make_unique<tpu_check_work>();
    tpu_violation v{};
    return tpu_check_program(&p_, &program_, &code, work.get(), &out.counts, &v) != 0;
  }

private:
  int pick(int n) { return static_cast<int>(random_() % static_cast<unsigned>(n)); }
  std::uint32_t between(std::uint32_t lo, std::uint32_t hi) {
    return lo + static_cast<std::uint32_t>(random_() % (hi - lo + 1U));
  }

  void nest(int depth) {
    const int kind = depth < 4 ? pick(10) : 9;
    if (kind < 4) {
      const std::uint32_t trip = between(1, depth == 0 ? 4 : 3);
      loops_.push_back({tpu_build_loop(&b_, trip), trip});
      const int body = 1 + pick(3);
      for (int k = 0; k < body; ++k) {
        nest(depth + 1);
      }
      loops_.pop_back();
      tpu_build_endloop(&b_);
    } else {
      instruction();
    }
  }

  void instruction() {
    terms_left_ = TPU_AGU_TERMS;
    switch (pick(9)) {
    case 0:
      load(pick(2) == 0);
      break;
    case 1:
      copy();
      break;
    case 2:
      add();
      break;
    case 3:
      rectify();
      break;
    case 4:
    case 5:
      retire();
      break;
    case 6:
      if (pick(4) == 0) {
        tpu_build_nop(&b_);
      }
      break;
    default:
      matrix(pick(2) == 0);
      break;
    }
  }

  // A base is added by place().
  reach terms(std::uint32_t largest_stride) {
    reach r;
    r.at = tpu_at(0);
    for (const open_loop &l : loops_) {
      if (terms_left_ == 0 || pick(2) == 0) {
        continue;
      }
      --terms_left_;
      const std::uint32_t stride = between(0, largest_stride);
      r.at = tpu_plus(r.at, l.loop, stride);
      std::vector<std::uint32_t> all;
      for (std::uint32_t iv = 0; iv < l.trip; ++iv) {
        for (const std::uint32_t o : r.offsets) {
          all.push_back(o + iv * stride);
        }
      }
      r.offsets = all;
      r.span += (l.trip - 1) * stride;
    }
    return r;
  }

  // Gives r a base so that all it touches lies in 0 .. size-1: near the start, or at the very end.
  bool place(reach &r, std::uint32_t size, std::uint32_t nr) {
    if (r.span + nr > size) {
      return false;
    }
    const std::uint32_t highest = size - r.span - nr;
    r.at.base = pick(4) == 0 ? highest : between(0, std::min(highest, 40U));
    return true;
  }

  // The same, where every row touched has been written.
  bool place_written(reach &r, const rows &memory, std::uint32_t nr) {
    std::vector<std::uint32_t> bases;
    std::uint32_t run = 0; // written rows up to here
    std::vector<std::uint32_t> runs(memory.size() + 1);
    for (std::size_t k = memory.size(); k-- > 0;) {
      run = memory[k] ? run + 1 : 0;
      runs[k] = run;
    }
    for (std::uint32_t base = 0; base + r.span + nr <= memory.size(); ++base) {
      if (std::all_of(r.offsets.begin(), r.offsets.end(),
                      [&](std::uint32_t o) { return runs[base + o] >= nr; })) {
        bases.push_back(base);
      }
    }
    if (bases.empty()) {
      return false;
    }
    r.at.base = pick(4) == 0
                    ? bases.back()
                    : bases[static_cast<std::size_t>(pick(static_cast<int>(bases.size())))];
    return true;
  }

  void mark(std::vector<std::pair<std::size_t, std::size_t>> &marks, const reach &r,
            std::uint32_t nr) {
    for (const std::uint32_t o : r.offsets) {
      marks.emplace_back(r.at.base + o, nr);
    }
  }

  // Accumulator rows that may be read now: written, and not in the last steps of accu.
  rows readable() const {
    rows r = ar_;
    for (const auto &[row, age] : recent_) {
      r[row] = r[row] && age >= TPU_AR_RAW_DIST;
    }
    return r;
  }

  // accu has done `steps` steps, the last of them writing the rows from r on, `per_row` steps each.
  void accu_wrote(const reach &r, std::uint32_t nr, std::uint32_t per_row) {
    accu_read(nr * per_row);
    for (const std::uint32_t o : r.offsets) {
      for (std::uint32_t k = 0; k < nr; ++k) {
        recent_.emplace_back(r.at.base + o + k, (nr - 1 - k) * per_row);
      }
    }
  }

  void accu_read(std::uint32_t steps) {
    std::vector<std::pair<std::size_t, std::uint32_t>> still;
    for (const auto &[row, age] : recent_) {
      if (age + steps < TPU_AR_RAW_DIST) {
        still.emplace_back(row, age + steps);
      }
    }
    recent_ = still;
  }

  // Writes inside a nest count once the nest is over.
  void settle() {
    const auto apply = [](rows &memory, auto &marks) {
      for (const auto &[from, n] : marks) {
        std::fill_n(memory.begin() + static_cast<std::ptrdiff_t>(from), n, true);
      }
      marks.clear();
    };
    apply(spad_, new_spad_);
    apply(vr_, new_vr_);
    apply(ar_, new_ar_);
  }

  void load(bool to_vr) {
    const std::uint32_t longest = std::min(p_.maxdim, p_.t + 16);
    const std::uint32_t nr =
        loops_.empty() ? between(std::min(p_.t + 4, longest), longest) : between(1, 12);
    reach row = terms(2);
    reach column = terms(1);
    reach to = terms(9);
    if (place(row, p_.maxdim, nr) && place(column, tpu_words_per_row(&p_), 1) &&
        place(to, to_vr ? p_.nvr : p_.spad_rows, nr)) {
      const std::uint32_t mode =
          (pick(2) == 0 ? static_cast<std::uint32_t>(TPU_DMA_SOURCE_B) : 0U) |
          (to_vr ? static_cast<std::uint32_t>(TPU_DMA_DEST_VR) : 0U);
      tpu_build_dma_ld(&b_, mode, row.at, column.at, to.at, nr);
      mark(to_vr ? new_vr_ : new_spad_, to, nr);
      if (loops_.empty()) {
        settle();
      }
    }
  }

  void copy() {
    const std::uint32_t nr = between(1, 10);
    reach from = terms(3);
    reach to = terms(5);
    if (place_written(from, spad_, nr) && place(to, p_.nvr, nr)) {
      tpu_build_vld(&b_, to.at, from.at, nr);
      mark(new_vr_, to, nr);
    }
  }

  void matrix(bool accumulate) {
    const std::uint32_t nr = loops_.empty() ? between(8, 20) : between(1, 12);
    reach activations = terms(3);
    reach to = terms(6);
    reach weights = terms(4);
    if (!place_written(activations, vr_, nr) || !place_written(weights, spad_, p_.t)) {
      return;
    }
    if (accumulate ? place_written(to, readable(), nr) : place(to, p_.nar, nr)) {
      tpu_build_mm(&b_, activations.at, to.at, accumulate ? 1 : 0, weights.at, nr);
      accu_wrote(to, nr, 1);
      mark(new_ar_, to, nr);
    }
  }

  void add() {
    const std::uint32_t nr = between(1, 8);
    reach first = terms(2);
    reach second = terms(2);
    reach to = terms(5);
    if (place_written(first, ar_, nr) && place_written(second, ar_, nr) && place(to, p_.nar, nr)) {
      tpu_build_vadd(&b_, to.at, first.at, second.at, nr);
      mark(new_ar_, to, nr);
    }
  }

  void rectify() {
    const std::uint32_t nr = between(1, 12);
    reach from = terms(2);
    reach to = terms(4);
    if (place_written(from, readable(), nr) && place(to, p_.nar, nr)) {
      tpu_build_vrelu(&b_, to.at, from.at, nr);
      accu_wrote(to, nr, 1);
      mark(new_ar_, to, nr);
    }
  }

  void retire() {
    const std::uint32_t nr = between(1, std::min(16U, p_.maxdim));
    reach from = terms(2);
    reach row = terms(2);
    reach column = terms(1);
    if (place_written(from, readable(), nr) && place(row, p_.maxdim, nr) &&
        place(column, tpu_words_per_row(&p_), 1)) {
      accu_read(nr);
      tpu_build_mvout(&b_, from.at, row.at, column.at, nr);
    }
  }

  const tpu_params p_;
  std::mt19937 random_;
  std::vector<tpu_word> words_;
  tpu_program program_{};
  tpu_builder b_{};
  std::vector<open_loop> loops_;
  int terms_left_ = TPU_AGU_TERMS;
  rows spad_, vr_, ar_;
  std::vector<std::pair<std::size_t, std::uint32_t>> recent_; // ar rows and the steps since
  std::vector<std::pair<std::size_t, std::size_t>> new_spad_, new_vr_, new_ar_;
};

} // namespace

tpu_params parameters(std::uint32_t t, std::uint32_t maxdim, std::uint32_t qd,
                      std::uint32_t dma_words) {
  tpu_params p = tpu_params_default();
  p.t = t;
  p.maxdim = maxdim;
  p.qd = qd;
  p.dma_words = dma_words;
  p.imem_size = TPU_HEADER_WORDS + 2 * 128;
  tpu_error e{};
  tpu_params_resolve(&p, &e);
  return p;
}

program make(const tpu_params &p, std::uint32_t seed) {
  for (std::uint32_t attempt = 0;; ++attempt) {
    program out;
    if (generator(p, seed * 7919U + attempt * 104729U).build(out)) {
      return out;
    }
  }
}

} // namespace random_program
