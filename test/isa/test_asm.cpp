// SPDX-License-Identifier: Apache-2.0
#include "isa/asm.h"
#include "support.hpp"

#include <cstring>

namespace {

using namespace tpu_test;

struct assembled {
  std::vector<tpu_word> words;
  std::string error;
};

assembled assemble(const std::string &text, uint32_t capacity = 64) {
  assembled a;
  a.words.resize(capacity);
  tpu_program program{a.words.data(), capacity, 0};
  tpu_error e{};
  if (tpu_assemble(text.c_str(), &program, &e) == 0)
    a.error = e.text;
  a.words.resize(program.count);
  return a;
}

std::string line_of(const tpu_insn &insn) {
  std::array<char, 160> line{};
  tpu_text out = tpu_text_on(line.data(), line.size());
  tpu_disassemble(&insn, &out);
  EXPECT_EQ(out.truncated, 0);
  return line.data();
}

std::string text_of(insns program) {
  std::vector<char> text(program.size() * 160 + 1);
  tpu_text out = tpu_text_on(text.data(), text.size());
  const tpu_code code = code_of(program);
  tpu_disassemble_program(&code, &out);
  EXPECT_EQ(out.truncated, 0);
  return text.data();
}

void expect_same(const std::vector<tpu_word> &got, const std::vector<tpu_word> &want,
                 const std::string &text) {
  ASSERT_EQ(got.size(), want.size()) << text;
  for (size_t i = 0; i < want.size(); ++i) {
    EXPECT_EQ(got[i].w0, want[i].w0) << i << " of\n" << text;
    EXPECT_EQ(got[i].w1, want[i].w1) << i << " of\n" << text;
  }
}

TEST(disasm, each_operation) {
  const std::vector<std::pair<tpu_insn, const char *>> cases{
      {nop(), "nop"},
      {loop(4), "loop 4"},
      {endloop(), "endloop"},
      {with(with(dma(2, 0, 0, 0, 16), 2, 0, 1), 3, 0, 64),
       "dma_ld mode=A:vr row=0 col=0+iv0*1 dest=0+iv0*64 rows=16"},
      {dma(1, 7, 3, 2047, 127), "dma_ld mode=B:spad row=7 col=3 dest=2047 rows=127"},
      {dma(5, 0, 0, 0, 1), "dma_ld mode=5 row=0 col=0 dest=0 rows=1"},
      {with(dma(3, 0, 0, 0, 1), 0, 1, 2), "dma_ld mode=3+iv1*2 row=0 col=0 dest=0 rows=1"},
      {vld(1, 2, 3), "vld vr=1 spad=2 rows=3"},
      {with(with(with(mm(64, 0, 1, 4, 8), 0, 1, 64), 3, 0, 64), 3, 1, 4),
       "mm vr=64+iv1*64 ar=0 acc=1 spad=4+iv0*64+iv1*4 rows=8"},
      {vadd(1, 2, 3, 4), "vadd dest=1 src1=2 src2=3 rows=4"},
      {vrelu(1, 2, 0), "vrelu dest=1 src=2 rows=0"},
      {mvout(1, 2, 3, 4), "mvout ar=1 row=2 col=3 rows=4"},
      {insn_of(2, {}, 0), "op 2"}};
  for (const auto &[insn, text] : cases)
    EXPECT_EQ(line_of(insn), text);
}

TEST(disasm, terms_out_of_text_order_name_their_slots) {
  tpu_insn i = vld(0, 0, 1);
  i.term[0] = {2, 1, 5};
  i.term[1] = {1, 0, 7};
  EXPECT_EQ(line_of(i), "vld vr=0+iv0*7@1 spad=0+iv1*5@0 rows=1");
  i.term[0] = {0, 0, 0};
  EXPECT_EQ(line_of(i), "vld vr=0+iv0*7@1 spad=0 rows=1");
  i.term[0] = {1, 3, 0};
  EXPECT_EQ(line_of(i), "vld vr=0+iv3*0+iv0*7 spad=0 rows=1");
}

TEST(disasm, nests_are_indented) {
  EXPECT_EQ(text_of({loop(2), loop(3), vld(0, 0, 1), endloop(), nop(), endloop(), endloop()}),
            "loop 2\n  loop 3\n    vld vr=0 spad=0 rows=1\n  endloop\n  nop\nendloop\nendloop\n");
}

TEST(assembler, blanks_comments_hexadecimal_and_key_order_are_free) {
  const assembled a = assemble("# a program\r\n"
                               "\n"
                               "\tloop 0x7F # trips\r\n"
                               "  vld rows=3 spad=0x10+iv0*0xa vr=5#comment\n"
                               "endloop");
  EXPECT_EQ(a.error, "");
  expect_same(a.words, encoded({loop(127), with(vld(5, 16, 3), 1, 0, 10), endloop()}), "");
}

TEST(assembler, nothing_is_a_program_of_nothing) {
  EXPECT_EQ(assemble("").error, "");
  EXPECT_TRUE(assemble(" \n# only words\n").words.empty());
}

TEST(assembler, terms_take_slots_in_text_order) {
  tpu_insn want = vld(0, 0, 1);
  want.term[0] = {2, 1, 5};
  want.term[1] = {1, 0, 7};
  expect_same(assemble("vld spad=0+iv1*5 vr=0+iv0*7 rows=1").words, encoded({want}), "");
}

tpu_insn random_insn(chooser *c) {
  static const std::array<unsigned, 9> ops{TPU_OP_NOP,   TPU_OP_DMA_LD, TPU_OP_VLD,
                                           TPU_OP_MM,    TPU_OP_VADD,   TPU_OP_VRELU,
                                           TPU_OP_MVOUT, TPU_OP_LOOP,   TPU_OP_ENDLOOP};
  tpu_insn i = insn_of(ops[c->upto(8)], {}, 0);
  const tpu_op_info *info = tpu_op_lookup(i.op);
  for (unsigned k = 0; k < info->fields; ++k)
    i.f[k] = static_cast<uint16_t>(c->one_in(2) ? c->upto(3) : c->upto(TPU_MAX_FIELD));
  if (info->has_nr != 0)
    i.nr = static_cast<uint8_t>(c->upto(TPU_MAX_ROWS));
  for (auto &t : i.term)
    if (info->is_data != 0 && c->one_in(2))
      t = {static_cast<uint8_t>(1 + c->upto(info->fields - 1U)), static_cast<uint8_t>(c->upto(3)),
           static_cast<uint16_t>(c->one_in(3) ? 0 : c->upto(TPU_MAX_FIELD))};
  return i;
}

// Every encodable instruction has a text, and the text gives back its words.
TEST(round_trip, random_instructions) {
  chooser c(1);
  for (int n = 0; n < 20000; ++n) {
    const tpu_insn i = random_insn(&c);
    const std::string text = line_of(i);
    const assembled a = assemble(text);
    ASSERT_EQ(a.error, "") << text;
    expect_same(a.words, encoded({i}), text);
    if (HasFailure())
      return;
  }
}

TEST(round_trip, every_arrangement_of_three_terms) {
  for (unsigned code = 0; code < 125; ++code) {
    tpu_insn i = mm(9, 8, 1, 7, 6);
    unsigned rest = code;
    for (unsigned k = 0; k < TPU_AGU_TERMS; ++k, rest /= 5)
      if (rest % 5 != 0)
        i.term[k] = {static_cast<uint8_t>(rest % 5), static_cast<uint8_t>(k),
                     static_cast<uint16_t>(k)};
    const std::string text = line_of(i);
    const assembled a = assemble(text);
    ASSERT_EQ(a.error, "") << text;
    expect_same(a.words, encoded({i}), text);
  }
}

TEST(round_trip, random_programs_with_nests) {
  chooser c(2);
  for (int n = 0; n < 200; ++n) {
    insns program;
    for (uint32_t k = c.upto(40); k > 0; --k)
      program.push_back(random_insn(&c)); // nests need not be balanced: legality is not its matter
    const std::string text = text_of(program);
    const assembled a = assemble(text);
    ASSERT_EQ(a.error, "") << text;
    expect_same(a.words, encoded(program), text);
  }
}

TEST(assembler, errors_name_line_column_and_what_is_allowed) {
  const std::vector<std::pair<const char *, const char *>> cases{
      {"nop\n  vlod vr=0",
       "line 2, column 3: the operation is 'vlod'; allowed is nop, dma_ld, vld, mm, vadd, vrelu, "
       "mvout, loop, endloop"},
      {"vld, vr=0", "line 1, column 1: the operation is 'vld,'"},
      {"= 3", "line 1, column 1: the operation is '='"},
      {"op 2", "the operation is 'op'"},
      {"vld vr=0 spad=1", "line 1, column 16: vld lacks rows=; allowed is every one of vr, spad, "
                          "rows"},
      {"mm vr=0 ar=0 spad=1 rows=4 # x", "line 1, column 28: mm lacks acc="},
      {"vld vr=0 ar=1 rows=2",
       "line 1, column 10: an operand is 'ar=1'; allowed is vr, spad, rows"},
      {"vld vr", "line 1, column 5: an operand is 'vr'"},
      {"vld vr =0", "line 1, column 5: an operand is 'vr'"},
      {"vld vr=0 vr=1", "line 1, column 10: the key is given twice: 'vr=1'; allowed is each key "
                        "once"},
      {"vld vr=2048 spad=0 rows=1", "line 1, column 8: vr is '2048'; allowed is 0..2047"},
      {"vld vr=99999999999999999999 spad=0 rows=1", "allowed is 0..2047"},
      {"vld vr=4294967296 spad=0 rows=1", "allowed is 0..2047"},
      {"vld vr= spad=0 rows=1", "line 1, column 8: vr is the end of the line; allowed is 0..2047"},
      {"vld vr=-1 spad=0 rows=1", "line 1, column 8: vr is '-1'; allowed is 0..2047"},
      {"vld vr=0x spad=0 rows=1", "vr is '0x'"},
      {"vld vr=1.5 spad=0 rows=1", "line 1, column 9: after the value comes '.5'"},
      {"vld vr=0 spad=0 rows=128", "line 1, column 22: rows is '128'; allowed is 0..127"},
      {"vld vr=0+iv4*1 spad=0 rows=1", "line 1, column 12: the loop level is '4*1'; allowed is "
                                       "0..3"},
      {"vld vr=0+iv0*2048 spad=0 rows=1", "line 1, column 14: the stride is '2048'"},
      {"vld vr=0+iv0 spad=0 rows=1", "line 1, column 10: an address term is 'iv0'; allowed is "
                                     "iv<level>*<stride>, e.g. iv0*64"},
      {"vld vr=0+4 spad=0 rows=1", "line 1, column 10: an address term is '4'"},
      {"vld vr=0+iv0*1+iv0*2 spad=0+iv0*1+iv1*1 rows=1",
       "line 1, column 35: a fourth address term 'iv1*1'; allowed is three over all fields"},
      {"vld vr=0+iv0*1@3 spad=0 rows=1", "line 1, column 16: the slot is '3'; allowed is 0..2"},
      {"vld vr=0+iv0*1@1+iv0*2@1 spad=0 rows=1", "line 1, column 18: the slot is taken already"},
      {"vld vr=0+iv0*1@1+iv0*2 spad=0 rows=1", "line 1, column 18: a slot is named on some terms "
                                               "only"},
      {"dma_ld mode=C:vr row=0 col=0 dest=0 rows=1",
       "line 1, column 13: mode is 'C:vr'; allowed is A:spad, B:spad, A:vr, B:vr or a number"},
      {"dma_ld mode=A:vrs row=0 col=0 dest=0 rows=1",
       "line 1, column 17: after the value comes 's'"},
      {"loop", "line 1, column 5: the trip count is the end of the line; allowed is 0..127"},
      {"loop 128", "line 1, column 6: the trip count is '128'"},
      {"loop 3 4", "line 1, column 8: the instruction is complete, after it stands '4'; allowed is "
                   "a comment or nothing"},
      {"loop 3x", "line 1, column 7: after the value comes 'x'"},
      {"endloop 3", "line 1, column 9: the instruction is complete"},
      {"nop rows=1", "line 1, column 5: the instruction is complete"},
      {"\x01\x7f\xff", "line 1, column 1: the operation is '\?\?\?'"},
      {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "'aaaaaaaaaaaaaaaaaaaaaaaa...'"}};
  for (const auto &[text, error] : cases) {
    const assembled a = assemble(text);
    EXPECT_NE(a.error.find(error), std::string::npos) << text << "\n" << a.error;
    EXPECT_EQ(a.error.find('\n'), std::string::npos);
  }
}

TEST(assembler, a_full_program_is_an_error_with_its_place) {
  EXPECT_EQ(assemble("nop\nnop", 2).error, "");
  EXPECT_EQ(assemble("nop\nnop\n  nop", 2).error,
            "line 3, column 3: one instruction more than allowed, which is 2");
}

// Any bytes get an answer, and an accepted text gives words that decode.
TEST(assembler, survives_mangled_text) {
  chooser c(3);
  for (int n = 0; n < 20000; ++n) {
    std::string text = text_of({loop(3), random_insn(&c), random_insn(&c), endloop()});
    for (uint32_t k = 1 + c.upto(3); k > 0; --k)
      text[c.upto(static_cast<uint32_t>(text.size()) - 1)] =
          c.one_in(2) ? "0x=+*@#iv \n"[c.upto(10)] : static_cast<char>(1 + c.upto(254));
    const assembled a = assemble(text);
    for (const tpu_word &w : a.words) {
      tpu_insn insn{};
      ASSERT_TRUE(tpu_decode(&w, &insn, nullptr, nullptr)) << text;
    }
    EXPECT_EQ(a.error.find('\n'), std::string::npos) << text;
  }
}

} // namespace
