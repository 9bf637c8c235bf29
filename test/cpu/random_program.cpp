/* SPDX-License-Identifier: Apache-2.0 */
#include "test/cpu/random_program.h"

#include "platform/hw/memory_map.h"
#include "test/cpu/encode.h"

#include <initializer_list>
#include <random>
#include <utility>

using namespace rv;

namespace {

// Register use: x1..x28 belong to the random code, x29 points at the data, x30 and x31 to the
// handler and the links. Data: 2 KB of random words from x29 on; below it what the harness keeps.
constexpr word free_registers = 28;
constexpr word x_data = 29, x_link = 30, x_temp = 31;
constexpr std::int32_t saved = -2048; // x1..x28, then the two checksums
constexpr std::int32_t trap_sum = -4; // checksum over all traps
constexpr word data_bytes = 2048;
constexpr word printed_words = free_registers + 2;
constexpr word nowhere = 0x18000000; // nothing on either machine

constexpr word edge_values[] = {0,          1,          0xffffffff, 0x80000000, 0x7fffffff,
                                0x00008000, 0xffff8000, 0x000000ff, 0xffffff80, 0x55555555};

class generator {
public:
  explicit generator(std::uint32_t seed) : rng_(seed) {}

  random_program make(unsigned sequences, unsigned units);

private:
  word below(word n) { return static_cast<word>(rng_() % n); }
  word value() {
    const word kind = below(3);
    return kind == 0   ? edge_values[below(10)]
           : kind == 1 ? below(64) - 32
                       : static_cast<word>(rng_());
  }
  word source() { return below(free_registers + 1); }
  word target() { return below(free_registers + 1); }
  word temporary() { return 1 + below(free_registers); }
  template <typename T> T one_of(std::initializer_list<T> list) {
    return list.begin()[below(static_cast<word>(list.size()))];
  }

  void emit(std::initializer_list<word> words) {
    out_.code.insert(out_.code.end(), words.begin(), words.end());
  }
  std::size_t here() const { return out_.code.size(); }
  static std::int32_t distance(std::size_t from, std::size_t to) {
    return 4 * (static_cast<std::int32_t>(to) - static_cast<std::int32_t>(from));
  }

  void emit_start();
  void emit_handler();
  void emit_dump();
  void emit_registers();
  void emit_unit();
  void emit_memory_unit();
  void emit_csr_unit();
  void emit_trap_unit();
  void emit_patch_unit();
  void emit_forward(word kind);
  void resolve(const std::vector<std::size_t> &starts);

  std::mt19937 rng_;
  random_program out_;
  std::size_t handler_ = 0, dump_ = 0;

