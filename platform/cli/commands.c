/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/commands.h"

#include "judge/suggest.h"

#include <string.h>

static const struct tpu_command commands[] = {
    {"run", "SPEC|IMAGE",
     "SPEC|IMAGE|--program FILE [--a FILE --b FILE --c FILE --out FILE] [--csv FILE] [--seed N] "
     "[--unchecked] [--limit CYCLES]",
     "Run a workload, an ELF image or a program on the platform, and judge every byte of C.",
     TPU_TAKES_PROGRAM | TPU_TAKES(A) | TPU_TAKES(B) | TPU_TAKES(C) | TPU_TAKES(OUT) |
         TPU_TAKES(CSV) | TPU_TAKES(SEED) | TPU_TAKES(UNCHECKED) | TPU_TAKES(LIMIT) |
         TPU_TAKES(CORPUS) | TPU_TAKES(FIRMWARE),
     tpu_command_run_one},
    {"corpus", NULL, "[--corpus DIR] [--seed N] [--junit FILE]",
     "Run every workload of the corpus as an image and say which are bit-exact.",
     TPU_TAKES(CORPUS) | TPU_TAKES(FIRMWARE) | TPU_TAKES(SEED) | TPU_TAKES(JUNIT),
     tpu_command_corpus},
    {"path", "SPEC",
     "SPEC|--program FILE [--corpus DIR] [--all] [--seed N] [--unchecked] [--limit CYCLES]",
     "Run a workload or a program and say what every cycle of it went to.",
     TPU_TAKES_PROGRAM | TPU_TAKES(ALL) | TPU_TAKES(SEED) | TPU_TAKES(UNCHECKED) |
         TPU_TAKES(LIMIT) | TPU_TAKES(CORPUS) | TPU_TAKES(FIRMWARE),
     tpu_command_path},
    {"trace", "SPEC",
     "SPEC|--program FILE [-o DIR] [--vcd FILE] [--perfetto FILE] [--csv FILE] [--window CYCLES] "
     "[--html FILE] [--gantt] [--seed N] [--unchecked] [--limit CYCLES]",
     "Run a workload or a program and write down what each unit did when.",
     TPU_TAKES_PROGRAM | TPU_TAKES(OUT_DIR) | TPU_TAKES(VCD) | TPU_TAKES(PERFETTO) |
         TPU_TAKES(CSV) | TPU_TAKES(WINDOW) | TPU_TAKES(HTML) | TPU_TAKES(GANTT) | TPU_TAKES(SEED) |
         TPU_TAKES(UNCHECKED) | TPU_TAKES(LIMIT) | TPU_TAKES(CORPUS) | TPU_TAKES(FIRMWARE),
     tpu_command_trace},
    {"image", "SPEC", "SPEC -o FILE [--seed N]",
     "Write one self-contained ELF: workload, operands and expected result inside.",
     TPU_TAKES(OUTPUT) | TPU_TAKES(CORPUS) | TPU_TAKES(FIRMWARE) | TPU_TAKES(SEED),
     tpu_command_image},
    {"judge specs", NULL, "[--corpus DIR] [--spec NAME]",
     "List the workload specs, what each stresses, and whether this configuration can run it.",
     TPU_TAKES(CORPUS) | TPU_TAKES(SPEC), tpu_command_judge_specs},
    {"judge legal", "SPEC", "[SPEC|--spec NAME] [--program FILE] [--corpus DIR]",
     "Hold a program to the 23 rules, or with no SPEC and no program every baseline of the corpus.",
     TPU_TAKES_PROGRAM | TPU_TAKES(CORPUS) | TPU_TAKES(SPEC), tpu_command_judge_legal},
    {"judge rules", NULL, "[--corpus DIR]",
     "Print the rules, what to change where one is broken, and the judge's test of itself.",
     TPU_TAKES(CORPUS), tpu_command_judge_rules},
    {"judge correct", NULL,
     "[--corpus DIR] [--spec NAME] [--program FILE] [--seed N] [--junit FILE]",
     "Hold programs to their specs and the platform to the instruction set, and say which moved.",
     TPU_TAKES(CORPUS) | TPU_TAKES(SPEC) | TPU_TAKES_PROGRAM | TPU_TAKES(SEED) | TPU_TAKES(JUNIT),
     tpu_command_judge_correct},
    {"judge fast", NULL,
     "[--corpus DIR] [--spec NAME] [--program FILE] [--simulate] [--measured FILE] [--seed N] "
     "[--junit FILE]",
     "Estimate what programs cost, gate them, and say which tier each reached.",
     TPU_TAKES(CORPUS) | TPU_TAKES(SPEC) | TPU_TAKES_PROGRAM | TPU_TAKES(SIMULATE) |
         TPU_TAKES(MEASURED) | TPU_TAKES(SEED) | TPU_TAKES(JUNIT),
     tpu_command_judge_fast},
    {"work", "SPEC", "[SPEC|--program FILE] [--corpus DIR]",
     "Hold the work of a program, or of the corpus, against the time that it takes.",
     TPU_TAKES_PROGRAM | TPU_TAKES(CORPUS), tpu_command_work},
    {"rank", "SPEC", "SPEC [--corpus DIR]",
     "Put the mappings of a workload in order by simulated cycles, and hold estimates against it.",
     TPU_TAKES(CORPUS), tpu_command_rank},
    {"depth", "SPEC", "SPEC|--program FILE [--corpus DIR]",
     "Find the smallest stream depth at which a program completes, and what blocks just below it.",
     TPU_TAKES_PROGRAM | TPU_TAKES(CORPUS), tpu_command_depth},
    {"sweep", NULL,
     "--set KEY=VALUE,VALUE... [--set ...] [--spec GLOB] [--variant NAME] [--corpus DIR] "
     "[--jobs N] [-o DIR] [--emit slurm | --part LIST]",
     "Run workloads at every legal configuration of a product, side by side, and compare them.",
     TPU_TAKES(SPECS) | TPU_TAKES(VARIANT) | TPU_TAKES(CORPUS) | TPU_TAKES(JOBS) |
         TPU_TAKES(OUT_DIR) | TPU_TAKES(EMIT) | TPU_TAKES(PART),
     tpu_command_sweep},
    {"compare", "A.json B.json", "A.json B.json [--tolerance PCT]",
     "Say what changed between two runs, corpora or sweeps, and why; takes no --set.",
     TPU_TAKES(TOLERANCE), tpu_command_compare},
    {"fidelity", NULL, "[--data FILE]",
     "Run measured programs and hold the simulated cycles against the measured; takes no --set.",
     TPU_TAKES(DATA), tpu_command_fidelity},
    {"tile", "M K N",
     "M K N [--a FILE --b FILE --out FILE] [--print-program] [--seed N] [--limit CYCLES]",
     "Run a GEMM beyond MAXDIM as programs over tiles of C that the firmware schedules.",
     TPU_TAKES(A) | TPU_TAKES(B) | TPU_TAKES(OUT) | TPU_TAKES(PRINT_PROGRAM) | TPU_TAKES(SEED) |
         TPU_TAKES(LIMIT) | TPU_TAKES(FIRMWARE),
     tpu_command_tile},
    {"map", "SPEC", "SPEC [--variant NAME] [-o FILE] [--corpus DIR]",
     "Write the program of a workload, as one of the mappings has it, for asm to take after edits.",
     TPU_TAKES(VARIANT) | TPU_TAKES(OUTPUT) | TPU_TAKES(CORPUS), tpu_command_map},
    {"asm", "FILE", "FILE [-o FILE]",
     "Assemble a text program to a program file, a JSON list of word pairs.", TPU_TAKES(OUTPUT),
     tpu_command_asm},
    {"disasm", "FILE", "FILE [-o FILE]",
     "Disassemble a program file to text that assembles back to the same words.", TPU_TAKES(OUTPUT),
     tpu_command_disasm},
};

