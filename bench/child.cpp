// SPDX-License-Identifier: Apache-2.0
#include "bench/child.h"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// POSIX has it declared by the program that uses it.
extern "C" char **environ; // NOLINT(readability-redundant-declaration)

namespace tpu::bench {

namespace {

bool write_all(int fd, const void *from, std::size_t bytes) {
  const auto *at = static_cast<const char *>(from);
  while (bytes > 0) {
    const ssize_t n = write(fd, at, bytes);
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return false;
    at += n;
    bytes -= static_cast<std::size_t>(n);
  }
  return true;
}

std::string read_all(int fd) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t n = read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR)
      continue;
    if (n <= 0)
      return text;
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
}

// On the pipe: a count of numbers, the numbers, the error.
bool send(int fd, const outcome &o) {
  const auto count = static_cast<std::uint32_t>(o.numbers.size());
  return write_all(fd, &count, sizeof count) &&
         write_all(fd, o.numbers.data(), count * sizeof(double)) &&
         write_all(fd, o.error.data(), o.error.size());
}

outcome receive(const std::string &message) {
  std::uint32_t count = 0;
  outcome o;
  if (message.size() < sizeof count)
    return {{}, "a measurement ended without a word"};
  std::memcpy(&count, message.data(), sizeof count);
  const std::size_t bytes = sizeof count + count * sizeof(double);
  if (message.size() < bytes)
    return {{}, "a measurement ended in the middle of its report"};
  o.numbers.resize(count);
  if (count > 0)
    std::memcpy(o.numbers.data(), message.data() + sizeof count, count * sizeof(double));
  o.error = message.substr(bytes);
  return o;
}

// "" for an exit with 0.
std::string how_it_ended(int status) {
  if (WIFSIGNALED(status))
    return "was ended by signal " + std::to_string(WTERMSIG(status));
  const int code = WEXITSTATUS(status);
  return code == 0 ? "" : "ended with exit code " + std::to_string(code);
}

std::string because(const char *call, int number) {
  return std::string(call) + ": " + std::strerror(number); // NOLINT(concurrency-mt-unsafe)
}

int wait_for(pid_t pid, rusage *usage) {
  int status = 0;
  while (wait4(pid, &status, 0, usage) < 0 && errno == EINTR) {
  }
  return status;
}

} // namespace

double now_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

double cpu_seconds() {
  timespec t{};
  (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + static_cast<double>(t.tv_nsec) * 1e-9;
}

outcome in_child(const std::function<outcome()> &work) {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0)
    return {{}, because("pipe", errno)};
  (void)std::fflush(nullptr); // or the child would print it again
  const pid_t pid = fork();
  if (pid < 0) {
    const int number = errno;
    close(ends[0]);
    close(ends[1]);
    return {{}, because("fork", number)};
  }
  if (pid == 0) {
    close(ends[0]);
    const bool sent = send(ends[1], work());
    // As _exit, which AddressSanitizer would intercept and then wonder about SystemC's stacks.
    syscall(SYS_exit_group, sent ? 0 : 1);
    std::abort(); // not reached
  }
  close(ends[1]);
  const std::string message = read_all(ends[0]);
  close(ends[0]);
  const std::string end = how_it_ended(wait_for(pid, nullptr));
  return end.empty() ? receive(message) : outcome{{}, "a measurement " + end};
}

process_usage run_process(const std::vector<std::string> &words) {
  std::vector<char *> argv;
  argv.reserve(words.size() + 1);
  for (const std::string &word : words)
    argv.push_back(const_cast<char *>(word.c_str())); // never written to
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t pid = 0;
  process_usage out;
  const double begin = now_seconds();
  const int failed = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) {
    out.error = because(argv[0], failed);
    return out;
  }
  rusage usage{};
  const int status = wait_for(pid, &usage);
  out.seconds = now_seconds() - begin;
  out.peak_bytes = static_cast<double>(usage.ru_maxrss) * 1024;
  out.error = how_it_ended(status);
  if (!out.error.empty())
    out.error = words[0] + " " + out.error;
  return out;
}

} // namespace tpu::bench
