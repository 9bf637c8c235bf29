/* SPDX-License-Identifier: Apache-2.0 */
/* The process in which the function of a submission runs. It ends with _exit, so that nothing of
 * the judge's own is flushed or torn down here. */
#define _GNU_SOURCE /* dladdr1, close_range */
#include "judge/submission_process.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <link.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#ifdef __has_feature
#define HAS_FEATURE(x) __has_feature(x)
#else
#define HAS_FEATURE(x) 0
#endif
#if defined __SANITIZE_ADDRESS__ || HAS_FEATURE(address_sanitizer)
#define LIMITS_ADDRESS_SPACE 0
#else
#define LIMITS_ADDRESS_SPACE 1
#endif

enum {
  FIRST_FREE = 16,    /* descriptors below are given anew */
  NEAR_FULL_PART = 16 /* of the memory limit: what is left when it counts as reached */
};

/* The one that answers: not a copy of it that the library forked, which may come here too. */
static pid_t answering = 0;

/* For the handler of a crash, which has no other way to know. */
static int crash_channel = -1;
static uint32_t memory_mbytes = 0; /* what the memory limit leaves; 0: there is none */

static void send_bytes(int channel, const void *bytes, size_t count) {
  const char *at = bytes;
  if (getpid() != answering) {
    _exit(0);
  }
  while (count > 0) {
    const ssize_t n = write(channel, at, count);
    if (n < 0 && errno == EINTR) {
      continue;
    }
    if (n <= 0) {
      _exit(0); /* the judge is gone, or the function closed the channel */
    }
    at += n;
    count -= (size_t)n;
  }
}

static void reply(int channel, enum tpu_reply_kind kind, uint32_t value, const char *text) {
  struct tpu_reply out = {.magic = TPU_REPLY_MAGIC, .kind = (uint32_t)kind, .value = value};
  (void)snprintf(out.text, sizeof out.text, "%s", text);
  send_bytes(channel, &out, sizeof out);
}

/* Says whether memory was all but used up, then lets the signal do what it does. */
static void on_crash(int number) {
  const size_t part = ((size_t)memory_mbytes << 20) / NEAR_FULL_PART;
  if (getpid() == answering && part != 0 &&
      mmap(NULL, part, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED) {
    const struct tpu_reply full = {TPU_REPLY_MAGIC, TPU_REPLY_NEAR_FULL, memory_mbytes, ""};
    (void)!write(crash_channel, &full, sizeof full);
  }
  (void)raise(number); /* SA_RESETHAND: the default now, once this returns */
}

/* A stack that overflowed has no room for the handler: the system then ends the process at once. */
static void watch_crashes(int channel) {
  static const int crashes[] = {SIGSEGV, SIGBUS, SIGABRT};
  struct sigaction action = {.sa_handler = on_crash, .sa_flags = (int)SA_RESETHAND};
  crash_channel = channel;
  (void)sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof crashes / sizeof crashes[0]; ++i) {
    (void)sigaction(crashes[i], &action, NULL);
  }
}

/* A limit is never raised: what starts the judge may have set a lower one. Returns what holds. */
static rlim_t limit(int resource, rlim_t most, rlim_t hard) {
  struct rlimit l = {most, hard};
  if (getrlimit((__rlimit_resource_t)resource, &l) == 0) {
    l.rlim_cur = most < l.rlim_cur ? most : l.rlim_cur;
    l.rlim_max = hard < l.rlim_max ? hard : l.rlim_max;
    (void)setrlimit((__rlimit_resource_t)resource, &l);
  }
  return l.rlim_cur;
}

