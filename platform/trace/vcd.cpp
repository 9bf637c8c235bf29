/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/trace/vcd.h"

#include <algorithm>

namespace tpu::trace {

namespace {

constexpr int state_bits = 2;
constexpr int on_bits = 8;
constexpr int instruction_bits = 32;

// Identifiers are printable characters, the first of them short.
class identifiers {
public:
  std::string next() {
    constexpr unsigned first = '!';
    constexpr unsigned count = '~' - '!' + 1;
    std::string id;
    for (unsigned n = next_++;; n = n / count - 1) {
      id.push_back(static_cast<char>(first + n % count));
      if (n < count)
        return id;
    }
  }

private:
  unsigned next_ = 0;
};

// "pe[3][0]" is no name that every reader takes.
std::string scope_name(const std::string &process) {
  std::string name;
  for (const char c : process)
    if (c != ']')
      name.push_back(c == '[' ? '_' : c);
  return name;
}

int bits_for(std::uint32_t depth) {
  int bits = 1;
  while (depth >> bits != 0)
    ++bits;
  return bits;
}

} // namespace

void vcd_writer::declare(const char *name, int bits, const std::string &id) {
  file_ << "$var wire " << bits << ' ' << id << ' ' << name << " $end\n";
}

void vcd_writer::begin(const core::trace_shape &shape) {
  identifiers ids;
  processes_.clear();
  streams_.clear();
  file_ << "$comment state: 0 idle, 1 busy, 2 starved, 3 blocked; on:";
  int k = 0;
#define TPU_VCD_WAIT(id, name, text) file_ << (k == 0 ? " " : ", ") << k << " " #name, ++k;
  TPU_WAITS(TPU_VCD_WAIT)
#undef TPU_VCD_WAIT
  file_ << " $end\n$timescale 1 ns $end\n$scope module tpu $end\n";
  for (const core::traced_process &p : shape.processes) {
    process_variables one{ids.next(), ids.next(), ids.next()};
    file_ << "$scope module " << scope_name(p.name) << " $end\n";
    declare("state", state_bits, one.state);
    declare("on", on_bits, one.on);
    declare("instruction", instruction_bits, one.instruction);
    file_ << "$upscope $end\n";
    processes_.push_back(std::move(one));
  }
  file_ << "$scope module streams $end\n";
  for (const core::traced_stream &s : shape.streams) {
    stream_variable one{ids.next(), bits_for(s.depth)};
    declare(scope_name(s.name).c_str(), one.bits, one.tokens);
    streams_.push_back(std::move(one));
  }
  file_ << "$upscope $end\n$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n";
  at_ = 0;
  for (const process_variables &p : processes_) {
    bits(0, state_bits, p.state);
    file_ << "bx " << p.on << "\nbx " << p.instruction << '\n';
  }
  for (const stream_variable &s : streams_)
    bits(0, s.bits, s.tokens);
  file_ << "$end\n";
}

void vcd_writer::time(core::cycle at) {
  if (at != at_) {
    file_ << '#' << at << '\n';
    at_ = at;
  }
}

void vcd_writer::bits(std::uint64_t value, int count, const std::string &id) {
  char text[64];
  int length = count;
  while (length > 1 && value >> (length - 1) == 0)
    --length;
  for (int k = 0; k < length; ++k)
    text[k] = (value >> (length - 1 - k) & 1) != 0 ? '1' : '0';
  file_ << 'b' << std::string_view(text, static_cast<std::size_t>(length)) << ' ' << id << '\n';
}

void vcd_writer::segment(const core::trace_segment &s) {
  process_variables &p = processes_[s.process];
  time(s.from);
  if (p.shown_state != s.state) {
    p.shown_state = s.state;
    bits(static_cast<std::uint64_t>(s.state), state_bits, p.state);
  }
  if (p.shown_on != s.on) {
    p.shown_on = s.on;
    if (s.on == TPU_WAIT_COUNT)
      file_ << "bx " << p.on << '\n';
    else
      bits(s.on, on_bits, p.on);
  }
  const std::int64_t instruction = s.issue < 0 ? -1 : std::int64_t{s.insn};
  if (p.shown_instruction != instruction) {
    p.shown_instruction = instruction;
    if (instruction < 0)
      file_ << "bx " << p.instruction << '\n';
    else
      bits(static_cast<std::uint64_t>(instruction), instruction_bits, p.instruction);
  }
}

void vcd_writer::occupancy(core::cycle at, std::size_t stream, std::uint32_t tokens) {
  time(at);
  bits(tokens, streams_[stream].bits, streams_[stream].tokens);
}

void vcd_writer::end(core::cycle elapsed) { time(elapsed); }

} // namespace tpu::trace
