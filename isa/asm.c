/* SPDX-License-Identifier: Apache-2.0 */
#include "isa/asm.h"
#include "isa/asm_syntax.h"

/* A place in the text: where the next character is read. */
struct cursor {
  const char *at;
  const char *line_start;
  uint32_t line;
  struct tpu_error *e;
};

/* A stretch of the text. */
struct token {
  const char *at;
  uint32_t length;
};

enum { SHOWN = 24 }; /* characters of the text a message repeats */

/* What of the text a message shows: printable, short, "end of line" for nothing. */
static const char *shown(const struct token *t, char buffer[SHOWN + 8]) {
  struct tpu_text text = tpu_text_on(buffer, SHOWN + 8);
  if (t->length == 0)
    return "the end of the line";
  tpu_text_str(&text, "'");
  for (uint32_t i = 0; i < t->length && i < SHOWN; ++i) {
    char c = t->at[i];
    tpu_text_format(&text, "%c", c >= ' ' && c <= '~' ? (int)c : '?');
  }
  tpu_text_str(&text, t->length > SHOWN ? "...'" : "'");
  return buffer;
}

/* One line about a place: what is there, what is allowed. */
static int fail_at(const struct cursor *c, const struct token *t, const char *problem,
                   const char *allowed) {
  char buffer[SHOWN + 8];
  return tpu_fail(c->e, TPU_ERR_SYNTAX, "line %u, column %u: %s %s; allowed is %s", c->line,
                  (uint32_t)(t->at - c->line_start) + 1U, problem, shown(t, buffer), allowed);
}

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }
static int ends_line(char c) { return c == '\0' || c == '\n' || c == '#'; }

static void skip_blanks(struct cursor *c) {
  while (is_blank(*c->at))
    ++c->at;
}

/* Up to the next blank or end of line: what a message shows. */
static struct token rest_of_word(const char *at) {
  struct token t = {at, 0};
  while (!ends_line(at[t.length]) && !is_blank(at[t.length]))
    ++t.length;
  return t;
}

static int is_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

static struct token read_name(struct cursor *c) {
  struct token t = {c->at, 0};
  while (is_name(*c->at))
    ++c->at;
  t.length = (uint32_t)(c->at - t.at);
  return t;
}

static int equals(const struct token *t, const char *s) {
  uint32_t i = 0;
  while (i < t->length && s[i] != '\0' && s[i] == t->at[i])
    ++i;
  return i == t->length && s[i] == '\0';
}

/* Takes the string when it is next. */
static int take(struct cursor *c, const char *s) {
  uint32_t n = 0;
  while (s[n] != '\0' && c->at[n] == s[n])
    ++n;
  if (s[n] != '\0')
    return 0;
  c->at += n;
  return 1;
}

static uint32_t digit_value(char c, uint32_t base) {
  uint32_t v = 99;
  if (c >= '0' && c <= '9')
    v = (uint32_t)(c - '0');
  else if (c >= 'a' && c <= 'f')
    v = (uint32_t)(c - 'a') + 10U;
  else if (c >= 'A' && c <= 'F')
    v = (uint32_t)(c - 'A') + 10U;
  return v < base ? v : 99;
}

/* A number in 0..max. what names it, e.g. "row". */
static int read_number(struct cursor *c, const char *what, uint32_t max, uint32_t *out) {
  const char *start = c->at;
  uint32_t base = take(c, "0x") || take(c, "0X") ? 16 : 10;
  const char *digits = c->at;
  uint32_t v = 0;
  while (digit_value(*c->at, base) < base) {
    v = v * base + digit_value(*c->at++, base);
    if (v > 0xffffff) /* too large whatever follows; keeps the sum from wrapping */
      v = 0xffffff;
  }
  if (c->at != digits && v <= max) {
    *out = v;
    return 1;
  }
  struct token t = rest_of_word(start);
  char allowed[64];
  struct tpu_text text = tpu_text_on(allowed, sizeof allowed);
  tpu_text_format(&text, "0..%u", max);
  char problem[64];
  text = tpu_text_on(problem, sizeof problem);
  tpu_text_format(&text, "%s is", what);
  return fail_at(c, &t, problem, allowed);
}

