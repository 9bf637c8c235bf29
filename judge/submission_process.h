/* SPDX-License-Identifier: Apache-2.0 */
/* Between submission.c, which asks and judges the answer, submission_process.c, which keeps the
 * process, and submission_child.c, which is the process. */
#ifndef TPU_JUDGE_SUBMISSION_PROCESS_H
#define TPU_JUDGE_SUBMISSION_PROCESS_H

#include "judge/submission.h"
#include "judge/tpu_submission.h"

#include <sys/types.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the process is to do. Without a workload it only loads the library. */
struct tpu_submission_request {
  pid_t judge; /* the process that asks; set by tpu_submission_run */
  const struct tpu_submission *submission;
  const struct tpu_submission_params *params;
  const struct tpu_submission_workload *workload;
};

enum tpu_reply_kind {
  TPU_REPLY_NOT_LOADED = 1, /* text: why */
  TPU_REPLY_NO_ABI,         /* the library does not say its version */
  TPU_REPLY_OTHER_ABI,      /* value: the version it says */
  TPU_REPLY_NO_FUNCTION,
  TPU_REPLY_LOADED,    /* more follows */
  TPU_REPLY_NEAR_FULL, /* value: the memory limit in MB, of which little is left; it is crashing */
  TPU_REPLY_DECLINED,  /* value: what it returned; text: its message */
  TPU_REPLY_MOVED,     /* the pointer to the storage is another */
  TPU_REPLY_FILLED     /* value: instructions, whose words follow if there are at most capacity */
};

/* The words of the channel. None of it is believed without a look: what runs in the process can
 * write there too. */
struct tpu_reply {
  uint32_t magic; /* TPU_REPLY_MAGIC */
  uint32_t kind;
  uint32_t value;
  char text[TPU_SUBMISSION_MESSAGE_BYTES]; /* zero-terminated if its sender is honest */
};

#define TPU_REPLY_MAGIC UINT32_C(0x54505553)

/* LOADED, one that ends the conversation, and the words. */
enum {
  TPU_REPLY_MOST =
      2 * sizeof(struct tpu_reply) + TPU_SUBMISSION_CAPACITY * sizeof(struct tpu_submission_word)
};

/* How a process ended, and what came from it. */
struct tpu_submission_end {
  uint8_t *bytes; /* of the channel, TPU_REPLY_MOST at most; from malloc */
  size_t count;
  int overflowed; /* there was more */
  int timed_out;
  int status;     /* of waitpid */
  char said[256]; /* the end of what it wrote to stdout and stderr */
  size_t said_count;
};

/* Runs one to its end or its time limit; nothing of its process group is left. 0 when no process
 * could be started. end->bytes is to be freed either way. */
int tpu_submission_run(struct tpu_submission_request *q, struct tpu_submission_end *end,
                       struct tpu_report *r);

/* What its end means: *out filled, or *none says why not. */
void tpu_submission_answer(const struct tpu_submission *s, const struct tpu_submission_end *end,
                           struct tpu_program *out, struct tpu_no_program *none);

/* The end of one that was only to load: 0 with the report when it found the wrong thing. */
int tpu_submission_loads(const struct tpu_submission *s, const struct tpu_submission_end *end,
                         struct tpu_report *r);

/* In the new process, which ends here: what the function prints goes to `said`, the answer to
 * `channel`. */
void tpu_submission_child(const struct tpu_submission_request *q, int channel, int said);

#ifdef __cplusplus
}
#endif

#endif
