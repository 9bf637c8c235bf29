/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/violation.h"

#include "isa/asm.h"

#include <inttypes.h>
#include <stdio.h>

const char *tpu_violation_happened(const struct tpu_violation *v, char *out, size_t capacity) {
  char ivs[64] = "";
  struct tpu_text t = tpu_text_on(ivs, sizeof ivs);
  for (uint8_t i = 0; i < v->depth; ++i) {
    tpu_text_format(&t, "%s%u", i ? ", " : " with loop values ", v->iv[i]);
  }
  char where[96] = "";
  if (v->index >= 0) {
    const char *op = tpu_op_lookup(v->op)->name;
    (void)snprintf(where, sizeof where, "instruction %d (%s)%s: ", (int)v->index,
                   op != NULL ? op : "?", ivs);
  }
  (void)snprintf(out, capacity, "%s%s", where, v->detail);
  return out;
}

const char *tpu_violation_text(const struct tpu_violation *v, char *out, size_t capacity) {
  char happened[sizeof v->detail + 160];
  (void)snprintf(out, capacity, "[%s / %s] %s", tpu_layer_name(tpu_rule_layer(v->rule)),
                 tpu_rule_name(v->rule), tpu_violation_happened(v, happened, sizeof happened));
  return out;
}

/* One entry a rule; what is allowed at this configuration stands in what happened. */
static const struct {
  const char *contract, *remedy;
} texts[TPU_RULE_COUNT] = {
    [TPU_RULE_AR_RAW_DISTANCE] =
        {"accu is a pipeline: an ar row can be read from the fourth accu step after the one that "
         "wrote it; mm, vrelu and mvout take one step a row, vadd two and writes in the second",
         "put at least four accu steps between write and read: give the mm 4 rows or more (pad the "
         "activations and retire fewer rows with mvout), or move other mm, vadd, vrelu or mvout "
         "rows in between; a nop or a loop is no accu step"},
    [TPU_RULE_WRITE_BEFORE_READ] =
        {"spad, vr and ar are never cleared: a row that this program has not written holds garbage",
         "write the rows first: spad and vr with dma_ld (or vld from written spad rows), ar with "
         "an "
         "mm that overwrites (acc=0) before one that accumulates. Rows meant as a pad of zeros "
         "must "
         "come from DRAM: no instruction clears a row, so the zeros have to be part of the "
         "operands"},
    [TPU_RULE_OUT_OF_RANGE] =
        {"every row an instruction touches, first row to first row + rows - 1, lies inside its "
         "on-chip memory: spad SPAD_ROWS, vr NVR, ar NAR rows; an mm reads T rows of spad",
         "lower the first row, the rows or the stride of the address term, or reuse rows that are "
         "no longer needed; on a machine of your own, configure a larger memory"},
    [TPU_RULE_DRAM_OPERAND] =
        {"dma_ld reads rows 0..MAXDIM-1 and column blocks 0..MAXDIM/T-1 of the images A and B",
         "keep row + rows <= MAXDIM and the column block < MAXDIM/T in every pass of the loops: "
         "check trip counts and strides; col counts blocks of T columns, not columns"},
    [TPU_RULE_DRAM_RESULT] =
        {"mvout writes rows 0..MAXDIM-1 and column blocks 0..MAXDIM/T-1 of the image C",
         "keep row + rows <= MAXDIM and the column block < MAXDIM/T in every pass of the loops: "
         "check trip counts and strides; col counts blocks of T columns, not columns"},
    [TPU_RULE_FIELD_RANGE] =
        {"the top bit of every field is spare: operands and strides are 0..2047, rows and trip "
         "counts 0..127, also after address terms are added; whatever an instruction does not use "
         "is 0",
         "keep the operand, with its terms at the loops' last values, at 2047 or less; in words "
         "made by hand, clear the bit or field that is named, or let tpuvp asm make the words"},
    [TPU_RULE_ZERO_ROWS] =
        {"a data instruction moves at least one row: units count rows, and none would never end",
         "set rows to 1..127, or remove the instruction"},
    [TPU_RULE_LOOP_DEPTH] =
        {"the loop stack has four frames: loops nest four deep at most",
         "merge two loops of the nest whose addresses go on evenly, or unroll one"},
    [TPU_RULE_LOOP_TRIP] =
        {"the test comes after the body, so that a trip count of 0 would run once",
         "set the trip count to 1..127, or remove the loop and its body"},
    [TPU_RULE_LOOP_UNBALANCED] =
        {"every endloop closes the loop opened last",
         "remove the endloop, or put the loop that it is to close before it"},
    [TPU_RULE_LOOP_UNCLOSED] = {"every loop is closed by an endloop before the program ends",
                                "add the endloop after the last instruction of the body"},
    [TPU_RULE_LOOP_STALE_IV] =
        {"an address term names the level of a loop that is open around the instruction, 0 for the "
         "outermost; outside, the register holds what the last loop left",
         "move the instruction into the loop, name the level of a loop that is open there, or "
         "remove the term"},
    [TPU_RULE_OP_UNKNOWN] =
        {"codes are 0 nop, 1 dma_ld, 3 vld, 4 mm, 5 vadd, 6 vrelu, 7 mvout, 8 loop, 9 endloop; 2 "
         "is retired",
         "use one of these codes; what code 2 did dma_ld does, with its mode"},
    [TPU_RULE_MM_ACC_FIELD] =
        {"acc of an mm is 0, overwrite, or 1, accumulate, also after address terms are added",
         "set acc to 0 for the first tile of a reduction and to 1 for the others, in two "
         "instructions: take an address term off this field"},
    [TPU_RULE_DMA_LD_FIELD] =
        {"mode of a dma_ld is 0 A to spad, 1 B to spad, 2 A to vr, 3 B to vr, also after address "
         "terms are added",
         "set mode to 0..3, and use an instruction for each of several modes: take an address term "
         "off this field"},
    [TPU_RULE_PROG_EMPTY] = {"the header states at least one instruction",
                             "give at least one instruction; a nop does"},
    [TPU_RULE_IMEM_OVERFLOW] =
        {"8 header words and two words an instruction fit the instruction memory, IMEM_SIZE words",
         "fold repeated instructions into loops with address terms; on a machine of your own, "
         "configure a larger IMEM_SIZE"},
    [TPU_RULE_COUNT_OVERFLOW] =
        {"each count of the header has 16 bits with the top one spare: a unit is promised at most "
         "32767 steps of work in one program",
         "do less in one program: check trip counts first, then split the work over several "
         "programs, by rows or by output tiles"},
    [TPU_RULE_ARRAY_OVERFLOW] =
        {"the array is told mm instructions and mm rows in 16 bits each with the top one spare: at "
         "most 32767",
         "use fewer, or fewer rows of, mm: check trip counts first, then split the work over "
         "several programs, by rows or by output tiles"},
    [TPU_RULE_DMA_SPAN] =
        {"dma_ld bursts rows 0 to the highest row named of A and of B before its first row: the "
         "spans that the header states are 0..MAXDIM",
         "let the header be computed from the program: word 7 is the highest A row + 1, and the "
         "highest B row + 1 shifted by 16, that any dma_ld names"},
    [TPU_RULE_KPN_PROTOCOL] =
        {"each unit does exactly the work that the header promises it, and each stream carries as "
         "many tokens as its reader takes: a unit promised more waits forever, one promised less "
         "leaves tokens behind",
         "let the header be computed from the program: leave it out, and the assembler counts what "
         "the program dispatches. Without a header of your own this is a fault of the assembler or "
         "of the machine's model: report it with the program"},
    [TPU_RULE_WRITE_WINDOW] =
        {"mvout writes T columns a row, and every byte it writes lies in the spec's write window: "
         "the output region, with write_window column_block widened to whole column blocks",
         "lower the rows of the mvout to those of the output (an mm may have more), correct its "
         "row "
         "and column block or their strides; columns that are no multiple of T need a spec with "
         "write_window column_block"},
    [TPU_RULE_OUTPUT_INCOMPLETE] = {"every byte of the spec's output region is written by an mvout",
                                    "add an mvout for the rows and columns that are named, or "
                                    "correct the trip count or stride "
                                    "of the one that was meant to write them"},
};

