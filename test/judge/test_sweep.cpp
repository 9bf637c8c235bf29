// SPDX-License-Identifier: Apache-2.0
// The product of a sweep, what a configuration costs, lines of points, and what they come to.
#include "judge/sweep.h"

#include "testing.h"

#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

namespace {

class axes_of {
public:
  explicit axes_of(std::vector<const char *> sets) {
    good_ = tpu_axes_read(sets.data(), sets.size(), &axes, &report) != 0;
  }
  axes_of(const axes_of &) = delete;
  axes_of &operator=(const axes_of &) = delete;
  ~axes_of() { tpu_axes_release(&axes); }

  bool good() const { return good_; }
  std::string text(size_t configuration) const {
    std::string out(TPU_AXES_TEXT_BYTES, '\0');
    return tpu_axes_text(&axes, configuration, out.data());
  }

  tpu_axes axes{};
  tpu_report report{};

private:
  bool good_;
};

TEST(axes, however_given_the_product_is_the_same) {
  const axes_of a({"T=8,4", "QD=16,8,32"});
  const axes_of b({"QD=32,8,16", "T=4,8"});
  ASSERT_TRUE(a.good() && b.good());
  ASSERT_EQ(a.axes.configurations, 6U);
  const std::vector<std::string> due{"T=4 QD=8", "T=4 QD=16", "T=4 QD=32",
                                     "T=8 QD=8", "T=8 QD=16", "T=8 QD=32"};
  for (size_t c = 0; c < due.size(); ++c) {
    EXPECT_EQ(a.text(c), due[c]);
    EXPECT_EQ(b.text(c), due[c]);
  }
}

TEST(axes, words_and_memory_keys_sweep_too) {
  const axes_of a({"memory.ports=shared,per_initiator", "memory.latency_cycles=10,0"});
  ASSERT_TRUE(a.good());
  EXPECT_EQ(a.text(0), "memory.latency_cycles=0 memory.ports=per_initiator");
  EXPECT_EQ(a.text(3), "memory.latency_cycles=10 memory.ports=shared");
}

TEST(axes, bad_values_are_said) {
  const std::vector<std::pair<std::vector<const char *>, std::string>> table{
      {{"T=4,3"}, "--set T: is \"3\""},
      {{"T=4,"}, "--set T: is \"\""},
      {{"T="}, "--set T: is \"\""},
      {{"T"}, "must be KEY=VALUE"},
      {{"TT=4"}, "unknown key"},
      {{"T=4,8,4"}, "--set T: 4 is listed twice"},
      {{"T=4", "QD=8", "T=8"}, "--set T: given twice"},
      {{"memory.ports=both"}, "--set memory.ports: is \"both\""},
      {{"QD=8,x"}, "--set QD: is \"x\""},
  };
  for (const auto &[sets, says] : table) {
    const axes_of a(sets);
    EXPECT_FALSE(a.good());
    EXPECT_NE(std::string(a.report.text).find(says), std::string::npos) << a.report.text;
    EXPECT_EQ(a.axes.count, 0U);
  }
}

// "KEY=first,first + 1,...", so many values.
std::string values(const std::string &key, int first, int count) {
  std::string text = key + "=" + std::to_string(first);
  for (int i = 1; i < count; ++i)
    text += "," + std::to_string(first + i);
  return text;
}

TEST(axes, a_product_has_a_limit) {
  const std::string qd = values("QD", 2, 1000);
  const std::string most = values("MAXDIM", 4, 100);
  const std::string more = values("MAXDIM", 4, 101);
  const axes_of full({qd.c_str(), most.c_str()});
  EXPECT_TRUE(full.good()) << full.report.text;
  EXPECT_EQ(full.axes.configurations, 100000U);
  const axes_of over({qd.c_str(), more.c_str()});
  EXPECT_FALSE(over.good());
  EXPECT_NE(std::string(over.report.text).find("100000"), std::string::npos) << over.report.text;
}

TEST(axes, values_that_do_not_go_together_are_no_configuration) {
  const axes_of a({"T=4,16", "MAXDIM=8,16"});
  ASSERT_TRUE(a.good());
  const tpu_platform_config base = tpu_config_default();
  tpu_platform_config config;
  tpu_report r{};
  EXPECT_EQ(tpu_axes_apply(&a.axes, 0, &base, "here", &config, &r), 1);
  EXPECT_EQ(config.params.nar, 128U); // resolved
  EXPECT_EQ(tpu_axes_apply(&a.axes, 2, &base, "here", &config, &r), 0);
  expect_report(r, "here", "$.accelerator: MAXDIM is 8", "T=16");
}

tpu_params params(std::uint32_t t, std::uint32_t qd) {
  tpu_params p = tpu_params_default();
  tpu_error e;
  p.t = t;
  p.qd = qd;
  EXPECT_EQ(tpu_params_resolve(&p, &e), 1);
  return p;
}

// Counted by hand at T = 4, MAXDIM = 64, QD = 16: 1024 rows of 32 bits twice, 136 of 128 bits, 56
// words of 64; streams of 5 * 64, 4 * 32, 4 * 32 wcol, 12 * 32 wrow, 4 * 32 acol, 12 * 8 a_fwd,
// 12 * 32 p_fwd and 4 * 128 cw bits, 16 deep, and 16 weight queues of 32 bits, 4 deep.
TEST(cost, is_counted) {
  const tpu_params p = params(4, 16);
  const tpu_cost c = tpu_cost_of(&p);
  EXPECT_EQ(c.scratchpad, 1024U * 32);
  EXPECT_EQ(c.vector_registers, 1024U * 32);
  EXPECT_EQ(c.accumulators, 136U * 128);
  EXPECT_EQ(c.instruction_memory, 56U * 64);
  EXPECT_EQ(c.streams, (320U + 128 + 128 + 384 + 128 + 96 + 384 + 512) * 16 + 16U * 32 * 4);
  EXPECT_EQ(c.bits,
            c.scratchpad + c.vector_registers + c.accumulators + c.instruction_memory + c.streams);
  EXPECT_EQ(c.multipliers, 16U);
  EXPECT_EQ(c.cost, c.bits + 1024);
}

TEST(cost, weight_queues_end_at_four) {
  const tpu_params two = params(4, 2);
  const tpu_params three = params(4, 3);
  const tpu_params four = params(4, 4);
  const tpu_params five = params(4, 5);
  const auto step = [](const tpu_params &a, const tpu_params &b) {
    return tpu_cost_of(&b).streams - tpu_cost_of(&a).streams;
  };
  EXPECT_EQ(step(two, three), step(three, four));
  EXPECT_EQ(step(three, four), step(four, five) + 16 * 32);
}

class lines_of : public testing::Test {
protected:
  int read(const std::string &line) {
    return tpu_point_read("f: line 3", line.c_str(), line.size(), &axes_.axes, specs_.data(),
                          specs_.size(), "baseline", &configuration_, &spec_, &point_, &report_);
  }
  std::string line(size_t configuration, const tpu_point &point) {
    tpu_platform_config config = tpu_config_default();
    config.params = params(4, 16);
    char *text = tpu_point_line(&axes_.axes, configuration, &config, "two", "baseline", &point);
    std::string out = text;
    std::free(text);
    return out;
  }

