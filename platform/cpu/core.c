/* SPDX-License-Identifier: Apache-2.0 */
/* Life of a core, and the signals from outside. */
#include "platform/cpu/internal.h"

#include <stdlib.h>
#include <string.h>

int rv_init(struct rv_core *core, const struct rv_config *config, const struct rv_host *host) {
  memset(core, 0, sizeof *core);
  core->config = *config;
  core->host = *host;
  return config->load_cycles > 0 && config->mul_cycles > 0 && config->div_cycles > 0;
}

void rv_destroy(struct rv_core *core) {
  rv_flush(core);
  free(core->pages);
  core->pages = NULL;
  memset(&core->window, 0, sizeof core->window);
}

void rv_reset(struct rv_core *core, uint32_t entry) {
  rv_flush(core);
  memset(core->x, 0, sizeof core->x);
  core->pc = entry;
  core->sleeping = 0;
  core->mstatus = 0;
  core->mie = 0;
  core->mtvec = 0;
  core->mscratch = 0;
  core->mepc = 0;
  core->mcause = 0;
  core->mtval = 0;
  core->mcountinhibit = 0;
  core->cycle_base = core->cycle;
  core->instret_base = core->retired;
  core->request = RV_REQUEST_NONE;
  memset(&core->report, 0, sizeof core->report);
}

void rv_set_irq(struct rv_core *core, unsigned irq, int level) {
  const uint32_t bit = UINT32_C(1) << irq;
  core->mip = level ? core->mip | bit : core->mip & ~bit;
}

int rv_irq_pending(const struct rv_core *core) { return (core->mip & core->mie) != 0; }

void rv_request(struct rv_core *core, enum rv_request request) {
  if (request > core->request)
    core->request = request;
}