const char *tpu_rule_contract(int rule) {
  return rule >= 0 && rule < TPU_RULE_COUNT ? texts[rule].contract : "?";
}

const char *tpu_rule_remedy(int rule) {
  return rule >= 0 && rule < TPU_RULE_COUNT ? texts[rule].remedy : "?";
}

static void show(const struct tpu_word *w, char *out, size_t capacity) {
  struct tpu_insn insn;
  struct tpu_text t = tpu_text_on(out, capacity);
  if (tpu_decode(w, &insn, NULL, NULL))
    tpu_disassemble(&insn, &t);
  else
    (void)snprintf(out, capacity, "words 0x%016" PRIx64 " 0x%016" PRIx64, w->w0, w->w1);
}

size_t tpu_violation_context(const struct tpu_program *program, const struct tpu_violation *v,
                             struct tpu_context_line line[TPU_CONTEXT_LINES]) {
  if (v->index < 0 || (uint32_t)v->index >= program->count)
    return 0;
  const uint32_t at = (uint32_t)v->index;
  const uint32_t first = at > TPU_CONTEXT_SIDE ? at - TPU_CONTEXT_SIDE : 0;
  size_t count = 0;
  for (uint32_t k = first; k < program->count && k <= at + TPU_CONTEXT_SIDE; ++k) {
    line[count].index = k;
    line[count].offends = k == at;
    show(&program->words[k], line[count].text, sizeof line[count].text);
    ++count;
  }
  return count;
}