  axes_of axes_{{"T=4,8", "memory.ports=shared,per_initiator"}};
  std::vector<const char *> specs_{"one", "two"};
  size_t configuration_ = 0;
  size_t spec_ = 0;
  tpu_point point_{};
  tpu_report report_{};
};

TEST_F(lines_of, come_back_as_they_went) {
  tpu_point p{};
  p.verdict = TPU_VERDICT_EXACT;
  p.end = TPU_POINT_COMPLETED;
  p.cycles = 9007199254740993; // no double holds it
  p.utilization = 1.0 / 3;
  p.cause[TPU_CAUSE_store] = 7;
  p.cause[TPU_CAUSE_finish] = p.cycles - 7;
  p.unit[TPU_UNIT_ACCU].count[TPU_COUNTER_BLOCKED] = 9;
  for (size_t c = 0; c < 4; ++c) {
    const std::string text = line(c, p);
    EXPECT_EQ(text.find('\n'), text.size() - 1);
    ASSERT_EQ(read(text), 1) << report_.text;
    EXPECT_EQ(configuration_, c);
    EXPECT_EQ(spec_, 1U);
    EXPECT_EQ(point_.cycles, p.cycles);
    EXPECT_EQ(point_.utilization, p.utilization);
    EXPECT_EQ(point_.cause[TPU_CAUSE_store], 7U);
    EXPECT_EQ(point_.unit[TPU_UNIT_ACCU].count[TPU_COUNTER_BLOCKED], 9U);
    EXPECT_EQ(line(c, point_), text);
  }
  p = {};
  p.verdict = TPU_VERDICT_SKIPPED;
  std::snprintf(p.reason, sizeof p.reason, "why");
  ASSERT_EQ(read(line(0, p)), 1) << report_.text;
  EXPECT_STREQ(point_.reason, "why");
  EXPECT_EQ(point_.end, TPU_POINT_NOT_RUN);
}

TEST_F(lines_of, whose_causes_do_not_add_up_are_refused) {
  for (const tpu_point_end end : {TPU_POINT_COMPLETED, TPU_POINT_DEADLOCK, TPU_POINT_FAULT}) {
    tpu_point p{};
    p.verdict = TPU_VERDICT_EXACT;
    p.end = end;
    p.cycles = 10;
    p.cause[TPU_CAUSE_store] = 4;
    EXPECT_EQ(read(line(0, p)) != 0, end == TPU_POINT_FAULT);
    if (end != TPU_POINT_FAULT) {
      EXPECT_STREQ(report_.text, "f: line 3: $: the causes add up to 4 cycles; due are 10");
    }
    p.cause[TPU_CAUSE_finish] = 6;
    EXPECT_EQ(read(line(0, p)), 1) << report_.text;
  }
}

TEST_F(lines_of, of_another_sweep_or_broken_are_refused) {
  tpu_point p{};
  p.verdict = TPU_VERDICT_EXACT;
  const std::string good = line(0, p);
  const auto changed = [&good](const std::string &from, const std::string &to) {
    std::string out = good;
    return out.replace(out.find(from), from.size(), to);
  };
  for (const std::string &bad :
       {changed("\"T\":4", "\"T\":16"), changed("\"two\"", "\"three\""), changed("\"T\":4,", ""),
        changed("\"T\":4", "\"T\":4,\"QD\":8"), changed("baseline", "via_spad"),
        changed("EXACT", "RIGHT"), changed("not run", "gone"), good.substr(0, good.size() / 2),
        std::string("{}\n"), std::string("[1]\n"), std::string("\n")}) {
    EXPECT_EQ(read(bad), 0) << bad;
    EXPECT_EQ(std::string(report_.text).rfind("f: line 3: ", 0), 0U) << report_.text;
  }
}

// Two keys of three and two values; cycles by [first][second], 0: hangs, 1: wrong.
class table_of {
public:
  table_of(std::vector<std::array<std::uint64_t, 2>> cycles, std::vector<std::uint64_t> cost)
      : points_(6), cost_(std::move(cost)) {
    for (size_t c = 0; c < 6; ++c) {
      const std::uint64_t n = cycles[c / 2][c % 2];
      points_[c].verdict = n == 0   ? TPU_VERDICT_DEADLOCK
                           : n == 1 ? TPU_VERDICT_WRONG
                                    : TPU_VERDICT_EXACT;
      points_[c].end = n == 0 ? TPU_POINT_DEADLOCK : TPU_POINT_COMPLETED;
      points_[c].cycles = n == 0 ? 5 : n;
      points_[c].utilization = n == 0 ? 0 : 1.0 / static_cast<double>(n);
    }
    sweep = {&axes_.axes, legal.data(), cost_.data(), 1, points_.data()};
  }
  std::vector<size_t> front() const {
    std::vector<size_t> out(6);
    out.resize(tpu_sweep_pareto(&sweep, 0, out.data()));
    return out;
  }

