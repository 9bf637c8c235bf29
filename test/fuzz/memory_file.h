/* SPDX-License-Identifier: Apache-2.0 */
/* A file that never touches a disk, for readers that take a path. Needs _GNU_SOURCE. */
#ifndef TPU_TEST_FUZZ_MEMORY_FILE_H
#define TPU_TEST_FUZZ_MEMORY_FILE_H

#include "test/fuzz/fuzz.h"

#include <sys/mman.h>
#include <unistd.h>

enum { MEMORY_FILE_PATH = 40 };

static inline int memory_file(const uint8_t *data, size_t size, char path[MEMORY_FILE_PATH]) {
  const int fd = memfd_create("input.json", 0);
  FUZZ_ASSERT(fd >= 0 && write(fd, data, size) == (ssize_t)size);
  (void)snprintf(path, MEMORY_FILE_PATH, "/proc/self/fd/%d", fd);
  return fd;
}

static inline void memory_file_close(int fd) { (void)close(fd); }

#endif
