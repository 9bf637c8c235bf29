/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/trap_text.h"

#include <array>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tpu::cli {

namespace {

// All a command prints; "" when it cannot be run or fails.
std::string output_of(char *const argv[]) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0)
    return {};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t child = 0;
  const int spawned = posix_spawnp(&child, argv[0], &actions, nullptr, argv, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  std::string text;
  std::array<char, 1024> piece{};
  ssize_t n = 0;
  while (spawned == 0 && (n = read(ends[0], piece.data(), piece.size())) > 0)
    text.append(piece.data(), static_cast<std::size_t>(n));
  close(ends[0]);
  int status = 1;
  if (spawned != 0 || waitpid(child, &status, 0) != child || status != 0)
    return {};
  return text;
}

} // namespace

std::string disassembly(const rv_report &report) {
  char path[] = "/tmp/tpuvp-XXXXXX";
  const int file = mkstemp(path);
  if (file < 0)
    return {};
  const bool written = write(file, &report.insn, sizeof report.insn) == sizeof report.insn;
  close(file);
  std::string words;
  if (written) {
    char address[32];
    (void)std::snprintf(address, sizeof address, "--adjust-vma=0x%x", report.pc);
    std::string tool = "riscv64-unknown-elf-objdump";
    std::string args[] = {"-D", "-bbinary", "-mriscv:rv32", address};
    char *argv[] = {tool.data(),    args[0].data(), args[1].data(), args[2].data(),
                    args[3].data(), path,           nullptr};
    words = output_of(argv);
  }
  unlink(path);
  // The last line: "80000000:<tab>00150513          <tab>addi<tab>a0,a0,1"
  while (!words.empty() && words.back() == '\n')
    words.pop_back();
  words.erase(0, words.rfind('\n') + 1);
  const std::size_t first = words.find('\t');
  const std::size_t second = first == std::string::npos ? first : words.find('\t', first + 1);
  if (second == std::string::npos || words.find(".word", second) != std::string::npos)
    return {};
  words.erase(0, second + 1);
  for (char &c : words)
    c = c == '\t' ? ' ' : c;
  return ": " + words;
}

} // namespace tpu::cli
