// SPDX-License-Identifier: Apache-2.0
// The network against straight lists of accesses, round by round; and headers that promise other
// work than is dispatched.
#include "judge/kpn.h"

#include "isa/mapper.h"
#include "judge/corpus.h"
#include "test/isa/support.hpp"
#include "test/isa/workload_support.hpp"
#include "test/models/random_program.h"

#include <algorithm>
#include <map>
#include <string>
#include <vector>

namespace {

using tpu_test::insns;

// Every process of a program as the list of its accesses, written out from the unit table.
class lists {
public:
  lists(const tpu_params &p, const insns &program) : t_(p.t), qd_(p.qd) {
    at_[key("seq")] = {};
    for (const char *c : {"c_dld", "c_dld", "c_spm", "c_spm", "c_vru", "c_acc", "c_dst"})
      put("seq", c);
    get("dma_ld", "c_dld");
    get("dma_ld", "c_dld");
    get("spm", "c_spm");
    get("spm", "c_spm");
    put("spm", "wcol0");
    get("vru", "c_vru");
    get("accu", "c_acc");
    get("dma_st", "c_dst");
    word(true, true, true, false);
    for (uint32_t i = 0; i < t_; ++i)
      for (uint32_t j = 0; j < t_; ++j)
        get(key("pe", i, j), key("wq", i, j));
    for (const tpu_issue &i : tpu_test::expansion(program).issues)
      issue(i);
  }

  // Rounds until nothing goes; -1 when some are not through.
  int rounds() {
    std::map<std::string, uint32_t> used;
    std::map<std::string, std::size_t> next;
    for (int n = 0;; ++n) {
      std::vector<const std::string *> able;
      bool through = true;
      for (const auto &[who, accesses] : at_) {
        if (next[who] == accesses.size())
          continue;
        through = false;
        const auto &[stream, is_put] = accesses[next[who]];
        const uint32_t depth = stream.rfind("wq", 0) == 0 ? std::min(qd_, 4U) : qd_;
        if (is_put ? used[stream] < depth : used[stream] > 0)
          able.push_back(&who);
      }
      if (able.empty())
        return through ? n : -1;
      for (const std::string *who : able) {
        const auto &[stream, is_put] = at_[*who][next[*who]++];
        is_put ? ++used[stream] : --used[stream];
      }
    }
  }
  std::size_t accesses() const {
    std::size_t sum = 0;
    for (const auto &[who, list] : at_)
      sum += list.size();
    return sum;
  }

private:
  static std::string key(const std::string &s) { return s; }
  static std::string key(const std::string &s, uint32_t i, uint32_t j) {
    return s + std::to_string(i) + "," + std::to_string(j);
  }
  static std::string key(const std::string &s, uint32_t i) { return s + std::to_string(i); }
  void get(const std::string &who, const std::string &stream) {
    at_[who].emplace_back(stream, false);
  }
  void put(const std::string &who, const std::string &stream) {
    at_[who].emplace_back(stream, true);
  }

  // A word of loader (i, 0) and what it does with it.
  void word_at(uint32_t i, bool south, bool east, bool queue) {
    get(key("wld", i, 0), key("wcol", i));
    if (south && i + 1 < t_)
      put(key("wld", i, 0), key("wcol", i + 1));
    if (east)
      put(key("wld", i, 0), key("wrow", i, 0));
    if (queue)
      put(key("wld", i, 0), key("wq", i, 0));
    if (!east)
      return;
    for (uint32_t j = 1; j < t_; ++j) {
      get(key("wld", i, j), key("wrow", i, j - 1));
      if (j + 1 < t_)
        put(key("wld", i, j), key("wrow", i, j));
    }
  }
  // The same word at every row; last: the loaders further east have their weight with it.
  void word(bool south, bool east, bool queue, bool last) {
    for (uint32_t i = 0; i < t_; ++i) {
      word_at(i, south, east, queue);
      for (uint32_t j = 1; j < t_ && (queue || last); ++j)
        put(key("wld", i, j), key("wq", i, j));
    }
  }
  void load_weights() {
    word(true, true, false, false);
    for (uint32_t i = 0; i < t_; ++i) {
      word_at(i, false, true, i + 1 == t_);
      for (uint32_t j = 1; j < t_; ++j)
        put(key("wld", i, j), key("wq", i, j));
      for (uint32_t k = i + 1; k < t_; ++k)
        word_at(i, true, false, k + 1 == t_);
    }
  }

  void row_of(uint32_t i, uint32_t j) {
    const std::string who = key("pe", i, j);
    get(who, j == 0 ? key("acol", i) : key("a_fwd", i, j - 1));
    if (i > 0)
      get(who, key("p_fwd", i - 1, j));
    if (i + 1 == t_ && j > 0)
      get(who, key("cw", j - 1));
    if (j == 0 && i + 1 < t_)
      put(who, key("acol", i + 1));
    if (j + 1 < t_)
      put(who, key("a_fwd", i, j));
    if (i + 1 < t_)
      put(who, key("p_fwd", i, j));
    else
      put(who, key("cw", j));
  }

