#include "platform/bus/clock.h"
#include <gtest/gtest.h>
#include <tlm.h>
#include <tlm_utils/simple_target_socket.h>
TEST(clock, converts) { EXPECT_EQ(tpu::time_to_cycles(tpu::cycles_to_time(7)), 7u); }
TEST(clock, sim) {
  sc_core::sc_start(tpu::cycles_to_time(5));
  EXPECT_EQ(tpu::time_to_cycles(sc_core::sc_time_stamp()), 5u);
}
