/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/hang.h"
#include "platform/cli/legal_job.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static const char *outcome_name(enum tpu_engine_outcome o) {
  return o == TPU_ENGINE_COMPLETED ? "completes" : o == TPU_ENGINE_DEADLOCK ? "deadlock" : "fault";
}

/* Text under a label, broken into lines at blanks. */
static void print_wrapped(const char *label, const char *text) {
  enum { LABEL = 15, WIDTH = 100 };
  printf("  %-*s", LABEL, label);
  while (strlen(text) > WIDTH - LABEL - 2) {
    size_t cut = WIDTH - LABEL - 2;
    while (cut > 1 && text[cut] != ' ')
      --cut;
    printf("%.*s\n%*s", (int)cut, text, LABEL + 2, "");
    text += cut + (text[cut] == ' ');
  }
  printf("%s\n", text);
}

static void print_rejection(const struct tpu_legal_job *job) {
  const struct tpu_violation *v = &job->legality.violation;
  struct tpu_context_line line[TPU_CONTEXT_LINES];
  char happened[512];
  const size_t lines = tpu_violation_context(&job->program, v, line);
  printf("REJECTED [%s / %s]\n", tpu_layer_name(tpu_rule_layer(v->rule)), tpu_rule_name(v->rule));
  print_wrapped("what happened", tpu_violation_happened(v, happened, sizeof happened));
  print_wrapped("the rule", tpu_rule_contract(v->rule));
  print_wrapped("what to change", tpu_rule_remedy(v->rule));
  for (size_t k = 0; k < lines; ++k) {
    printf("  %-14s %5u  %s%s\n", k == 0 ? "in context" : "", line[k].index, line[k].text,
           line[k].offends ? "   <-- here" : "");
  }
}

static void print_layers(const struct tpu_legality *l) {
  for (int k = 0; k < TPU_LAYER_COUNT; ++k) {
    printf("  %-14s %s", tpu_layer_name((enum tpu_layer)k), tpu_layer_state_name(l->layer[k]));
    if (k == TPU_LAYER_PROTOCOL && l->networked) {
      printf("; %" PRIu64 " accesses in %" PRIu64 " rounds", l->network.accesses,
             l->network.rounds);
    } else if (k == TPU_LAYER_SPEC && l->layer[k] == TPU_LAYER_NOT_ASKED) {
      printf(": no SPEC is given");
    }
    printf("\n");
  }
}

static void print_work(const struct tpu_kpn *network) {
  printf("\n  %-10s %10s %11s %10s\n", "unit", "promised", "dispatched", "done");
  for (int u = 0; u < TPU_UNIT_COUNT; ++u) {
    const struct tpu_kpn_work *w = &network->unit[u];
    printf("  %-10s %10" PRIu64 " %11" PRIu64 " %10" PRIu64 "%s\n", tpu_unit_name((enum tpu_unit)u),
           w->promised, w->dispatched, w->done, w->promised != w->dispatched ? "   <-- here" : "");
  }
}

void tpu_legal_print(const struct tpu_legal_job *job, const struct tpu_platform_config *config,
                     const struct tpu_engine_result *stalls) {
  const struct tpu_params *p = &config->params;
  const struct tpu_legality *l = &job->legality;
  const int rejected = job->judged && !l->legal;
  const char *why = rejected && job->verdict == TPU_VERDICT_ILLEGAL ? "" : job->reason;
  printf("%s: %s%s%s\n", job->name, tpu_legal_job_word(job), why[0] != '\0' ? " - " : "", why);
  printf("  %-14s T=%u MAXDIM=%u QD=%u DMA_WORDS=%u\n", "machine", p->t, p->maxdim, p->qd,
         p->dma_words);
  if (!job->judged) {
    return;
  }
  printf("  %-14s %u instructions, %s%s\n", "program", job->program.count,
         job->is_baseline   ? "the baseline's"
         : job->is_function ? "from a function"
                            : "from a file",
         job->has_header ? ", with a header" : "");
  print_layers(l);
  if (stalls != NULL && stalls->outcome == TPU_ENGINE_COMPLETED) {
    printf("  %-14s completes at QD=%u, in %" PRIu64 " cycles\n", "pipelines", p->qd,
           stalls->cycles);
  } else if (stalls != NULL) {
    printf("  %-14s %s at QD=%u, after %" PRIu64 " cycles%s%s\n", "pipelines",
           outcome_name(stalls->outcome), p->qd, stalls->cycles, stalls->hang != NULL ? "" : ": ",
           stalls->hang != NULL ? "" : stalls->text);
  }
  if (rejected) {
    print_rejection(job);
  }
  if (rejected && l->networked && !l->network.agrees) {
    print_work(&l->network);
  }
  if (stalls != NULL && stalls->hang != NULL) {
    tpu_hang_print(stalls->hang);
  }
}

