/* SPDX-License-Identifier: Apache-2.0 */
// The core against QEMU's virt machine: random programs print the same registers, memory and traps
// on both.
#include "test/cpu/elf_writer.h"
#include "test/cpu/machine.h"
#include "test/cpu/random_program.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <fstream>
#include <gtest/gtest.h>

namespace {

constexpr unsigned sequences = 60;
constexpr unsigned units = 150;
constexpr std::uint64_t cycle_limit = 10000000;

std::string run_on_core(const random_program &p, machine::memory how) {
  machine m(how, 0x200000);
  m.put(random_program::code_base, p.code);
  m.put(random_program::data_base, p.data);
  EXPECT_EQ(rv_run(&m.core, cycle_limit), RV_STOP_HOST)
      << "cause " << m.core.report.cause << " at " << std::hex << m.core.report.pc;
  EXPECT_TRUE(m.finished);
  EXPECT_EQ(m.finish_word, std::uint32_t{TPU_FINISHER_PASS});
  return m.console;
}

std::string run_on_qemu(const random_program &p, std::uint32_t seed) {
  const std::string path = TPU_BUILD_DIR "/tests/random_" + std::to_string(seed) + ".elf";
  const std::vector<std::uint8_t> elf =
      write_elf(random_program::code_base, {{random_program::code_base, bytes_of(p.code)},
                                            {random_program::data_base, bytes_of(p.data)}});
  std::ofstream(path, std::ios::binary)
      .write(reinterpret_cast<const char *>(elf.data()), static_cast<std::streamsize>(elf.size()));
  const std::string command = "timeout 60 " TPU_QEMU " -M virt -cpu " TPU_QEMU_CPU
                              " -bios none -display none -monitor none -serial stdio -kernel '" +
                              path + "' </dev/null 2>&1";
  std::string out;
  // NOLINTNEXTLINE(cert-env33-c): a fixed command on a file of our own
  FILE *pipe = popen(command.c_str(), "r");
  if (pipe == nullptr)
    return "cannot start " TPU_QEMU;
  std::array<char, 4096> buffer;
  std::size_t got;
  while ((got = fread(buffer.data(), 1, buffer.size(), pipe)) > 0)
    out.append(buffer.data(), got);
  EXPECT_EQ(pclose(pipe), 0) << out;
  std::remove(path.c_str());
  return out;
}

// The first line that differs, not 30 KB of text.
void expect_same(const std::string &ours, const std::string &theirs, const char *what) {
  std::size_t line = 0, start = 0;
  for (std::size_t i = 0; i < ours.size() && i < theirs.size() && ours[i] == theirs[i]; i++)
    if (ours[i] == '\n') {
      line++;
      start = i + 1;
    }
  if (ours == theirs)
    return;
  ADD_FAILURE() << what << ": sequence " << line
                << " differs\n  core: " << ours.substr(start, ours.find('\n', start) - start)
                << "\n  then: " << theirs.substr(start, theirs.find('\n', start) - start);
}

class differential : public testing::TestWithParam<std::uint32_t> {};

TEST_P(differential, agrees_with_qemu) {
  const random_program p = make_random_program(GetParam(), sequences, units);
  const std::string ours = run_on_core(p, machine::memory::window);
  EXPECT_EQ(static_cast<unsigned>(std::count(ours.begin(), ours.end(), '\n')), sequences);
  expect_same(ours, run_on_core(p, machine::memory::callbacks), "without the window");
  if (std::string(TPU_QEMU).empty())
    GTEST_SKIP() << "qemu-system-riscv32 is not installed";
  expect_same(ours, run_on_qemu(p, GetParam()), "QEMU");
  std::printf("%zu random instructions\n", p.instructions);
}

INSTANTIATE_TEST_SUITE_P(seeds, differential, testing::Range(1u, 7u));

} // namespace