  std::array<std::uint8_t, 6> legal{1, 1, 1, 1, 1, 1};
  tpu_sweep sweep{};

private:
  axes_of axes_{{"T=4,8,16", "QD=8,16"}};
  std::vector<tpu_point> points_;
  std::vector<std::uint64_t> cost_;
};

TEST(sweep, best_and_pareto) {
  const table_of t({{300, 290}, {200, 200}, {0, 1}}, {10, 20, 30, 40, 5, 1});
  EXPECT_EQ(tpu_sweep_best(&t.sweep, 0), 2U); // of equals the cheapest
  EXPECT_EQ(t.front(), (std::vector<size_t>{0, 1, 2}));
}

TEST(sweep, equals_stay_on_the_front_and_the_worse_leave_it) {
  const table_of t({{300, 300}, {300, 200}, {200, 100}}, {10, 10, 11, 20, 20, 20});
  EXPECT_EQ(t.front(), (std::vector<size_t>{0, 1, 5}));
  table_of without({{300, 300}, {300, 200}, {200, 100}}, {10, 10, 11, 20, 20, 20});
  without.legal[5] = 0;
  EXPECT_EQ(without.front(), (std::vector<size_t>{0, 1, 3, 4}));
  const table_of none({{0, 1}, {0, 1}, {0, 0}}, {1, 1, 1, 1, 1, 1});
  EXPECT_TRUE(none.front().empty());
  EXPECT_EQ(tpu_sweep_best(&none.sweep, 0), TPU_SWEEP_NONE);
}

TEST(sweep, levels_compare_like_with_like) {
  const table_of t({{400, 900}, {100, 300}, {50, 0}}, {1, 1, 1, 1, 1, 1});
  std::array<tpu_level, 3> level;
  EXPECT_EQ(tpu_sweep_levels(&t.sweep, 0, level.data()), 1U); // QD = 8 only
  EXPECT_DOUBLE_EQ(level[0].cycles, 400);
  EXPECT_DOUBLE_EQ(level[2].cycles, 50);
  EXPECT_DOUBLE_EQ(level[2].utilization, 1.0 / 50);
  EXPECT_EQ(level[2].exact, 1U);
  EXPECT_EQ(level[2].hangs, 1U);
  EXPECT_EQ(tpu_sweep_levels(&t.sweep, 1, level.data()), 2U); // T = 4 and 8
  EXPECT_DOUBLE_EQ(level[0].cycles, 200);
  EXPECT_DOUBLE_EQ(level[1].cycles, std::sqrt(900.0 * 300));
  const table_of wrong({{1, 1}, {100, 300}, {50, 0}}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(tpu_sweep_levels(&wrong.sweep, 0, level.data()), 1U);
  EXPECT_EQ(level[0].cycles, 0);
  EXPECT_EQ(level[0].other, 2U);
}

TEST(sweep, a_value_without_an_exact_point_leaves_the_means_of_the_others) {
  table_of t({{400, 900}, {0, 0}, {50, 300}}, {1, 1, 1, 1, 1, 1}); // T = 8 hangs throughout
  std::array<tpu_level, 3> level;
  for (const std::uint8_t legal : {std::uint8_t{1}, std::uint8_t{0}}) {
    t.legal[2] = t.legal[3] = legal;
    EXPECT_EQ(tpu_sweep_levels(&t.sweep, 0, level.data()), 2U);
    EXPECT_DOUBLE_EQ(level[0].cycles, 600);
    EXPECT_EQ(level[1].cycles, 0);
    EXPECT_EQ(level[1].utilization, 0);
    EXPECT_EQ(level[1].hangs, legal ? 2U : 0U);
    EXPECT_DOUBLE_EQ(level[2].cycles, std::sqrt(50.0 * 300));
  }
  const table_of none({{0, 0}, {0, 0}, {0, 0}}, {1, 1, 1, 1, 1, 1});
  EXPECT_EQ(tpu_sweep_levels(&none.sweep, 0, level.data()), 0U);
}

TEST(sweep, levels_are_means_of_more_cases_than_a_byte_counts) {
  const axes_of axes({"T=4,8"});
  constexpr size_t specs = 300;
  std::vector<tpu_point> points(2 * specs);
  for (tpu_point &p : points) {
    p.verdict = TPU_VERDICT_EXACT;
    p.end = TPU_POINT_COMPLETED;
    p.cycles = 1;
    p.utilization = 0.5;
  }
  const std::array<std::uint8_t, 2> legal{1, 1};
  const std::array<std::uint64_t, 2> cost{1, 1};
  const tpu_sweep sweep{&axes.axes, legal.data(), cost.data(), specs, points.data()};
  std::array<tpu_level, 2> level;
  EXPECT_EQ(tpu_sweep_levels(&sweep, 0, level.data()), specs);
  EXPECT_DOUBLE_EQ(level[0].utilization, 0.5);
}

TEST(sweep, sensitivity_is_of_neighbours) {
  const table_of t({{400, 900}, {200, 300}, {50, 0}}, {1, 1, 1, 1, 1, 1});
  const tpu_sensitivity x = tpu_sweep_sensitivity(&t.sweep, 0);
  EXPECT_EQ(x.pairs, 3U); // not 4 against 16
  EXPECT_EQ(x.hangs, 1U);
  EXPECT_DOUBLE_EQ(x.ratio, 4);
  EXPECT_EQ(x.slower, 2U);
  EXPECT_EQ(x.faster, 4U);
  const tpu_sensitivity y = tpu_sweep_sensitivity(&t.sweep, 1);
  EXPECT_EQ(y.pairs, 2U);
  EXPECT_DOUBLE_EQ(y.ratio, 2.25);
  EXPECT_EQ(y.slower, 1U);
  table_of illegal({{400, 900}, {200, 300}, {50, 0}}, {1, 1, 1, 1, 1, 1});
  illegal.legal[2] = illegal.legal[3] = 0;
  EXPECT_EQ(tpu_sweep_sensitivity(&illegal.sweep, 0).pairs, 0U);
}

} // namespace