/* Bytes of address space in use; 0 when the system does not say. */
static rlim_t address_space(void) {
  unsigned long long pages = 0;
  char text[32] = "";
  const int file = open("/proc/self/statm", O_RDONLY | O_CLOEXEC);
  if (file < 0) {
    return 0;
  }
  const ssize_t n = read(file, text, sizeof text - 1);
  (void)close(file);
  for (ssize_t i = 0; i < n && text[i] >= '0' && text[i] <= '9'; ++i) {
    pages = pages * 10 + (unsigned)(text[i] - '0');
  }
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void set_limits(const struct tpu_submission *s) {
  (void)limit(RLIMIT_CORE, 0, 0);
  (void)limit(RLIMIT_CPU, s->seconds, (rlim_t)s->seconds + 1);
  if (LIMITS_ADDRESS_SPACE) {
    const rlim_t in_use = address_space();
    const rlim_t most = in_use + ((rlim_t)s->mbytes << 20);
    const rlim_t held = limit(RLIMIT_AS, most, most);
    memory_mbytes = held > in_use ? (uint32_t)((held - in_use) >> 20) : 0;
  }
}

/* Nothing of the judge's is open here: stdin is empty, what is printed is `said`. Returns where the
 * channel is now. */
static int settle_descriptors(int channel, int said) {
  const int kept = fcntl(channel, F_DUPFD, FIRST_FREE);
  const int printed = fcntl(said, F_DUPFD, FIRST_FREE);
  const int empty = open("/dev/null", O_RDONLY);
  if (kept < 0 || printed < 0 || empty < 0 || dup2(empty, STDIN_FILENO) < 0 ||
      dup2(printed, STDOUT_FILENO) < 0 || dup2(printed, STDERR_FILENO) < 0 || dup2(kept, 3) < 0) {
    _exit(0);
  }
  (void)close_range(4, ~0U, 0);
  return 3;
}

/* A symbol of the library itself, not of one that it was linked with. */
static void *own_symbol(void *library, const char *name) {
  struct link_map *own = NULL;
  struct link_map *holder = NULL;
  Dl_info info;
  void *symbol = dlsym(library, name);
  if (symbol == NULL || dlinfo(library, RTLD_DI_LINKMAP, &own) != 0 ||
      dladdr1(symbol, &info, (void **)&holder, RTLD_DL_LINKMAP) == 0) {
    return NULL;
  }
  return own == holder ? symbol : NULL;
}

static tpu_submission_function *load(const struct tpu_submission *s, int channel) {
  char path[TPU_SUBMISSION_PATH_BYTES + 2];
  /* Without a slash the loader would look where libraries are installed. */
  (void)snprintf(path, sizeof path, "%s%s", strchr(s->path, '/') == NULL ? "./" : "", s->path);
  void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == NULL) {
    const char *why = dlerror();
    reply(channel, TPU_REPLY_NOT_LOADED, 0, why != NULL ? why : "");
    _exit(0);
  }
  const uint32_t *abi = own_symbol(library, "tpu_submission_abi");
  void *symbol = own_symbol(library, s->function);
  if (abi == NULL || *abi != TPU_SUBMISSION_ABI || symbol == NULL) {
    reply(channel,
          abi == NULL                  ? TPU_REPLY_NO_ABI
          : *abi != TPU_SUBMISSION_ABI ? TPU_REPLY_OTHER_ABI
                                       : TPU_REPLY_NO_FUNCTION,
          abi != NULL ? *abi : 0, "");
    _exit(0);
  }
  tpu_submission_function *function = NULL;
  memcpy(&function, &symbol, sizeof function); /* ISO C converts no object pointer to a function */
  return function;
}

/* Storage that ends where the next write is a crash, as it begins; NULL when memory lacks. */
static struct tpu_submission_word *storage(void) {
  const size_t page = (size_t)sysconf(_SC_PAGESIZE);
  const size_t bytes = TPU_SUBMISSION_CAPACITY * sizeof(struct tpu_submission_word);
  const size_t whole = (bytes + page - 1) / page * page;
  char *at = mmap(NULL, whole + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (at == MAP_FAILED || mprotect(at + page, whole, PROT_READ | PROT_WRITE) != 0) {
    return NULL;
  }
  return (struct tpu_submission_word *)(void *)(at + page + whole - bytes);
}

static void call(const struct tpu_submission_request *q, tpu_submission_function *function,
                 int channel) {
  /* Copies: what the function does to its inputs changes nothing that is looked at later. */
  struct tpu_submission_params params = *q->params;
  struct tpu_submission_workload workload = *q->workload;
  struct tpu_submission_word *const words = storage();
  struct tpu_submission_program program = {.words = words, .capacity = TPU_SUBMISSION_CAPACITY};
  if (words == NULL) {
    reply(channel, TPU_REPLY_NEAR_FULL, memory_mbytes, "");
    return;
  }
  const int returned = function(&workload, &params, &program);
  program.message[sizeof program.message - 1] = '\0';
  if (returned != 0) {
    reply(channel, TPU_REPLY_DECLINED, (uint32_t)returned, program.message);
  } else if (program.words != words) {
    reply(channel, TPU_REPLY_MOVED, 0, "");
  } else {
    reply(channel, TPU_REPLY_FILLED, program.count, "");
    if (program.count <= TPU_SUBMISSION_CAPACITY) {
      send_bytes(channel, words, program.count * sizeof *words);
    }
  }
}

void tpu_submission_child(const struct tpu_submission_request *q, int channel, int said) {
  sigset_t none;
  (void)setpgid(0, 0);
  (void)prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != q->judge) { /* it ended before it could take this one along */
    _exit(0);
  }
  for (int number = 1; number < NSIG; ++number) {
    (void)signal(number, SIG_DFL);
  }
  (void)sigemptyset(&none);
  (void)sigprocmask(SIG_SETMASK, &none, NULL);
  answering = getpid();
  channel = settle_descriptors(channel, said);
  set_limits(q->submission);
  watch_crashes(channel);
  tpu_submission_function *function = load(q->submission, channel);
  reply(channel, TPU_REPLY_LOADED, 0, "");
  if (q->workload != NULL) {
    call(q, function, channel);
  }
  _exit(0);
}