  // Jumps to the start of a later group, filled in when all starts are known.
  struct forward {
    std::size_t at;   // the jump's place
    std::size_t unit; // number of the group it belongs to
    word kind;
  };
  std::vector<forward> forwards_;
  std::size_t unit_ = 0;
};

enum : word { jump_branch, jump_jal, jump_jalr };

void generator::emit_start() {
  emit({auipc(x_temp, 0), nop(), csr(csrrw, 0, mtvec, x_temp),
        li_high(x_data, random_program::data_base + 4096),
        li_low(x_data, random_program::data_base + 4096), nop()});
}

// traps = (traps * 31 + cause) * 31 + value, likewise the place; the instruction is skipped.
void generator::emit_handler() {
  while (here() % 4 != 0)
    emit({nop()});
  handler_ = here();
  emit({load(lw, x_temp, x_data, trap_sum)});
  for (const word number : {mcause, mtval, mepc})
    emit({addi(x_link, 0, 31), op(mul, x_temp, x_temp, x_link), csr(csrrs, x_link, number, 0),
          op(add, x_temp, x_temp, x_link)});
  emit({store(sw, x_temp, x_data, trap_sum), addi(x_link, x_link, 4), csr(csrrw, 0, mepc, x_link),
        mret});
}

void generator::emit_dump() {
  dump_ = here();
  for (word r = 1; r <= free_registers; r++)
    emit({store(sw, r, x_data, saved + 4 * static_cast<std::int32_t>(r - 1))});
  const std::int32_t sums = saved + 4 * static_cast<std::int32_t>(free_registers);
  emit({addi(5, x_data, 0), addi(6, x_data, 2047), addi(6, 6, 1), addi(7, 0, 0), addi(9, 0, 31)});
  emit({op(mul, 7, 7, 9), load(lw, 8, 5, 0), op(add, 7, 7, 8), addi(5, 5, 4),
        branch(bltu, 5, 6, -16)});
  emit({store(sw, 7, x_data, sums), load(lw, 8, x_data, trap_sum), store(sw, 8, x_data, sums + 4)});
  emit({addi(5, x_data, saved), addi(6, 5, 4 * static_cast<std::int32_t>(printed_words)),
        lui(12, TPU_CONSOLE_BASE)});
  const std::size_t each_word = here();
  emit({load(lw, 7, 5, 0), addi(8, 0, 28)});
  emit({op(srl, 9, 7, 8), op_imm(and_, 9, 9, 15), addi(10, 9, '0'), op_imm(slt, 11, 9, 10),
        branch(bne, 11, 0, 8), addi(10, 10, 'a' - '0' - 10), store(sb, 10, 12, 0), addi(8, 8, -4),
        branch(bge, 8, 0, -32)});
  emit({addi(10, 0, ' '), store(sb, 10, 12, 0), addi(5, 5, 4)});
  emit({branch(bltu, 5, 6, distance(here(), each_word))});
  emit({addi(10, 0, '\n'), store(sb, 10, 12, 0), jalr(0, x_link, 0)});
}

void generator::emit_registers() {
  for (word r = 1; r <= free_registers; r++) {
    const word v = value();
    emit({li_high(r, v), li_low(r, v)});
  }
}

void generator::emit_forward(word kind) {
  forwards_.push_back({here(), unit_, kind});
  const word a = source(), b = below(4) == 0 ? a : source();
  switch (kind) {
  case jump_branch:
    emit({branch(one_of<word>({beq, bne, blt, bge, bltu, bgeu}), a, b, 0)});
    break;
  case jump_jal:
    emit({jal(target(), 0)});
    break;
  default:
    emit({auipc(temporary(), 0), jalr(target(), 0, 0)});
    break;
  }
}

void generator::emit_memory_unit() {
  const word size = below(3); // log2
  const std::int32_t mask = -(1 << size);
  const word t = temporary();
  const word access = below(2) == 0
                          ? store(size, source(), x_data, 0)
                          : load(size == 2 ? word{lw} : size | below(2) << 2, target(), x_data, 0);
  const bool is_store = (access & 0x7f) == 0x23;
  const auto with = [&](word base, std::int32_t imm) {
    const word plain = access & ~(31u << 15);
    return plain | base << 15 | (is_store ? s_type(imm, 0, 0, 0, 0) : i_type(imm, 0, 0, 0, 0));
  };
  if (below(2) == 0) {
    emit({with(x_data, static_cast<std::int32_t>(below(data_bytes)) & mask)});
    return;
  }
  // An address computed from a register: 1 KB of room on either side for the offset.
  const std::int32_t offset = (static_cast<std::int32_t>(below(2048)) - 1024) & mask;
  emit({op_imm(and_, t, source(), 0x3fc), addi(t, t, offset < 0 ? -offset : 0),
        op(add, t, t, x_data), with(t, offset)});
}

void generator::emit_csr_unit() {
  const word kind = one_of<word>({csrrw, csrrs, csrrc, csrrwi, csrrsi, csrrci});
  const word operand = kind >= csrrwi ? below(32) : source();
  const word number = one_of<word>({mscratch, mscratch, mtval, mcause, mepc});
  if (number != mepc) {
    emit({csr(kind, target(), number, operand)});
    return;
  }
  const word t = temporary(); // implementations differ in what they do with its lowest bits
  emit(
      {op_imm(and_, t, source(), -4), csr(one_of<word>({csrrw, csrrs, csrrc}), target(), mepc, t)});
}

void generator::emit_trap_unit() {
  const word d = target(), s = source(), t = temporary();
  switch (below(6)) {
  case 0:
    emit({ecall});
    break;
  case 1: // encodings that no ratified extension uses on a 32-bit machine
    emit({one_of<word>({branch(2, s, d, 8), load(7, d, s, 0), r_type(2, s, s, 0, d, 0x33),
                        i_type(5, s, 1, d, 0x67), s_type(4, d, s, 7, 0x23), 0xffffffffu,
                        csr(csrrw, d, 0x7ff, s), csr(csrrs, d, 0xfff, s), 0x30200073u | 1u << 7})});
    break;
  case 2: // read, or refused; QEMU 7.2 lets csrrs write no bits to a read-only register
    emit({below(2) == 0 ? csr(csrrs, d, mhartid, 0) : csr(csrrw, d, mhartid, s)});
    break;
  case 3:
    emit({lui(t, nowhere), load(one_of<word>({lb, lbu, lh, lhu, lw}), d, t,
                                static_cast<std::int32_t>(below(512)) * 4)});
    break;
  case 4:
    emit({lui(t, nowhere), store(below(3), s, t, static_cast<std::int32_t>(below(512)) * 4)});
    break;
  default: // a misaligned target; of jal and branches, QEMU 7.2 reports a stale mtval
    emit({auipc(t, 0), jalr(d, t, static_cast<std::int32_t>(6 + below(2)))});
    break;
  }
}

// The program replaces an instruction ahead of it and says so.
void generator::emit_patch_unit() {
  const word t = temporary();
  const word u = t == free_registers ? 1 : t + 1;
  const word fresh = op(one_of<word>({add, sub, xor_, mul, sltu}), target(), source(), source());
  emit({li_high(t, fresh), li_low(t, fresh), auipc(u, 0), store(sw, t, u, 12), fence_i,
        addi(target(), source(), 1)});
}

void generator::emit_unit() {
  const word kind = below(100);
  if (kind < 30)
    emit({op(one_of<word>({add, sub, sll, slt, sltu, xor_, srl, sra, or_, and_}), target(),
             source(), source())});
  else if (kind < 48)
    emit({op(one_of<word>({mul, mulh, mulhsu, mulhu, div_, divu, rem, remu}), target(), source(),
             source())});
  else if (kind < 60)
    emit({op_imm(one_of<word>({add, slt, sltu, xor_, or_, and_}), target(), source(),
                 static_cast<std::int32_t>(below(4096)) - 2048)});
  else if (kind < 65)
    emit({shift_imm(one_of<word>({sll, srl, sra}), target(), source(), below(32))});
  else if (kind < 68)
    emit({below(2) == 0 ? lui(target(), value()) : auipc(target(), value())});
  else if (kind < 80)
    emit_memory_unit();
  else if (kind < 86)
    emit_forward(jump_branch);
  else if (kind < 88)
    emit_forward(jump_jal);
  else if (kind < 90)
    emit_forward(jump_jalr);
  else if (kind < 94)
    emit_csr_unit();
  else if (kind < 98)
    emit_trap_unit();
  else if (kind < 99)
    emit({below(2) == 0 ? fence : fence_i});
  else
    emit_patch_unit();
}

void generator::resolve(const std::vector<std::size_t> &starts) {
  for (const forward &f : forwards_) {
    const std::size_t last = starts.size() - 1;
    const std::size_t ahead = f.unit + 1 + below(6);
    const std::int32_t offset = distance(f.at, starts[ahead < last ? ahead : last]);
    word &insn = out_.code[f.at];
    if (f.kind == jump_branch)
      insn |= b_type(offset, 0, 0, 0) & ~0x7fu;
    else if (f.kind == jump_jal)
      insn |= jal(0, offset) & ~0x7fu;
    else
      out_.code[f.at + 1] |= i_type(offset, insn >> 7 & 31, 0, 0, 0);
  }
  forwards_.clear();
}

random_program generator::make(unsigned sequences, unsigned units) {
  emit_start();
  const std::size_t over = here();
  emit({nop()}); // becomes the jump over handler and dump
  emit_handler();
  out_.code[1] = addi(x_temp, x_temp, distance(0, handler_));
  emit_dump();
  out_.code[over] = jal(0, distance(over, here()));
  for (unsigned s = 0; s < sequences; s++) {
    emit_registers();
    std::vector<std::size_t> starts;
    const std::size_t before = here();
    for (unit_ = 0; unit_ < units; unit_++) {
      starts.push_back(here());
      emit_unit();
    }
    starts.push_back(here());
    out_.instructions += here() - before;
    resolve(starts);
    emit({jal(x_link, distance(here(), dump_))});
  }
  emit({lui(1, TPU_FINISHER_BASE), li_high(2, TPU_FINISHER_PASS), li_low(2, TPU_FINISHER_PASS),
        store(sw, 2, 1, 0), jal(0, 0)});
  out_.data.resize((4096 + data_bytes) / 4);
  for (std::size_t i = 4096 / 4; i < out_.data.size(); i++)
    out_.data[i] = value();
  return std::move(out_);
}

} // namespace

random_program make_random_program(std::uint32_t seed, unsigned sequences, unsigned units) {
  return generator(seed).make(sequences, units);
}
