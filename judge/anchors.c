/* SPDX-License-Identifier: Apache-2.0 */
#include "judge/anchors.h"

#include "judge/named.h"

#include <stdio.h>

static const struct tpu_named anchors[TPU_ANCHOR_COUNT] = {TPU_ANCHORS(TPU_NAMED_ROW)};

const char *tpu_anchor_name(enum tpu_anchor a) {
  return tpu_named_of(anchors, TPU_ANCHOR_COUNT, a).name;
}

const char *tpu_anchor_sentence(enum tpu_anchor a) {
  return tpu_named_of(anchors, TPU_ANCHOR_COUNT, a).sentence;
}

/* The engine's C against the interpreter's, when there is one. */
static void look_at_design(const struct tpu_reference *reference,
                           const struct tpu_engine_result *result, struct tpu_anchor_run *out) {
  const struct tpu_params *p = &reference->params;
  out->outcome = result->outcome;
  out->cycles = result->cycles;
  if (result->outcome == TPU_ENGINE_DEADLOCK) {
    out->verdict = TPU_VERDICT_DEADLOCK;
    (void)snprintf(out->text, sizeof out->text, "%s", result->text);
  } else if (result->outcome == TPU_ENGINE_FAULT) {
    out->verdict = TPU_VERDICT_FAULT;
    (void)snprintf(out->text, sizeof out->text, "the engine failed: %s", result->text);
  } else if (!tpu_correct_design(p, reference->c, result->image, &out->design)) {
    out->verdict = TPU_VERDICT_FAULT;
    out->moved = out->moved == TPU_ANCHOR_PROGRAM ? TPU_ANCHOR_BOTH : TPU_ANCHOR_DESIGN;
    (void)snprintf(out->text, sizeof out->text, "design against ISA: %s", out->design.text);
    tpu_picture_design(p, reference->c, result->image, &out->picture);
  }
}

int tpu_anchors_run(const struct tpu_engine *engine, struct tpu_reference *reference,
                    const struct tpu_anchor_request *request, struct tpu_anchor_run *out,
                    struct tpu_report *r) {
  const struct tpu_params *p = &reference->params;
  const struct tpu_engine_request run = {
      .params = p,
      .program = request->program,
      .counts = request->counts,
      .image = {request->image[0], request->image[1], request->image[2]},
      .seed = request->seed};
  struct tpu_error e = {.code = TPU_OK};
  struct tpu_engine_result result;
  *out = (struct tpu_anchor_run){.moved = TPU_ANCHOR_NONE};
  if (!tpu_reference_run(reference, request->code, request->image, &e))
    return tpu_report_fail(r, e.code, "the interpreter refuses the program: %s", e.text);
  if (!tpu_correct_program(p, request->workload, request->expected, request->image[TPU_BUFFER_C],
                           reference->c, &out->program)) {
    out->moved = TPU_ANCHOR_PROGRAM;
    (void)snprintf(out->text, sizeof out->text, "program against spec: %s", out->program.text);
    tpu_picture_program(p, request->workload, request->expected, request->image[TPU_BUFFER_C],
                        reference->c, &out->picture);
  }
  out->verdict = out->program.verdict;
  if (engine == NULL)
    return 1;
  if (!engine->run(engine->context, &run, &result, r))
    return 0;
  look_at_design(reference, &result, out);
  engine->release(&result);
  return 1;
}