/* "+iv<level>*<stride>[@<slot>]" after its plus. explicit_slots: -1 until the first term decides.
 */
static int read_term(struct cursor *c, unsigned field, struct tpu_insn *insn, int *explicit_slots) {
  const char *start = c->at;
  uint32_t level = 0;
  uint32_t stride = 0;
  uint32_t slot = 0;
  struct token t = rest_of_word(start);
  if (!take(c, "iv"))
    return fail_at(c, &t, "an address term is", "iv<level>*<stride>, e.g. iv0*64");
  if (!read_number(c, "the loop level", TPU_LOOP_DEPTH - 1, &level))
    return 0;
  if (!take(c, "*"))
    return fail_at(c, &t, "an address term is", "iv<level>*<stride>, e.g. iv0*64");
  if (!read_number(c, "the stride", TPU_MAX_FIELD, &stride))
    return 0;
  int named = take(c, "@");
  if (*explicit_slots >= 0 && *explicit_slots != named)
    return fail_at(c, &t, "a slot is named on some terms only:", "@ on all terms or on none");
  *explicit_slots = named;
  if (named) {
    if (!read_number(c, "the slot", TPU_AGU_TERMS - 1, &slot))
      return 0;
    if (insn->term[slot].target != 0)
      return fail_at(c, &t, "the slot is taken already:", "each of @0..@2 once");
  } else {
    while (slot < TPU_AGU_TERMS && insn->term[slot].target != 0)
      ++slot;
    if (slot == TPU_AGU_TERMS)
      return fail_at(c, &t, "a fourth address term", "three over all fields");
  }
  insn->term[slot] = (struct tpu_term){(uint8_t)(field + 1), (uint8_t)level, (uint16_t)stride};
  return 1;
}

static int read_mode(struct cursor *c, uint16_t *out) {
  for (uint32_t mode = 0; mode < TPU_DMA_MODES; ++mode)
    if (take(c, tpu_dma_mode_name[mode])) {
      *out = (uint16_t)mode;
      return 1;
    }
  struct token t = rest_of_word(c->at);
  return fail_at(c, &t, "mode is", "A:spad, B:spad, A:vr, B:vr or a number");
}

/* Base and terms of an operand field. */
static int read_operand(struct cursor *c, unsigned field, struct tpu_insn *insn,
                        int *explicit_slots) {
  const char *name = tpu_op_lookup(insn->op)->field_name[field];
  uint32_t base = 0;
  if (insn->op == TPU_OP_DMA_LD && field == 0 && digit_value(*c->at, 10) > 9) {
    if (!read_mode(c, &insn->f[0]))
      return 0;
  } else {
    if (!read_number(c, name, TPU_MAX_FIELD, &base))
      return 0;
    insn->f[field] = (uint16_t)base;
  }
  while (take(c, "+"))
    if (!read_term(c, field, insn, explicit_slots))
      return 0;
  return 1;
}

/* The keys of an operation, for messages: "mode, row, col, dest, rows". */
static const char *keys_of(const struct tpu_op_info *info, char *buffer, size_t size) {
  struct tpu_text text = tpu_text_on(buffer, size);
  for (unsigned k = 0; k < info->fields; ++k)
    tpu_text_format(&text, "%s, ", info->field_name[k]);
  tpu_text_str(&text, TPU_ASM_ROWS);
  return buffer;
}

static int end_of_value(const struct cursor *c) {
  if (is_blank(*c->at) || ends_line(*c->at))
    return 1;
  struct token t = rest_of_word(c->at);
  return fail_at(c, &t, "after the value comes", "a blank, + and a term, or the end of the line");
}

