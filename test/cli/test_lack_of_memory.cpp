// SPDX-License-Identifier: Apache-2.0
// The platform as the judge's engine when an allocation fails: one line, and no abort. Only one
// fails, since destructors of SystemC's allocate. Each attempt has a process of its own.
#include "platform/cli/platform_engine.h"
#include "test/models/random_program.h"

#include <cstdlib>
#include <gtest/gtest.h>
#include <new>
#include <string>
#include <sys/wait.h>
#include <unistd.h>

namespace {

long allocations_left = -1; // before one fails; negative: none does

} // namespace

void *operator new(std::size_t bytes) {
  const bool fails = allocations_left == 0;
  allocations_left -= allocations_left >= 0 ? 1 : 0;
  if (fails)
    throw std::bad_alloc();
  if (void *const p = std::malloc(bytes); p != nullptr)
    return p;
  throw std::bad_alloc();
}
// Not inlined, or a compiler sees free() on what operator new returned.
[[gnu::noinline]] void operator delete(void *p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void *p, std::size_t) noexcept { std::free(p); }

namespace {

enum end { completed, refused, other };

// While what is done an allocation fails.
enum class armed { open, run };

end end_of(int good, const tpu_report &r) {
  allocations_left = -1;
  if (good != 0)
    return completed;
  return std::string(r.text) == "out of memory for a machine of T=8, QD=16" ? refused : other;
}

end attempt(armed when, long before) {
  tpu_platform_config config = tpu_config_default();
  config.params = random_program::parameters(8, 16, 16);
  random_program::program made = random_program::make(config.params, 1);
  const auto count = static_cast<std::uint32_t>(made.words.size());
  const tpu_program words{made.words.data(), count, count};
  const tpu_engine_request request{&config.params, &words, &made.counts, {}, 1, 0};
  tpu_engine engine;
  tpu_engine_result result;
  tpu_report r{};
  allocations_left = when == armed::open ? before : -1;
  const int opened = tpu_platform_engine_open(
      &config, TPU_SOURCE_DIR "/configs/timing/hls-2023.2.json", 1, &engine, &r);
  if (when == armed::open || opened == 0)
    return end_of(opened, r);
  allocations_left = before;
  return end_of(engine.run(engine.context, &request, &result, &r), r);
}

// In a process that ends with it.
int end_apart(armed when, long before) {
  const pid_t child = fork();
  if (child == 0)
    _exit(attempt(when, before));
  int status = 0;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

void expect_refused_until_enough(armed when) {
  long before = 0;
  int end = refused;
  for (; end == refused; ++before)
    end = end_apart(when, before);
  EXPECT_EQ(end, completed) << "after " << before;
  EXPECT_GT(before, 8);
}

TEST(lack_of_memory, is_said_when_the_machine_is_made) { expect_refused_until_enough(armed::open); }

TEST(lack_of_memory, is_said_when_it_runs) { expect_refused_until_enough(armed::run); }

} // namespace
