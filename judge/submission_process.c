/* SPDX-License-Identifier: Apache-2.0 */
/* Keeps the process of a submission: starts it, listens to it, and ends it. */
#include "judge/submission_process.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum {
  TICK_MS = 10,        /* between looks whether it has ended, when its pipes do not say so */
  TURN_BYTES = 1 << 20 /* read of one pipe before looking elsewhere: who writes without end */
};

struct listening {
  int channel, said; /* -1: ended */
  struct tpu_submission_end *end;
};

static int64_t now_ms(void) {
  struct timespec t;
  (void)clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000 + t.tv_nsec / 1000000;
}

static void take_channel(struct tpu_submission_end *end, const char *bytes, size_t n) {
  const size_t room = TPU_REPLY_MOST - end->count;
  end->overflowed |= n > room;
  memcpy(end->bytes + end->count, bytes, n < room ? n : room);
  end->count += n < room ? n : room;
}

/* Only the end of it is kept. */
static void take_said(struct tpu_submission_end *end, const char *bytes, size_t n) {
  const size_t capacity = sizeof end->said;
  if (n >= capacity) {
    memcpy(end->said, bytes + n - capacity, capacity);
    end->said_count = capacity;
    return;
  }
  const size_t keep = end->said_count < capacity - n ? end->said_count : capacity - n;
  memmove(end->said, end->said + end->said_count - keep, keep);
  memcpy(end->said + keep, bytes, n);
  end->said_count = keep + n;
}

/* Reads what is there; closes a pipe that nobody can write to any more. */
static void hear(int *pipe_end, struct tpu_submission_end *end,
                 void take(struct tpu_submission_end *, const char *, size_t)) {
  char bytes[16384];
  for (size_t taken = 0; *pipe_end >= 0 && taken < TURN_BYTES;) {
    const ssize_t n = read(*pipe_end, bytes, sizeof bytes);
    if (n > 0) {
      take(end, bytes, (size_t)n);
      taken += (size_t)n;
    } else if (n == 0 || (errno != EINTR && errno != EAGAIN)) {
      (void)close(*pipe_end);
      *pipe_end = -1;
    } else if (errno == EAGAIN) {
      return;
    }
  }
}

static int has_ended(pid_t pid) {
  siginfo_t info = {.si_pid = 0};
  return waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) != 0 || info.si_pid != 0;
}

/* To its end or the deadline. A process of its own that holds the pipes open is not waited for. */
static void listen_to(pid_t pid, struct listening *l, int64_t deadline) {
  for (;;) {
    const int ended = has_ended(pid); /* before reading: then all it wrote is in the pipes */
    hear(&l->channel, l->end, take_channel);
    hear(&l->said, l->end, take_said);
    if (ended) {
      return;
    }
    const int64_t left = deadline - now_ms();
    if (left <= 0) {
      l->end->timed_out = 1;
      return;
    }
    struct pollfd fds[2] = {{l->channel, POLLIN, 0}, {l->said, POLLIN, 0}};
    (void)poll(fds, 2, left < TICK_MS ? (int)left : TICK_MS); /* -1 among them is skipped */
  }
}

static int make_pipe(int ends[2]) {
  return pipe(ends) == 0 && fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

static void close_all(const int ends[2]) {
  for (int i = 0; i < 2; ++i) {
    if (ends[i] >= 0) {
      (void)close(ends[i]);
    }
  }
}

static int cannot_start(const struct tpu_submission *s, struct tpu_report *r) {
  const int reason = errno;
  char shown[200];
  return tpu_report_fail(r, TPU_ERR_USE, "%s:%s: no process can be started for it: %s",
                         tpu_shorten(s->path, 1, shown, sizeof shown), s->function,
                         strerror(reason));
}

static int run(const struct tpu_submission_request *q, const int channel[2], const int said[2],
               struct tpu_submission_end *end) {
  const int64_t deadline = now_ms() + (int64_t)q->submission->seconds * 1000;
  (void)fflush(stdout); /* or a copy of what waits there would be written by an exit() over there */
  (void)fflush(stderr);
  const pid_t pid = fork();
  if (pid < 0) {
    return 0;
  }
  if (pid == 0) {
    tpu_submission_child(q, channel[1], said[1]);
  }
  (void)setpgid(pid, pid); /* here too: whoever is first */
  (void)close(channel[1]);
  (void)close(said[1]);
  struct listening l = {channel[0], said[0], end};
  listen_to(pid, &l, deadline);
  (void)kill(-pid, SIGKILL); /* before it is reaped, while the number is its own */
  (void)kill(pid, SIGKILL);  /* it may have left its group */
  while (waitpid(pid, &end->status, 0) < 0 && errno == EINTR) {
  }
  close_all((const int[2]){l.channel, l.said});
  return 1;
}

int tpu_submission_run(struct tpu_submission_request *q, struct tpu_submission_end *end,
                       struct tpu_report *r) {
  int channel[2] = {-1, -1};
  int said[2] = {-1, -1};
  struct sigaction was;
  struct sigaction usual = {.sa_handler = SIG_DFL};
  *end = (struct tpu_submission_end){.bytes = malloc(TPU_REPLY_MOST)};
  if (end->bytes == NULL) {
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "out of memory");
  }
  q->judge = getpid();
  (void)sigemptyset(&usual.sa_mask);
  (void)sigaction(SIGCHLD, &usual,
                  &was); /* where it is ignored, nobody is there to be waited for */
  const int good = make_pipe(channel) && make_pipe(said) && run(q, channel, said, end);
  if (!good) {
    (void)cannot_start(q->submission, r);
    close_all(channel);
    close_all(said);
  }
  (void)sigaction(SIGCHLD, &was, NULL);
  return good;
}