/* key=value pairs, each key once, all of them. */
static int read_pairs(struct cursor *c, struct tpu_insn *insn) {
  const struct tpu_op_info *info = tpu_op_lookup(insn->op);
  char keys[64];
  uint32_t seen = 0;
  int explicit_slots = -1;
  uint32_t rows = 0;
  for (skip_blanks(c); !ends_line(*c->at); skip_blanks(c)) {
    const char *start = c->at;
    struct token word = rest_of_word(start);
    struct token key = read_name(c);
    unsigned k = 0;
    while (k < info->fields && !equals(&key, info->field_name[k]))
      ++k;
    if ((k == info->fields && !equals(&key, TPU_ASM_ROWS)) || !take(c, "="))
      return fail_at(c, &word, "an operand is", keys_of(info, keys, sizeof keys));
    if ((seen & (1U << k)) != 0)
      return fail_at(c, &word, "the key is given twice:", "each key once");
    seen |= 1U << k;
    if (k < info->fields ? !read_operand(c, k, insn, &explicit_slots)
                         : !read_number(c, TPU_ASM_ROWS, TPU_MAX_ROWS, &rows))
      return 0;
    if (!end_of_value(c))
      return 0;
  }
  insn->nr = (uint8_t)rows;
  for (unsigned k = 0; k <= info->fields; ++k)
    if ((seen & (1U << k)) == 0)
      return tpu_fail(c->e, TPU_ERR_SYNTAX, "line %u, column %u: %s lacks %s=; allowed is %s %s",
                      c->line, (uint32_t)(c->at - c->line_start) + 1U, info->name,
                      k < info->fields ? info->field_name[k] : TPU_ASM_ROWS, "every one of",
                      keys_of(info, keys, sizeof keys));
  return 1;
}

static int read_op(struct cursor *c, struct tpu_insn *insn) {
  struct token word = rest_of_word(c->at);
  struct token name = read_name(c);
  for (unsigned op = 0; op < TPU_OP_COUNT; ++op) {
    const struct tpu_op_info *info = tpu_op_lookup(op);
    if (info->name != NULL && equals(&name, info->name) && word.length == name.length) {
      insn->op = (uint8_t)op;
      return 1;
    }
  }
  char names[96];
  struct tpu_text text = tpu_text_on(names, sizeof names);
  for (unsigned op = 0; op < TPU_OP_COUNT; ++op)
    if (tpu_op_lookup(op)->name != NULL)
      tpu_text_format(&text, "%s%s", text.length != 0 ? ", " : "", tpu_op_lookup(op)->name);
  return fail_at(c, &word, "the operation is", names);
}

/* An operation and what belongs to it, up to the end of the line. */
static int read_insn(struct cursor *c, struct tpu_insn *insn) {
  if (!read_op(c, insn))
    return 0;
  const struct tpu_op_info *info = tpu_op_lookup(insn->op);
  if (info->is_data != 0)
    return read_pairs(c, insn);
  skip_blanks(c);
  if (info->has_nr != 0) {
    uint32_t trip = 0;
    if (!read_number(c, "the trip count", TPU_MAX_ROWS, &trip) || !end_of_value(c))
      return 0;
    insn->nr = (uint8_t)trip;
    skip_blanks(c);
  }
  struct token left = rest_of_word(c->at);
  return left.length == 0 ||
         fail_at(c, &left, "the instruction is complete, after it stands", "a comment or nothing");
}

int tpu_assemble(const char *text, struct tpu_program *out, struct tpu_error *e) {
  struct cursor c = {text, text, 1, e};
  out->count = 0;
  for (;;) {
    skip_blanks(&c);
    if (!ends_line(*c.at)) {
      const char *start = c.at;
      struct tpu_insn insn = {0};
      if (!read_insn(&c, &insn))
        return 0;
      uint32_t column = (uint32_t)(start - c.line_start) + 1U;
      if (out->count == out->capacity)
        return tpu_fail(e, TPU_ERR_CAPACITY,
                        "line %u, column %u: one instruction more than allowed, which is %u",
                        c.line, column, out->capacity);
      struct tpu_error encode = {.code = TPU_OK};
      if (!tpu_encode(&insn, &out->words[out->count], &encode))
        return tpu_fail(e, encode.code, "line %u, column %u: %s", c.line, column, encode.text);
      ++out->count;
    }
    while (*c.at != '\0' && *c.at != '\n')
      ++c.at;
    if (*c.at == '\0')
      return 1;
    c.line_start = ++c.at;
    ++c.line;
  }
}
