/* SPDX-License-Identifier: Apache-2.0 */
/* Functions that do what a submission must not do, for the workload "bad"; for any other each makes
 * the program of one 4 x 4 tile, at T = 4. */
#define _GNU_SOURCE
#include "tpu_submission.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

TPU_SUBMISSION;

static int tile(struct tpu_submission_program *program) {
  /* test/data/tile.s, assembled */
  static const struct tpu_submission_word words[] = {{{UINT64_C(0x0100000000000081), 0}},
                                                     {{UINT64_C(0x0100000000000041), 0}},
                                                     {{UINT64_C(0x0100000000000004), 0}},
                                                     {{UINT64_C(0x0100000000000007), 0}}};
  memcpy(program->words, words, sizeof words);
  program->count = sizeof words / sizeof words[0];
  return 0;
}

#define SUBMISSION(does)                                                                           \
  static int bad_##does(const struct tpu_submission_workload *w,                                   \
                        const struct tpu_submission_params *p,                                     \
                        struct tpu_submission_program *program);                                   \
  TPU_SUBMISSION_EXPORT int does(const struct tpu_submission_workload *w,                          \
                                 const struct tpu_submission_params *p,                            \
                                 struct tpu_submission_program *program) {                         \
    return strcmp(w->name, "bad") == 0 ? bad_##does(w, p, program) : tile(program);                \
  }                                                                                                \
  static int bad_##does(const struct tpu_submission_workload *w,                                   \
                        const struct tpu_submission_params *p,                                     \
                        struct tpu_submission_program *program)

#define UNUSED (void)w, (void)p, (void)program

SUBMISSION(crashes) {
  UNUSED;
  *(volatile int *)8 = 1;
  return 0;
}

SUBMISSION(aborts) {
  UNUSED;
  (void)fputs("a line before\nhostile.c: a bad \033[31massertion\n\n", stderr);
  abort();
}

static unsigned recurse(unsigned n) {
  volatile char frame[4096];
  frame[n % sizeof frame] = 1;
  return n == UINT32_MAX ? 0 : recurse(n + 1) + (unsigned)frame[0];
}

SUBMISSION(recurses) {
  UNUSED;
  return (int)recurse(0);
}

SUBMISSION(loops) {
  UNUSED;
  static volatile int on = 1;
  while (on) {
  }
  return 0;
}

/* Where it is called, "here" holds the number of its process. */
SUBMISSION(loops_aloud) {
  FILE *here = fopen("here.new", "w");
  if (here == NULL || fprintf(here, "%d", (int)getpid()) < 0 || fclose(here) != 0 ||
      rename("here.new", "here") != 0) {
    return 1;
  }
  return bad_loops(w, p, program);
}

SUBMISSION(stops) {
  UNUSED;
  (void)raise(SIGSTOP);
  return 0;
}

/* To that of the judge, and stays. */
SUBMISSION(leaves_its_group) {
  UNUSED;
  (void)setpgid(0, getpgid(getppid()));
  while (pause() != 0) {
  }
  return 0;
}

/* Up to 512 MB, of which the limit lets it have less. */
SUBMISSION(hogs) {
  UNUSED;
  for (int i = 0; i < 512; ++i) {
    char *more = malloc(1 << 20);
    memset(more, 1, 1 << 20); /* NULL when it is refused */
  }
  return tile(program);
}

SUBMISSION(exits) {
  UNUSED;
  exit(0);
}

SUBMISSION(exits_with_a_code) {
  UNUSED;
  _exit(7);
}

/* A process that holds on to all that was inherited; its number is in the message. */
SUBMISSION(leaves_a_child) {
  UNUSED;
  pid_t child = 0;
  for (int i = 0; i < 8; ++i) {
    child = fork();
    if (child == 0) {
      for (;;) {
        (void)pause();
      }
    }
  }
  (void)snprintf(program->message, sizeof program->message, "child %d", (int)child);
  return 1;
}

SUBMISSION(leaves_a_child_and_maps) {
  (void)bad_leaves_a_child(w, p, program);
  return tile(program);
}