  void matrix(const tpu_issue &x) {
    put("seq", "c_spm");
    put("seq", "c_vru");
    put("seq", "c_acc");
    get("spm", "c_spm");
    get("vru", "c_vru");
    get("accu", "c_acc");
    for (uint32_t k = 0; k <= t_; ++k)
      put("spm", "wcol0");
    load_weights();
    for (uint32_t i = 0; i < t_; ++i)
      for (uint32_t j = 0; j < t_; ++j) {
        get(key("pe", i, j), key("wq", i, j));
        for (uint32_t r = 0; r < x.nr; ++r)
          row_of(i, j);
      }
    for (uint32_t r = 0; r < x.nr; ++r) {
      put("vru", "acol0");
      get("accu", key("cw", t_ - 1));
    }
  }

  void move(const tpu_issue &x, const char *from, const char *command_from, const char *to,
            const char *command_to, const char *stream) {
    put("seq", command_from);
    put("seq", command_to);
    get(from, command_from);
    get(to, command_to);
    for (uint32_t r = 0; r < x.nr; ++r) {
      put(from, stream);
      get(to, stream);
    }
  }

  void issue(const tpu_issue &x) {
    if (x.op == TPU_OP_MM) {
      matrix(x);
    } else if (x.op == TPU_OP_DMA_LD && (x.f[0] & TPU_DMA_DEST_VR) != 0) {
      move(x, "dma_ld", "c_dld", "vru", "c_vru", "dma2vr");
    } else if (x.op == TPU_OP_DMA_LD) {
      move(x, "dma_ld", "c_dld", "spm", "c_spm", "dma2sp");
    } else if (x.op == TPU_OP_VLD) {
      move(x, "spm", "c_spm", "vru", "c_vru", "sp2vr");
    } else if (x.op == TPU_OP_MVOUT) {
      move(x, "accu", "c_acc", "dma_st", "c_dst", "ac2sp");
    } else {
      put("seq", "c_acc");
      get("accu", "c_acc");
    }
  }