enum { COMMANDS = sizeof commands / sizeof commands[0] };

const struct tpu_command *tpu_commands(size_t *count) {
  *count = COMMANDS;
  return commands;
}

const struct tpu_command *tpu_command_find(int argc, char *const argv[], int *words,
                                           struct tpu_report *r) {
  const char *names[COMMANDS];
  char allowed[320];
  size_t group = 0; /* the two-word commands that begin with argv[0] */
  for (size_t i = 0; i < COMMANDS; ++i) {
    const char *name = commands[i].name;
    const size_t first = strcspn(name, " ");
    names[i] = name;
    if (argc == 0 || strlen(argv[0]) != first || strncmp(argv[0], name, first) != 0) {
      continue;
    }
    if (name[first] == '\0') {
      *words = 1;
      return &commands[i];
    }
    if (argc > 1 && strcmp(argv[1], name + first + 1) == 0) {
      *words = 2;
      return &commands[i];
    }
    ++group;
  }
  if (argc == 0) {
    (void)tpu_report_fail(r, TPU_ERR_SYNTAX, "no command given; %s; see tpuvp --help",
                          tpu_allowed("", names, COMMANDS, allowed, sizeof allowed));
  } else if (group > 0) {
    (void)tpu_report_fail(r, TPU_ERR_SYNTAX, "unknown command '%s%s%s'; %s; see tpuvp --help",
                          argv[0], argc > 1 ? " " : "", argc > 1 ? argv[1] : "",
                          tpu_allowed("", names, COMMANDS, allowed, sizeof allowed));
  } else {
    (void)tpu_report_fail(r, TPU_ERR_SYNTAX, "unknown command '%s'; %s; see tpuvp --help", argv[0],
                          tpu_allowed(argv[0], names, COMMANDS, allowed, sizeof allowed));
  }
  return NULL;
}
