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

// A value as a change of a vector has it, "b101 "; returns its length.
constexpr std::size_t binary(std::uint32_t value, char *text) {
  std::size_t length = 0;
  text[length++] = 'b';
  for (int k = 31 - __builtin_clz(value | 1); k >= 0; --k)
    text[length++] = static_cast<char>('0' + (value >> k & 1));
  text[length++] = ' ';
  return length;
}

// What most changes are to: a short number, or that there is none.
struct change_text {
  std::array<char, 15> text;
  std::uint8_t length;
};
constexpr change_text unknown = {{'b', 'x', ' '}, 3};
constexpr auto short_numbers = [] {
  std::array<change_text, 256> all{};
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
  const std::size_t most = sizeof unknown + sizeof(identifier);
  for (const process_variables &p : processes_) {
    bits(0, p.state);
    file_.use(put(file_.reserve(most), unknown, p.on));
    file_.use(put(file_.reserve(most), unknown, p.instruction));
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

// Returns the length; writes as much as both hold, which is quicker than so much.
template <class Text>
inline std::size_t vcd_writer::put(char *at, const Text &value, const identifier &id) {
  std::memcpy(at, value.text.data(), sizeof value.text);
  std::memcpy(at + value.length, id.text.data(), sizeof id.text);
  return std::size_t{value.length} + id.length;
}

void vcd_writer::bits(std::uint32_t value, const identifier &id) {
  constexpr std::size_t longest = 1 + 32 + 1 + sizeof(identifier);
  char *const text = file_.reserve(longest);
  if (value < short_numbers.size()) {
    file_.use(put(text, short_numbers[value], id));
    return;
  }
  const std::size_t length = binary(value, text);
  std::memcpy(text + length, id.text.data(), sizeof id.text);
  file_.use(length + id.length);
}

// What changes and what does not is hard to predict, so all is written and the length decides.
inline void vcd_writer::segment(const core::trace_segment &s) {
  process_variables &p = processes_[s.process];
  time(s.from);
  char *const text = file_.reserve(3 * (sizeof(change_text) + sizeof(identifier)));
  std::size_t length = 0;
  const auto show = [&](bool changed, const change_text &value, const identifier &id) {
    const std::size_t written = put(text + length, value, id);
    length += changed ? written : 0;
  };
  show(p.shown_state != s.state, short_numbers[static_cast<std::size_t>(s.state)], p.state);
  show(p.shown_on != s.on, s.on == TPU_WAIT_COUNT ? unknown : short_numbers[s.on], p.on);
  p.shown_state = s.state;
  p.shown_on = s.on;
  const std::uint32_t instruction = s.issue < 0 ? no_instruction : s.insn;
  const bool changed = p.shown_instruction != instruction;
  p.shown_instruction = instruction;
  if (instruction < short_numbers.size() || instruction == no_instruction) {
    show(changed, instruction == no_instruction ? unknown : short_numbers[instruction],
         p.instruction);
    file_.use(length);
    return;
  }
  file_.use(length);
  if (changed)
    bits(instruction, p.instruction);
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