  const uint32_t t_, qd_;
  std::map<std::string, std::vector<std::pair<std::string, bool>>> at_;
};

tpu_kpn network(const tpu_params &p, insns &program, const tpu_counts &promised) {
  const tpu_code code = tpu_test::code_of(program);
  tpu_kpn out{};
  tpu_report r{};
  EXPECT_EQ(tpu_kpn_run(&p, &code, &promised, &out, &r), 1) << r.text;
  return out;
}

tpu_counts counts_of(const tpu_params &p, insns &program) {
  const tpu_code code = tpu_test::code_of(program);
  tpu_counts counts{};
  EXPECT_EQ(tpu_counts_of(&p, &code, &counts, nullptr, nullptr, nullptr), 1);
  return counts;
}

insns baseline(const tpu_params &p, const tpu_workload &w) {
  std::vector<tpu_word> words(tpu_program_capacity(&p));
  tpu_program program{words.data(), static_cast<uint32_t>(words.size()), 0};
  tpu_error e{};
  EXPECT_EQ(tpu_map_baseline(&p, &w, &program, &e), 1) << e.text;
  insns decoded(program.count);
  tpu_code code{decoded.data(), program.count, 0};
  EXPECT_EQ(tpu_decode_program(&program, &code, nullptr, nullptr, &e), 1) << e.text;
  return decoded;
}

void expect_kept(const tpu_kpn &k) {
  EXPECT_EQ(k.agrees, 1) << k.text;
  EXPECT_STREQ(k.text, "");
  EXPECT_EQ(k.waiting, 0U);
  for (const tpu_kpn_work &w : k.unit) {
    EXPECT_EQ(w.promised, w.dispatched);
    EXPECT_EQ(w.promised, w.done);
  }
}

// Derived by hand in docs/rounds.md.
TEST(kpn, rounds_of_4x4x4) {
  tpu_params p = tpu_test::params_of(4, 64);
  insns program = baseline(p, tpu_test::gemm_of(4, 4, 4));
  const tpu_kpn k = network(p, program, counts_of(p, program));
  expect_kept(k);
  EXPECT_EQ(k.rounds, 82U);
}

TEST(kpn, takes_the_rounds_of_straight_lists) {
  for (const uint32_t qd : {2U, 3U, 16U})
    for (const uint32_t t : {4U, 8U}) {
      tpu_params p = tpu_test::params_of(t, 2 * t);
      p.qd = qd;
      insns program = baseline(p, tpu_test::gemm_of(t + 1, 2 * t, 2 * t));
      const tpu_kpn k = network(p, program, counts_of(p, program));
      expect_kept(k);
      lists due(p, program);
      EXPECT_EQ(static_cast<int>(k.rounds), due.rounds()) << "T=" << t << " QD=" << qd;
      EXPECT_EQ(k.accesses, due.accesses());
    }
}

TEST(kpn, an_array_may_have_more_processes_than_a_byte_counts) {
  tpu_params p = tpu_test::params_of(12, 12);
  insns program = baseline(p, tpu_test::gemm_of(12, 12, 12));
  const tpu_kpn k = network(p, program, counts_of(p, program));
  expect_kept(k);
  EXPECT_EQ(static_cast<int>(k.rounds), lists(p, program).rounds());
}

TEST(kpn, takes_the_rounds_of_straight_lists_for_random_programs) {
  for (uint32_t seed = 1; seed <= (TPU_SANITIZED ? 3 : 30); ++seed) {
    const tpu_params p = random_program::parameters(4, 16, 2 + seed % 7);
    insns program = random_program::make(p, seed).insns;
    const tpu_kpn k = network(p, program, counts_of(p, program));
    expect_kept(k);
    lists due(p, program);
    EXPECT_EQ(static_cast<int>(k.rounds), due.rounds()) << seed;
    EXPECT_EQ(k.accesses, due.accesses()) << seed;
  }
}

// Weights of eight mms wait for activations; how many fit decides when spm comes to its last rows.
TEST(kpn, weight_queues_hold_four_however_deep_the_streams) {
  tpu_params p = tpu_test::params_of(4, 64);
  p.qd = 8;
  insns program{tpu_test::dma(1, 0, 0, 0, 4), tpu_test::dma(2, 0, 0, 0, 60)};
  for (const insns &part : {tpu_test::repeat(8, {tpu_test::mm(0, 0, 0, 0, 4)}),
                            tpu_test::repeat(3, {tpu_test::dma(1, 0, 0, 4, 60)})}) {
    program.insert(program.end(), part.begin(), part.end());
  }
  const tpu_kpn k = network(p, program, counts_of(p, program));
  expect_kept(k);
  EXPECT_EQ(static_cast<int>(k.rounds), lists(p, program).rounds());
}

TEST(kpn, every_baseline_keeps_its_promises_at_any_depth) {
  tpu_corpus corpus{};
  tpu_report r{};
  ASSERT_EQ(tpu_corpus_read(TPU_SOURCE_DIR "/corpus", &corpus, &r), 1) << r.text;
  for (const uint32_t qd : {2U, 16U})
    for (uint32_t i = 0; i < (TPU_SANITIZED ? 17 : corpus.count); ++i) {
      tpu_params p = tpu_test::params_of(4, 64);
      p.qd = qd;
      insns program = baseline(p, corpus.spec[i].workload);
      expect_kept(network(p, program, counts_of(p, program)));
    }
  tpu_corpus_release(&corpus);
}

// One count off by one, either way: the unit at fault is named, and nothing runs forever.
TEST(kpn, names_the_unit_whose_promise_is_not_its_work) {
  const tpu_params p = tpu_test::params_of(4, 64);
  insns program = baseline(p, tpu_test::gemm_of(8, 8, 8));
  const tpu_counts good = counts_of(p, program);
  const struct {
    uint32_t tpu_counts::*count;
    tpu_unit unit;
    const char *name;
  } table[] = {
      {&tpu_counts::dma_ld, TPU_UNIT_DMA_LD, "dma_ld"}, {&tpu_counts::spm, TPU_UNIT_SPM, "spm"},
      {&tpu_counts::vru, TPU_UNIT_VRU, "vru"},          {&tpu_counts::mm, TPU_UNIT_WLD, "wld"},
      {&tpu_counts::mm_rows, TPU_UNIT_PE, "pe"},        {&tpu_counts::accu, TPU_UNIT_ACCU, "accu"},
      {&tpu_counts::dma_st, TPU_UNIT_DMA_ST, "dma_st"}};
  for (const auto &row : table)
    for (const uint32_t count : {0U, good.*row.count - 1, good.*row.count + 1, 32767U}) {
      tpu_counts promised = good;
      promised.*row.count = count;
      const tpu_kpn k = network(p, program, promised);
      EXPECT_EQ(k.agrees, 0) << row.name << " " << count;
      EXPECT_EQ(k.culprit, row.unit) << k.text;
      EXPECT_EQ(std::string(k.text).rfind(std::string(row.name) + " is promised ", 0), 0U)
          << k.text;
    }
}

// vrelu leaves no token behind: only the account shows that a row was left out.
TEST(kpn, notices_an_instruction_cut_short) {
  const tpu_params p = tpu_test::params_of(4, 16);
  insns program = {tpu_test::vrelu(0, 8, 4)};
  tpu_counts promised = counts_of(p, program);
  expect_kept(network(p, program, promised));
  promised.accu = 3;
  const tpu_kpn k = network(p, program, promised);
  EXPECT_EQ(k.waiting, 0U);
  EXPECT_EQ(k.agrees, 0);
  EXPECT_EQ(k.culprit, TPU_UNIT_ACCU);
}

} // namespace