/* The copy returns first, with an answer of its own. */
SUBMISSION(returns_twice) {
  UNUSED;
  const pid_t copy = fork();
  if (copy == 0) {
    return 1;
  }
  return waitpid(copy, NULL, 0) == copy ? tile(program) : 2;
}

/* The copy crashes first, with all but the last of its memory used up. */
SUBMISSION(crashes_in_a_copy) {
  const pid_t copy = fork();
  if (copy == 0) {
    return bad_hogs(w, p, program);
  }
  return waitpid(copy, NULL, 0) == copy ? tile(program) : 2;
}

SUBMISSION(chatters) {
  UNUSED;
  static char page[65536];
  memset(page, 'x', sizeof page);
  for (int i = 0; i < 128; ++i) {
    if (write(STDOUT_FILENO, page, sizeof page) < 0 ||
        write(STDERR_FILENO, page, sizeof page) < 0) {
      return 1;
    }
  }
  return tile(program);
}

SUBMISSION(reads_stdin) {
  UNUSED;
  return getchar() == EOF ? tile(program) : 1;
}

SUBMISSION(makes_garbage) {
  UNUSED;
  memset(program->words, 0xa5, 48);
  program->count = 3;
  return 0;
}

SUBMISSION(makes_nothing) {
  UNUSED;
  return 0;
}

SUBMISSION(makes_too_much) {
  UNUSED;
  (void)tile(program);
  program->count = UINT32_MAX;
  return 0;
}

/* Fills all there is room for: more than the instruction memory holds, which is a rule. */
SUBMISSION(fills_the_storage) {
  UNUSED;
  program->count = program->capacity;
  return 0;
}

SUBMISSION(writes_past_the_storage) {
  UNUSED;
  program->words[program->capacity].word[0] = 1;
  return tile(program);
}

SUBMISSION(moves_the_storage) {
  UNUSED;
  program->words = NULL;
  program->count = 4;
  return 0;
}

SUBMISSION(declines) {
  UNUSED;
  (void)snprintf(program->message, sizeof program->message, "not today");
  return 5;
}

SUBMISSION(declines_in_silence) {
  UNUSED;
  return -5;
}

SUBMISSION(declines_with_controls) {
  UNUSED;
  memcpy(program->message, "two\nlines, \033[31mred\a and \xff", 26);
  return 1;
}

SUBMISSION(declines_without_end) {
  UNUSED;
  memset(program->message, 'y', sizeof program->message);
  return 1;
}

SUBMISSION(scribbles) {
  memset((void *)w, 0xff, sizeof *w);
  memset((void *)p, 0xff, sizeof *p);
  return tile(program);
}

SUBMISSION(closes_everything) {
  UNUSED;
  for (int i = 0; i < 1024; ++i) {
    (void)close(i);
  }
  return tile(program);
}

/* Writes to every descriptor, as one does who looks for the judge's. */
SUBMISSION(writes_to_every_descriptor) {
  UNUSED;
  char page[4096];
  memset(page, 'z', sizeof page);
  for (int i = 0; i < 1024; ++i) {
    for (int k = 0; k < 512 && write(i, page, sizeof page) > 0; ++k) {
    }
  }
  return tile(program);
}

SUBMISSION(tells_its_limits) {
  UNUSED;
  struct rlimit core;
  struct rlimit cpu;
  (void)getrlimit(RLIMIT_CORE, &core);
  (void)getrlimit(RLIMIT_CPU, &cpu);
  (void)snprintf(program->message, sizeof program->message, "core %llu, cpu %llu",
                 (unsigned long long)core.rlim_cur, (unsigned long long)cpu.rlim_cur);
  return 1;
}

/* Only what it was given may be open: 0, 1, 2 and the channel. */
SUBMISSION(counts_descriptors) {
  UNUSED;
  int open = 0;
  for (int i = 0; i < 4096; ++i) {
    open += dup2(i, i) == i;
  }
  (void)snprintf(program->message, sizeof program->message, "%d open", open);
  return 1;
}
