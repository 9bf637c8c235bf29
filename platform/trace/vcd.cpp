/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/trace/vcd.h"

#include <cstring>

namespace tpu::trace {

namespace {

constexpr int state_bits = 2;
constexpr int on_bits = 8;
constexpr int instruction_bits = 32;

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

constexpr std::string_view unknown = "bx ";

// A value as a change of a vector has it, "b101 "; returns its length.
constexpr std::size_t binary(std::uint32_t value, char *text) {
  std::size_t length = 0;
  text[length++] = 'b';
  for (int k = 31 - __builtin_clz(value | 1); k >= 0; --k)
    text[length++] = static_cast<char>('0' + (value >> k & 1));
  text[length++] = ' ';
  return length;
}

// Of those that most changes are to.
struct short_number {
  std::array<char, 15> text;
  std::uint8_t length;
};
constexpr auto short_numbers = [] {
  std::array<short_number, 256> all{};
  for (std::uint32_t n = 0; n < all.size(); ++n) {
    char text[35] = {};
    all[n].length = static_cast<std::uint8_t>(binary(n, text));
    for (std::size_t k = 0; k < all[n].text.size(); ++k)
      all[n].text[k] = text[k];
  }
  return all;
}();

} // namespace

// Printable characters, fewer for smaller numbers.
vcd_writer::identifier vcd_writer::number(unsigned n) {
  constexpr unsigned first = '!';
  constexpr unsigned count = '~' - '!' + 1;
  identifier id{};
  for (;; n = n / count - 1) {
    id.text[id.length++] = static_cast<char>(first + n % count);
    if (n < count)
      break;
  }
  id.text[id.length++] = '\n';
  return id;
}

void vcd_writer::declare(const char *name, int bits, const identifier &id) {
  file_ << "$var wire " << bits << ' ' << std::string_view(id.text.data(), id.length - 1) << ' '
        << name << " $end\n";
}

void vcd_writer::none(const identifier &id) {
  char *const text = file_.reserve(unknown.size() + sizeof id.text);
  std::memcpy(text, unknown.data(), unknown.size());
  std::memcpy(text + unknown.size(), id.text.data(), sizeof id.text);
  file_.use(unknown.size() + id.length);
}

void vcd_writer::begin(const core::trace_shape &shape) {
  unsigned ids = 0;
  processes_.clear();
  streams_.clear();
  file_ << "$comment state: 0 idle, 1 busy, 2 starved, 3 blocked; on:";
  int k = 0;
#define TPU_VCD_WAIT(id, name, text) file_ << (k == 0 ? " " : ", ") << k << " " #name, ++k;
  TPU_WAITS(TPU_VCD_WAIT)
#undef TPU_VCD_WAIT
  file_ << " $end\n$timescale 1 ns $end\n$scope module tpu $end\n";
  for (const core::traced_process &p : shape.processes) {
    process_variables one{number(ids), number(ids + 1), number(ids + 2)};
    ids += 3;
    file_ << "$scope module " << scope_name(p.name) << " $end\n";
    declare("state", state_bits, one.state);
    declare("on", on_bits, one.on);
    declare("instruction", instruction_bits, one.instruction);
    file_ << "$upscope $end\n";
    processes_.push_back(one);
  }
  file_ << "$scope module streams $end\n";
  for (const core::traced_stream &s : shape.streams) {
    stream_variable one{number(ids++)};
    declare(scope_name(s.name).c_str(), bits_for(s.depth), one.tokens);
    streams_.push_back(one);
  }
  file_ << "$upscope $end\n$upscope $end\n$enddefinitions $end\n#0\n$dumpvars\n";
  at_ = 0;
  for (const process_variables &p : processes_) {
    bits(0, p.state);
    none(p.on);
    none(p.instruction);
  }
  for (const stream_variable &s : streams_)
    bits(0, s.tokens);
  file_ << "$end\n";
}

void vcd_writer::time(core::cycle at) {
  if (at != at_) {
    file_ << '#' << at << '\n';
    at_ = at;
  }
}

void vcd_writer::bits(std::uint32_t value, const identifier &id) {
  constexpr std::size_t longest = 1 + 32 + 1 + sizeof id.text;
  char *const text = file_.reserve(longest);
  std::size_t length = 0;
  if (value < short_numbers.size()) {
    const short_number &n = short_numbers[value];
    std::memcpy(text, n.text.data(), sizeof n.text);
    length = n.length;
  } else {
    length = binary(value, text);
  }
  std::memcpy(text + length, id.text.data(), sizeof id.text);
  file_.use(length + id.length);
}

inline void vcd_writer::segment(const core::trace_segment &s) {
  process_variables &p = processes_[s.process];
  time(s.from);
  if (p.shown_state != s.state) {
    p.shown_state = s.state;
    bits(static_cast<std::uint32_t>(s.state), p.state);
  }
  if (p.shown_on != s.on) {
    p.shown_on = s.on;
    if (s.on == TPU_WAIT_COUNT)
      none(p.on);
    else
      bits(s.on, p.on);
  }
  const std::uint32_t instruction = s.issue < 0 ? no_instruction : s.insn;
  if (p.shown_instruction != instruction) {
    p.shown_instruction = instruction;
    if (instruction == no_instruction)
      none(p.instruction);
    else
      bits(instruction, p.instruction);
  }
}

void vcd_writer::segments(const core::trace_segment *first, std::size_t count) {
  for (std::size_t k = 0; k < count; ++k)
    segment(first[k]);
}

void vcd_writer::occupancy(core::cycle at, std::size_t stream, std::uint32_t tokens) {
  time(at);
  bits(tokens, streams_[stream].tokens);
}

void vcd_writer::end(core::cycle elapsed) { time(elapsed); }

} // namespace tpu::trace
