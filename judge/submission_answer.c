/* SPDX-License-Identifier: Apache-2.0 */
/* What came from the process of a submission, and what it means. */
#define _GNU_SOURCE /* sigabbrev_np */
#include "judge/submission_process.h"
#include "judge/utf8.h"

#include <ctype.h>
#include <inttypes.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#define NO_ANSWER "answered with something that is no program"

/* What came over the channel, taken apart. */
struct answer {
  int loaded;
  int near_full;          /* it crashed with little memory left */
  int garbled;            /* something came that is no reply, or too much */
  struct tpu_reply reply; /* the last word; kind 0: it came to none */
  const uint8_t *words;   /* behind it */
  size_t bytes;           /* of words */
};

/* The next reply at *at, which moves behind it; 0 when there is none, or something else. */
static int next_reply(const struct tpu_submission_end *end, size_t *at, struct tpu_reply *out) {
  if (end->count - *at < sizeof *out) {
    return 0;
  }
  memcpy(out, end->bytes + *at, sizeof *out);
  out->text[sizeof out->text - 1] = '\0';
  *at += sizeof *out;
  return out->magic == TPU_REPLY_MAGIC;
}

static struct answer read_answer(const struct tpu_submission_end *end) {
  struct answer a = {.loaded = 0};
  size_t at = 0;
  int there = next_reply(end, &at, &a.reply);
  if (there && a.reply.kind == TPU_REPLY_LOADED) {
    a.loaded = 1;
    there = next_reply(end, &at, &a.reply);
  }
  a.near_full = there && a.reply.kind == TPU_REPLY_NEAR_FULL;
  a.garbled = end->overflowed || (!there && end->count > (a.loaded ? sizeof a.reply : 0));
  if (!there || a.near_full || a.garbled) {
    a.reply.kind = 0;
  }
  a.words = end->bytes + at;
  a.bytes = end->count - at;
  return a;
}

static const char *name_of(const struct tpu_submission *s, char out[320]) {
  char shown[160];
  (void)snprintf(out, 320, "%s:%s", tpu_shorten(s->path, 1, shown, sizeof shown), s->function);
  return out;
}

