/* SPDX-License-Identifier: Apache-2.0 */
/* Memory as the core sees it: the window, the callbacks, and the store of decoded code. */
#include "platform/cpu/internal.h"

#include <stdlib.h>
#include <string.h>

static uint32_t page_count(const struct rv_window *w) {
  return (uint32_t)(((uint64_t)w->bytes + (1U << RV_PAGE_SHIFT) - 1) >> RV_PAGE_SHIFT);
}

void rv_flush(struct rv_core *core) {
  if (core->pages == NULL)
    return;
  for (uint32_t i = 0; i < page_count(&core->window); i++) {
    free(core->pages[i]);
    core->pages[i] = NULL;
  }
}

int rv_set_window(struct rv_core *core, const struct rv_window *window) {
  rv_flush(core);
  free(core->pages);
  core->pages = NULL;
  memset(&core->window, 0, sizeof core->window);
  if (window->host == NULL || window->bytes == 0)
    return 1;
  if (window->base % 4 != 0 || window->bytes % 4 != 0 ||
      (uint64_t)window->base + window->bytes > UINT64_C(1) << 32)
    return 0;
  /* NOLINTNEXTLINE(bugprone-sizeof-expression): an array of pointers is meant */
  core->pages = calloc(page_count(window), sizeof *core->pages);
  if (core->pages == NULL)
    return 0;
  core->window = *window;
  return 1;
}

void rv_invalidate(struct rv_core *core, uint32_t address, uint32_t bytes) {
  const uint64_t base = core->window.base;
  const uint64_t end = base + core->window.bytes;
  uint64_t from = address;
  uint64_t to = from + bytes;
  if (from < base)
    from = base;
  if (to > end)
    to = end;
  if (core->pages == NULL || from >= to)
    return;
  const uint64_t last = (to - 1 - base) / 4;
  for (uint64_t word = (from - base) / 4; word <= last; word++) {
    struct rv_insn *page = core->pages[word / RV_PAGE_INSNS];
    if (page == NULL)
      word |= RV_PAGE_INSNS - 1; /* on to the next page */
    else
      page[word % RV_PAGE_INSNS].op = RV_OP_NONE;
  }
}

static int in_window(const struct rv_core *core, uint32_t address) {
  return address - core->window.base < core->window.bytes;
}

uint32_t rv_peek(const struct rv_core *core, uint32_t address) {
  uint32_t word = 0;
  if (address % 4 == 0 && in_window(core, address))
    memcpy(&word, core->window.host + (address - core->window.base), sizeof word);
  return word;
}

int rv_load(struct rv_core *core, uint32_t address, uint32_t bytes, uint32_t *value,
            uint32_t *cause) {
  *value = 0;
  if (address % bytes != 0) {
    *cause = RV_CAUSE_LOAD_MISALIGNED;
    return 0;
  }
  *cause = RV_CAUSE_LOAD_FAULT;
  return core->host.read != NULL &&
         core->host.read(core->host.context, core, RV_ACCESS_LOAD, address, bytes, value);
}

int rv_store(struct rv_core *core, uint32_t address, uint32_t bytes, uint32_t value,
             uint32_t *cause) {
  if (address % bytes != 0) {
    *cause = RV_CAUSE_STORE_MISALIGNED;
    return 0;
  }
  *cause = RV_CAUSE_STORE_FAULT;
  return core->host.write != NULL &&
         core->host.write(core->host.context, core, address, bytes, value);
}

int rv_fetch(struct rv_core *core, struct rv_insn *insn, uint32_t *cause) {
  const uint32_t pc = core->pc;
  uint32_t word;
  if (pc % 4 != 0) {
    *cause = RV_CAUSE_FETCH_MISALIGNED;
    return 0;
  }
  if (!in_window(core, pc)) {
    *cause = RV_CAUSE_FETCH_FAULT;
    word = 0;
    if (core->host.read == NULL ||
        !core->host.read(core->host.context, core, RV_ACCESS_FETCH, pc, 4, &word))
      return 0;
    *insn = rv_decode(word);
    return 1;
  }
  *insn = rv_decode(rv_peek(core, pc));
  struct rv_insn **page = &core->pages[(pc - core->window.base) >> RV_PAGE_SHIFT];
  if (*page == NULL)
    *page = calloc(RV_PAGE_INSNS, sizeof **page);
  if (*page != NULL) /* without memory it is decoded every time: slower, not wrong */
    (*page)[(pc - core->window.base) / 4 % RV_PAGE_INSNS] = *insn;
  return 1;
}
