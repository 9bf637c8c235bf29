/* SPDX-License-Identifier: Apache-2.0 */
// Console, timer and finisher as the bus reaches them; interrupt lines, clock and memory map.
#include "test/bus/small_platform.h"

#include <gtest/gtest.h>

using namespace small;

namespace {

TEST(devices, console_prints_whole_lines) {
  platform p;
  const auto say = [&p](const std::string &s) {
    for (const char c : s)
      ASSERT_EQ(p.cpu.write(region_CONSOLE.base, {static_cast<std::uint8_t>(c)}).status, ok);
  };
  say("one");
  EXPECT_EQ(p.printed.str(), "");
  say("\ntw");
  EXPECT_EQ(p.printed.str(), "one\n");
  EXPECT_EQ(p.uart.text(), "one\ntw");
  p.uart.flush();
  EXPECT_EQ(p.printed.str(), "one\ntw\n");
  p.uart.flush();
  EXPECT_EQ(p.printed.str(), "one\ntw\n");
  p.uart.reset();
  EXPECT_EQ(p.uart.text(), "");
  bytes status(1);
  EXPECT_EQ(p.cpu.read(region_CONSOLE.base + 5, status).status, ok);
  EXPECT_EQ(status[0], 0x60);
}

TEST(devices, console_bounds_what_it_keeps) {
  platform p;
  for (std::size_t i = 0; i < console::max_text + 10; i++)
    p.cpu.write(region_CONSOLE.base, {'a'});
  EXPECT_EQ(p.uart.text().size(), console::max_text);
  EXPECT_TRUE(p.uart.truncated());
  p.uart.flush();
  EXPECT_EQ(p.printed.str().size(), console::max_text + 10 + 1); // printed all the same
}

TEST(devices, timer_counts_cycles_and_publishes_its_interrupt) {
  platform p;
  const std::uint64_t clint = region_TIMER.base;
  EXPECT_TRUE(p.clint.interrupt.quiet());
  EXPECT_EQ(p.cpu.word(clint + 0x4004), 0xffffffffu);
  sc_core::sc_start(cycles_to_time(100));
  EXPECT_EQ(p.cpu.word(clint + 0xbff8), 100u);
  EXPECT_EQ(p.cpu.word(clint + 0xbffc), 0u);

  p.cpu.set_word(clint + 0x4000, 250); // the high word still says never
  EXPECT_TRUE(p.clint.interrupt.quiet());
  p.cpu.set_word(clint + 0x4004, 0);
  EXPECT_FALSE(p.clint.interrupt.quiet());
  EXPECT_FALSE(p.clint.interrupt.undetermined());
  EXPECT_EQ(time_to_cycles(p.clint.interrupt.high_from()), 250u);
  sc_core::sc_start(cycles_to_time(149));
  EXPECT_FALSE(p.clint.interrupt.level());
  sc_core::sc_start(cycles_to_time(1));
  EXPECT_TRUE(p.clint.interrupt.level());

  p.cpu.set_word(clint + 0xbff8, 10); // mtime set back: low again, due 240 cycles later
  EXPECT_FALSE(p.clint.interrupt.level());
  EXPECT_EQ(p.cpu.word(clint + 0xbff8), 10u);
  EXPECT_EQ(time_to_cycles(p.clint.interrupt.high_from()), 490u);
  EXPECT_EQ(p.clint.mtime_at(260), 20u);

  p.cpu.set_word(clint + 0xbffc, 1); // far beyond
  EXPECT_TRUE(p.clint.interrupt.level());
  p.clint.reset();
  EXPECT_EQ(p.cpu.word(clint + 0xbff8), 0u);
  EXPECT_TRUE(p.clint.interrupt.quiet());
  EXPECT_FALSE(p.clint.interrupt.level());
}

TEST(devices, timer_beyond_simulation_time_never_comes) {
  platform p;
  p.cpu.set_word(region_TIMER.base + 0x4004, 0x7fffffff);
  EXPECT_TRUE(p.clint.interrupt.quiet());
  EXPECT_FALSE(p.clint.interrupt.level());
}

TEST(devices, finisher_keeps_the_verdict) {
  platform p;
  int calls = 0;
  p.end.set_on_finish([&calls] { calls++; });
  EXPECT_FALSE(p.end.finished());
  p.cpu.set_word(region_FINISHER.base, 0x1234);
  EXPECT_EQ(p.cpu.status, bad_value);
  EXPECT_FALSE(p.end.finished());
  p.cpu.set_word(region_FINISHER.base, 0x00073333);
  EXPECT_EQ(p.cpu.status, ok);
  EXPECT_TRUE(p.end.finished());
  EXPECT_FALSE(p.end.passed());
  EXPECT_EQ(p.end.exit_code(), 7u);
  EXPECT_EQ(calls, 1);
  p.end.reset();
  EXPECT_FALSE(p.end.finished());
  p.cpu.set_word(region_FINISHER.base, TPU_FINISHER_PASS);
  EXPECT_TRUE(p.end.passed());
  EXPECT_EQ(p.end.exit_code(), 0u);
}

TEST(irq_line, states) {
  irq_line line("line");
  sc_core::sc_start(cycles_to_time(10));
  EXPECT_TRUE(line.quiet());
  line.set_undetermined(true);
  EXPECT_FALSE(line.quiet());
  line.schedule(cycles_to_time(30));
  EXPECT_FALSE(line.undetermined());
  EXPECT_FALSE(line.quiet());
  EXPECT_FALSE(line.level());
  sc_core::sc_start(cycles_to_time(20));
  EXPECT_TRUE(line.level());
  EXPECT_TRUE(line.quiet());
  line.clear();
  EXPECT_FALSE(line.level());
  line.schedule(cycles_to_time(5)); // past: now
  EXPECT_TRUE(line.level());
  line.clear();
  line.raise();
  EXPECT_TRUE(line.level());
}

TEST(clock, converts_and_rounds_up) {
  EXPECT_EQ(time_to_cycles(cycles_to_time(7)), 7u);
  EXPECT_EQ(time_to_cycles(cycles_to_time(7) + sc_core::sc_time(500, sc_core::SC_PS)), 8u);
  EXPECT_EQ(cycles_to_time(1), sc_core::sc_time(1, sc_core::SC_NS));
}

TEST(regions, of_the_memory_map_are_disjoint) {
  const region all[] = {region_FINISHER, region_TIMER, region_CONSOLE, region_ACCELERATOR,
                        region_DRAM};
  for (const region &a : all)
    for (const region &b : all)
      EXPECT_EQ(a.overlaps(b), &a == &b) << a.name << ", " << b.name;
}

} // namespace