/* "PATH:FUNCTION what", as one clean line: well-formed, without control characters. */
static void conclude(struct tpu_no_program *none, const struct tpu_submission *s,
                     enum tpu_verdict verdict, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void conclude(struct tpu_no_program *none, const struct tpu_submission *s,
                     enum tpu_verdict verdict, const char *format, ...) {
  struct tpu_report line = {.code = TPU_OK};
  char text[sizeof none->reason];
  char name[320];
  va_list args;
  va_start(args, format);
  (void)vsnprintf(text, sizeof text, format, args);
  va_end(args);
  char *clean = tpu_utf8_clean(text);
  (void)tpu_report_fail(&line, TPU_ERR_USE, "%s %s", name_of(s, name),
                        clean != NULL ? clean : "failed");
  free(clean);
  none->verdict = verdict;
  (void)tpu_shorten(line.text, 0, none->reason, sizeof none->reason);
}

/* "; it printed last: ..." with the last line that the process printed, or "". */
static const char *last_words(const struct tpu_submission_end *end, char out[256]) {
  enum { SHOWN = 200 };
  size_t to = end->said_count;
  while (to > 0 && isspace((unsigned char)end->said[to - 1])) {
    --to;
  }
  size_t from = to;
  while (from > 0 && to - from < SHOWN && end->said[from - 1] != '\n') {
    --from;
  }
  char line[SHOWN + 1];
  for (size_t i = from; i < to; ++i) {
    line[i - from] = '?';
    if (end->said[i] != '\0') {
      line[i - from] = end->said[i];
    }
  }
  line[to - from] = '\0';
  (void)snprintf(out, 256, "%s%s", to > from ? "; it printed last: " : "", line);
  return out;
}

/* The process ended before it gave an answer: why. */
static void conclude_end(const struct tpu_submission *s, const struct tpu_submission_end *end,
                         const struct answer *a, struct tpu_no_program *none) {
  const char *when = a->loaded ? "" : " while the library was loaded";
  char said[256];
  char full[96] = "";
  const int number = WIFSIGNALED(end->status) ? WTERMSIG(end->status) : 0;
  if (end->timed_out || number == SIGXCPU) {
    conclude(none, s, TPU_VERDICT_NO_PROGRAM, "ran into the time limit of %u s%s", s->seconds,
             when);
    return;
  }
  if (a->garbled && number == 0) {
    conclude(none, s, TPU_VERDICT_NO_PROGRAM, NO_ANSWER);
    return;
  }
  if (a->near_full) {
    (void)snprintf(full, sizeof full, " with its memory limit of %" PRIu32 " MB all but reached",
                   a->reply.value);
  }
  if (number != 0) {
    const char *name = sigabbrev_np(number);
    conclude(none, s, TPU_VERDICT_NO_PROGRAM, "was ended by %s%s (signal %d)%s%s%s",
             name != NULL ? "SIG" : "a signal", name != NULL ? name : "", number, full, when,
             last_words(end, said));
  } else {
    conclude(none, s, TPU_VERDICT_NO_PROGRAM,
             "ended its process with exit code %d and without an answer%s%s%s",
             WEXITSTATUS(end->status), full, when, last_words(end, said));
  }
}

/* The words, if they are as many as was said. */
static void take_program(const struct tpu_submission *s, const struct answer *a,
                         struct tpu_program *out, struct tpu_no_program *none) {
  if (a->reply.value > out->capacity) {
    conclude(none, s, TPU_VERDICT_NO_PROGRAM,
             "says that it made %" PRIu32 " instructions; at most %" PRIu32 " have room",
             a->reply.value, out->capacity);
  } else if (a->bytes != a->reply.value * sizeof *out->words) {
    conclude(none, s, TPU_VERDICT_NO_PROGRAM, NO_ANSWER);
  } else {
    memcpy(out->words, a->words, a->bytes);
    out->count = a->reply.value;
  }
}

void tpu_submission_answer(const struct tpu_submission *s, const struct tpu_submission_end *end,
                           struct tpu_program *out, struct tpu_no_program *none) {
  const struct answer a = read_answer(end);
  const int ended_well = !end->timed_out && WIFEXITED(end->status) && WEXITSTATUS(end->status) == 0;
  *none = (struct tpu_no_program){.verdict = TPU_VERDICT_NOT_RUN};
  out->count = 0;
  switch (ended_well ? a.reply.kind : 0) {
  case TPU_REPLY_FILLED:
    take_program(s, &a, out, none);
    break;
  case TPU_REPLY_DECLINED:
    if (a.reply.text[0] != '\0') {
      conclude(none, s, TPU_VERDICT_DECLINED, "declined: %s", a.reply.text);
    } else {
      conclude(none, s, TPU_VERDICT_DECLINED, "declined without a message: it returned %" PRId32,
               (int32_t)a.reply.value);
    }
    break;
  case TPU_REPLY_MOVED:
    conclude(none, s, TPU_VERDICT_NO_PROGRAM,
             "changed the pointer to the storage of its words, which is the judge's");
    break;
  case TPU_REPLY_NOT_LOADED: /* it was, a moment ago */
    conclude(none, s, TPU_VERDICT_NO_PROGRAM, "could not be loaded: %s", a.reply.text);
    break;
  case 0:
    conclude_end(s, end, &a, none);
    break;
  default:
    conclude(none, s, TPU_VERDICT_NO_PROGRAM, NO_ANSWER);
  }
}

int tpu_submission_loads(const struct tpu_submission *s, const struct tpu_submission_end *end,
                         struct tpu_report *r) {
  const struct answer a = read_answer(end);
  switch (a.reply.kind) {
  case TPU_REPLY_NOT_LOADED:
    return tpu_report_fail(r, TPU_ERR_SYNTAX, "%s: no shared library that can be loaded: %s",
                           s->path, a.reply.text);
  case TPU_REPLY_NO_FUNCTION:
    return tpu_report_fail(r, TPU_ERR_RANGE, "%s: has no function '%s' that others can see",
                           s->path, s->function);
  case TPU_REPLY_NO_ABI:
    return tpu_report_fail(r, TPU_ERR_RANGE,
                           "%s: does not say which tpu_submission.h it was built against: the line "
                           "TPU_SUBMISSION; is due in one of its sources",
                           s->path);
  case TPU_REPLY_OTHER_ABI:
    return tpu_report_fail(r, TPU_ERR_RANGE,
                           "%s: was built against version %" PRIu32
                           " of tpu_submission.h; version %d is due",
                           s->path, a.reply.value, TPU_SUBMISSION_ABI);
  default:
    return 1;
  }
}
