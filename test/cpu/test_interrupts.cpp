/* SPDX-License-Identifier: Apache-2.0 */
// Interrupts of the machine-mode core, and its sleep.
#include "test/cpu/encode.h"
#include "test/cpu/machine.h"

#include <gtest/gtest.h>

using namespace rv;

namespace {

constexpr word handler = machine::base + 0x400;

// x3 counts instructions; the handler counts in x4 and masks the interrupts in mie.
struct interrupt_machine : machine {
  interrupt_machine() {
    put(base, std::vector<word>(64, addi(3, 3, 1)));
    put(handler, {addi(4, 4, 1), csr(csrrw, 0, mie, 0), mret});
    core.mtvec = handler;
    core.mie = 1u << RV_IRQ_TIMER | 1u << RV_IRQ_EXTERNAL;
    core.mstatus = 0x8;
  }
};

TEST(interrupts, are_taken_at_the_next_boundary) {
  interrupt_machine m;
  rv_run(&m.core, 5);
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  rv_run(&m.core, 6);
  EXPECT_EQ(m.core.mepc, machine::base + 20);
  EXPECT_EQ(m.core.mcause, RV_CAUSE_INTERRUPT | RV_IRQ_TIMER);
  EXPECT_EQ(m.core.mtval, 0u);
  EXPECT_EQ(m.core.x[4], 1u); // the handler's first instruction ran
  EXPECT_EQ(m.core.cycle, 6u);
  rv_run(&m.core, 10);
  EXPECT_EQ(m.core.x[3], 7u);
  EXPECT_EQ(m.core.mstatus, 0x88u);
}

TEST(interrupts, external_goes_before_timer) {
  interrupt_machine m;
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  rv_run(&m.core, 1);
  EXPECT_EQ(m.core.mcause, RV_CAUSE_INTERRUPT | RV_IRQ_EXTERNAL);
}

TEST(interrupts, vectored) {
  interrupt_machine m;
  m.core.mtvec = handler | 1;
  m.put(handler + 4 * RV_IRQ_EXTERNAL, {addi(5, 5, 1), jal(0, -4)});
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  rv_run(&m.core, 1);
  EXPECT_EQ(m.core.pc, handler + 4 * RV_IRQ_EXTERNAL + 4);
  EXPECT_EQ(m.core.x[5], 1u);
}

TEST(interrupts, wait_until_enabled) {
  interrupt_machine m;
  m.core.mie = 0;
  m.core.mstatus = 0;
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  m.core.x[6] = 1u << RV_IRQ_EXTERNAL;
  m.put(machine::base, {nop(), csr(csrrw, 0, mie, 6), nop(), csr(csrrsi, 7, mstatus, 8), nop()});
  rv_run(&m.core, 4);
  EXPECT_EQ(m.core.pc, machine::base + 16); // enabled; taken at the next boundary
  EXPECT_EQ(m.core.x[7], 0x1800u);
  rv_run(&m.core, 5);
  EXPECT_EQ(m.core.mepc, machine::base + 16);
  EXPECT_EQ(m.core.mcause, RV_CAUSE_INTERRUPT | RV_IRQ_EXTERNAL);
}

// In one long run the CSR write that enables it takes effect at the very next boundary too.
TEST(interrupts, enabling_acts_within_a_run) {
  interrupt_machine m;
  m.core.mstatus = 0;
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  m.put(machine::base + 8, {csr(csrrsi, 0, mstatus, 8)});
  rv_run(&m.core, 40);
  EXPECT_EQ(m.core.mepc, machine::base + 12);
  EXPECT_EQ(m.core.x[4], 1u);
}

TEST(interrupts, mret_that_enables_acts_within_a_run) {
  interrupt_machine m;
  m.core.mstatus = 0x80; // as inside a handler
  m.core.mepc = machine::base + 0x20;
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  m.put(machine::base, {mret});
  rv_run(&m.core, 3);
  EXPECT_EQ(m.core.mepc, machine::base + 0x20); // before the instruction returned to
  EXPECT_EQ(m.core.x[3], 0u);
  EXPECT_EQ(m.core.x[4], 1u);
}

TEST(interrupts, wfi_sleeps_until_pending_even_if_not_enabled_globally) {
  interrupt_machine m;
  m.core.mstatus = 0;
  m.put(machine::base, {wfi, addi(5, 0, 1)});
  EXPECT_EQ(rv_run(&m.core, 100), RV_STOP_SLEEP);
  EXPECT_EQ(m.core.cycle, 1u);
  EXPECT_EQ(rv_run(&m.core, 100), RV_STOP_SLEEP);
  EXPECT_EQ(m.core.cycle, 1u);
  m.core.cycle = 50;
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  EXPECT_EQ(rv_run(&m.core, 51), RV_STOP_CYCLE);
  EXPECT_EQ(m.core.x[5], 1u);
  EXPECT_EQ(m.core.x[4], 0u);
}

TEST(interrupts, wfi_wakes_into_the_handler) {
  interrupt_machine m;
  m.put(machine::base, {wfi});
  EXPECT_EQ(rv_run(&m.core, 100), RV_STOP_SLEEP);
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  rv_run(&m.core, 2);
  EXPECT_EQ(m.core.mepc, machine::base + 4);
}

TEST(interrupts, wfi_with_one_pending_goes_on) {
  interrupt_machine m;
  m.core.mstatus = 0;
  m.put(machine::base, {wfi, addi(5, 0, 1)});
  rv_set_irq(&m.core, RV_IRQ_TIMER, 1);
  EXPECT_EQ(rv_run(&m.core, 2), RV_STOP_CYCLE);
  EXPECT_EQ(m.core.x[5], 1u);
}

TEST(interrupts, without_a_handler_end_the_run) {
  interrupt_machine m;
  m.core.mtvec = 0;
  rv_set_irq(&m.core, RV_IRQ_EXTERNAL, 1);
  EXPECT_EQ(rv_run(&m.core, 10), RV_STOP_UNHANDLED);
  EXPECT_EQ(m.core.report.cause, RV_CAUSE_INTERRUPT | RV_IRQ_EXTERNAL);
  EXPECT_EQ(m.core.report.pc, machine::base);
}

} // namespace