static void put_place(const struct tpu_violation *v, struct tpu_json_writer *w) {
  if (v->index >= 0) {
    tpu_json_put_u64(w, "instruction", (uint64_t)v->index);
    tpu_json_put_text_or_null(w, "op", tpu_op_lookup(v->op)->name);
  } else {
    tpu_json_put_null(w, "instruction");
    tpu_json_put_null(w, "op");
  }
  tpu_json_begin_array(w, "loop_values");
  for (unsigned k = 0; k < v->depth; ++k) {
    tpu_json_put_u64(w, NULL, v->iv[k]);
  }
  tpu_json_end(w);
  if (v->mem == TPU_MEM_NONE || v->rows == 0) {
    tpu_json_put_null(w, "rows");
    return;
  }
  tpu_json_begin_object(w, "rows");
  tpu_json_put_string(w, "memory", tpu_mem_name(v->mem));
  tpu_json_put_u64(w, "first", v->first);
  tpu_json_put_u64(w, "count", v->rows);
  tpu_json_end(w);
}

static void put_rejection(const struct tpu_legal_job *job, struct tpu_json_writer *w) {
  const struct tpu_violation *v = &job->legality.violation;
  struct tpu_context_line line[TPU_CONTEXT_LINES];
  if (!job->judged || job->legality.legal) {
    tpu_json_put_null(w, "rejection");
    return;
  }
  const size_t lines = tpu_violation_context(&job->program, v, line);
  tpu_json_begin_object(w, "rejection");
  tpu_json_put_string(w, "layer", tpu_layer_name(tpu_rule_layer(v->rule)));
  tpu_json_put_string(w, "rule", tpu_rule_name(v->rule));
  put_place(v, w);
  tpu_json_put_string(w, "what_happened", v->detail);
  tpu_json_put_string(w, "the_rule", tpu_rule_contract(v->rule));
  tpu_json_put_string(w, "what_to_change", tpu_rule_remedy(v->rule));
  tpu_json_begin_array(w, "context");
  for (size_t k = 0; k < lines; ++k) {
    tpu_json_begin_object(w, NULL);
    tpu_json_put_u64(w, "instruction", line[k].index);
    tpu_json_put_string(w, "text", line[k].text);
    tpu_json_put_bool(w, "here", line[k].offends);
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_end(w);
}

static void put_network(const struct tpu_legality *l, struct tpu_json_writer *w) {
  if (!l->networked) {
    tpu_json_put_null(w, "protocol");
    return;
  }
  tpu_json_begin_object(w, "protocol");
  tpu_json_put_bool(w, "agrees", l->network.agrees);
  tpu_json_put_u64(w, "rounds", l->network.rounds);
  tpu_json_put_u64(w, "accesses", l->network.accesses);
  tpu_json_put_u64(w, "waiting", l->network.waiting);
  tpu_json_begin_array(w, "units");
  for (int u = 0; u < TPU_UNIT_COUNT; ++u) {
    tpu_json_begin_object(w, NULL);
    tpu_json_put_string(w, "unit", tpu_unit_name((enum tpu_unit)u));
    tpu_json_put_u64(w, "promised", l->network.unit[u].promised);
    tpu_json_put_u64(w, "dispatched", l->network.unit[u].dispatched);
    tpu_json_put_u64(w, "done", l->network.unit[u].done);
    tpu_json_end(w);
  }
  tpu_json_end(w);
  tpu_json_end(w);
}

static void put_stalls(const struct tpu_engine_result *stalls, uint32_t qd,
                       struct tpu_json_writer *w) {
  if (stalls == NULL) {
    tpu_json_put_null(w, "pipelines");
    return;
  }
  tpu_json_begin_object(w, "pipelines");
  tpu_json_put_string(w, "outcome", outcome_name(stalls->outcome));
  tpu_json_put_u64(w, "qd", qd);
  tpu_json_put_u64(w, "cycles", stalls->cycles);
  tpu_json_put_text_or_null(w, "reason", stalls->text);
  if (stalls->hang != NULL) {
    tpu_hang_put(stalls->hang, "deadlock", w);
  } else {
    tpu_json_put_null(w, "deadlock");
  }
  tpu_json_end(w);
}

void tpu_legal_put(const struct tpu_legal_job *job, const struct tpu_platform_config *config,
                   const struct tpu_engine_result *stalls, struct tpu_json_writer *w) {
  tpu_json_begin_object(w, NULL);
  tpu_json_put_string(w, "name", job->name);
  tpu_json_put_string(w, "verdict", tpu_legal_job_word(job));
  tpu_json_put_text_or_null(w, "reason", job->reason);
  tpu_json_put_string(w, "program",
                      job->is_baseline   ? "baseline"
                      : job->is_function ? "function"
                                         : "file");
  tpu_json_put_bool(w, "header_given", job->has_header);
  if (job->judged) {
    tpu_json_put_u64(w, "instructions", job->program.count);
    tpu_json_begin_object(w, "layers");
    for (int k = 0; k < TPU_LAYER_COUNT; ++k) {
      tpu_json_put_string(w, tpu_layer_name((enum tpu_layer)k),
                          tpu_layer_state_name(job->legality.layer[k]));
    }
    tpu_json_end(w);
  } else {
    tpu_json_put_null(w, "instructions");
    tpu_json_put_null(w, "layers");
  }
  put_rejection(job, w);
  put_network(&job->legality, w);
  put_stalls(stalls, config->params.qd, w);
  tpu_json_end(w);
}
