/* SPDX-License-Identifier: Apache-2.0 */
// CSRs of the machine-mode core.
#include "test/cpu/encode.h"
#include "test/cpu/machine.h"

#include <gtest/gtest.h>

using namespace rv;

namespace {

// A CSR: what a write of all ones and of zeros leaves, and its number.
struct csr_case {
  word number, ones, zeros;
};

const csr_case csr_cases[] = {
    {mstatus, 0x1888, 0x1800},
    {misa, 0x40001100, 0x40001100},
    {mie, 0x888, 0},
    {mtvec, 0xfffffffd, 0},
    {0x310, 0, 0}, // mstatush
    {mcountinhibit, 5, 0},
    {mscratch, 0xffffffff, 0},
    {mepc, 0xfffffffc, 0},
    {mcause, 0xffffffff, 0},
    {mtval, 0xffffffff, 0},
    {mip, 0, 0},
    {0x323, 0, 0}, // mhpmevent3
    {0xb03, 0, 0}, // mhpmcounter3
    {0xb9f, 0, 0}, // mhpmcounter31h
};

TEST(csrs, keep_what_they_can) {
  for (const csr_case &c : csr_cases) {
    machine m;
    m.core.x[1] = 0xffffffff;
    m.put(machine::base, {csr(csrrw, 0, c.number, 1), csr(csrrs, 3, c.number, 0),
                          csr(csrrw, 4, c.number, 0), csr(csrrs, 5, c.number, 0)});
    ASSERT_EQ(rv_run(&m.core, 4), RV_STOP_CYCLE) << std::hex << c.number;
    EXPECT_EQ(m.core.x[3], c.ones) << std::hex << c.number;
    EXPECT_EQ(m.core.x[4], c.ones) << std::hex << c.number;
    EXPECT_EQ(m.core.x[5], c.zeros) << std::hex << c.number;
  }
}

TEST(csrs, set_and_clear) {
  machine m;
  m.core.mscratch = 0xf0;
  m.core.x[1] = 0x3c;
  m.put(machine::base,
        {csr(csrrs, 3, mscratch, 1), csr(csrrc, 4, mscratch, 1), csr(csrrsi, 5, mscratch, 31),
         csr(csrrci, 6, mscratch, 1), csr(csrrwi, 7, mscratch, 9), csr(csrrsi, 8, mscratch, 0)});
  rv_run(&m.core, 6);
  EXPECT_EQ(m.core.x[3], 0xf0u);
  EXPECT_EQ(m.core.x[4], 0xfcu);
  EXPECT_EQ(m.core.x[5], 0xc0u);
  EXPECT_EQ(m.core.x[6], 0xdfu);
  EXPECT_EQ(m.core.x[7], 0xdeu);
  EXPECT_EQ(m.core.x[8], 9u);
}

TEST(csrs, swap_with_the_same_register) {
  machine m;
  m.core.mscratch = 5;
  m.core.x[1] = 6;
  m.put(machine::base, {csr(csrrw, 1, mscratch, 1)});
  rv_run(&m.core, 1);
  EXPECT_EQ(m.core.x[1], 5u);
  EXPECT_EQ(m.core.mscratch, 6u);
}

TEST(csrs, identification) {
  const rv_config config = {7, 1, 1, 1};
  machine m(machine::memory::window, 0x20000, config);
  m.put(machine::base,
        {csr(csrrs, 3, mhartid, 0), csr(csrrs, 4, 0xf11, 0), csr(csrrs, 5, 0xf15, 0)});
  ASSERT_EQ(rv_run(&m.core, 3), RV_STOP_CYCLE);
  EXPECT_EQ(m.core.x[3], 7u);
  EXPECT_EQ(m.core.x[4], 0u);
  EXPECT_EQ(m.core.x[5], 0u);
}

TEST(csrs, mip_shows_the_lines) {
  machine m;
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  rv_set_irq(&m.core, RV_IRQ_TIMER, 0);
  m.core.x[1] = 0xffffffff;
  m.put(machine::base, {csr(csrrc, 0, mip, 1), csr(csrrs, 3, mip, 0)});
  rv_run(&m.core, 2);
  EXPECT_EQ(m.core.x[3], 0x800u);
}

TEST(csrs, counters_count_cycles_and_instructions) {
  const rv_config config = {0, 1, 10, 1};
  machine m(machine::memory::window, 0x20000, config);
  m.put(machine::base,
        {csr(csrrs, 3, mcycle, 0), op(mul, 4, 4, 4), csr(csrrs, 5, cycle, 0),
         csr(csrrs, 6, minstret, 0), csr(csrrs, 7, instret, 0), csr(csrrs, 8, time_, 0)});
  rv_run(&m.core, 20 - 5);
  EXPECT_EQ(m.core.x[3], 0u);
  EXPECT_EQ(m.core.x[5], 11u);
  EXPECT_EQ(m.core.x[6], 3u);
  EXPECT_EQ(m.core.x[7], 4u);
  EXPECT_EQ(m.core.x[8], 14u);
}

// A written counter holds the value at the next instruction, carries into its high word, and a
// reset starts it from 0 again.
TEST(csrs, counters_can_be_written) {
  machine m;
  m.core.x[1] = 0xfffffffe;
  m.put(machine::base,
        {csr(csrrw, 0, mcycle, 1), csr(csrrs, 3, mcycle, 0), csr(csrrs, 4, mcycle, 0),
         csr(csrrs, 5, mcycleh, 0), csr(csrrw, 0, minstreth, 1), csr(csrrs, 6, minstreth, 0),
         csr(csrrwi, 0, minstret, 5), csr(csrrs, 7, minstret, 0)});
  rv_run(&m.core, 8);
  EXPECT_EQ(m.core.x[3], 0xfffffffeu);
  EXPECT_EQ(m.core.x[4], 0xffffffffu);
  EXPECT_EQ(m.core.x[5], 1u);
  EXPECT_EQ(m.core.x[6], 0xfffffffeu);
  EXPECT_EQ(m.core.x[7], 5u);
  rv_reset(&m.core, machine::base + 4);
  rv_run(&m.core, 9);
  EXPECT_EQ(m.core.x[3], 0u);
}

TEST(csrs, counters_can_be_inhibited) {
  machine m;
  m.put(machine::base,
        {nop(), csr(csrrwi, 0, mcountinhibit, 5), csr(csrrs, 3, mcycle, 0), nop(),
         csr(csrrs, 4, mcycle, 0), csr(csrrs, 5, minstret, 0), csr(csrrwi, 0, mcycle, 9),
         csr(csrrs, 6, mcycle, 0), csr(csrrwi, 0, mcountinhibit, 0), csr(csrrs, 7, mcycle, 0),
         csr(csrrs, 8, minstret, 0)});
  rv_run(&m.core, 11);
  EXPECT_EQ(m.core.x[3], 2u);
  EXPECT_EQ(m.core.x[4], 2u);
  EXPECT_EQ(m.core.x[5], 2u);
  EXPECT_EQ(m.core.x[6], 9u);
  EXPECT_EQ(m.core.x[7], 9u);
  EXPECT_EQ(m.core.x[8], 3u);
}

} // namespace
