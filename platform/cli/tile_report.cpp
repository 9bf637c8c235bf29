/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/tile_report.h"

#include "isa/asm.h"
#include "judge/measured.h"
#include "platform/cli/hang.h"
#include "platform/cli/report.h"

#include <algorithm>
#include <array>
#include <cinttypes>
#include <cstdio>

namespace tpu::cli {

namespace {

struct part {
  const char *key, *text;
  std::uint64_t cycles;
};

// The core's cycles: what is measured, and the rest.
std::array<part, 7> parts_of(const tpu_tile_result &r) {
  const std::uint64_t named = r.map + r.pack_a + r.pack_b + r.start + r.wait + r.unpack;
  return {{{"map", "plan and programs", r.map},
           {"pack_a", "pack A", r.pack_a},
           {"pack_b", "pack B", r.pack_b},
           {"start", "start", r.start},
           {"wait", "wait", r.wait},
           {"unpack", "unpack C", r.unpack},
           {"rest", "all else", r.end_to_end - std::min(named, r.end_to_end)}}};
}

double share(std::uint64_t cycles, std::uint64_t of) {
  return of == 0 ? 0 : static_cast<double>(cycles) / static_cast<double>(of);
}

const tpu_tile_ran *ran_of(const tile_view &v, const tpu_tile_program &p) {
  for (std::uint32_t i = 0; i < v.result->programs; ++i) {
    const tpu_tile_ran &ran = v.result->program[i];
    if (ran.rows == p.rows && ran.blocks == p.blocks)
      return &ran;
  }
  return nullptr;
}

std::uint64_t accelerator_cycles(const tpu_tile_result &r) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < r.programs; ++i)
    sum += r.program[i].cycles;
  return sum;
}

std::uint64_t tiles_run(const tpu_tile_result &r) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = 0; i < r.programs; ++i)
    sum += r.program[i].runs;
  return sum;
}

double array_utilization(const tile_view &v) {
  const std::uint32_t t = v.job->request.config->params.t;
  return share(v.result->macs, accelerator_cycles(*v.result) * t * t);
}

// The words of a legal program, or as much of an illegal one as can be read.
std::string disassembled(const tpu_tile_program &p) {
  std::string text(std::size_t{p.legality.code.count} * 128 + 1, '\0');
  tpu_text t = tpu_text_on(text.data(), text.size());
  tpu_disassemble_program(&p.legality.code, &t);
  text.resize(t.length);
  return text;
}

void print_parts(const tpu_tile_result &r) {
  std::printf("\n  %-20s %12s  share\n", "cycles of the core", "cycles");
  for (const part &p : parts_of(r))
    std::printf("  %-20s %12" PRIu64 " %5.1f %%\n", p.text, p.cycles,
                100 * share(p.cycles, r.end_to_end));
  std::printf("  %-20s %12" PRIu64 "\n", "end to end", r.end_to_end);
  std::printf("  the accelerator's %" PRIu64
              " cycles, %.1f %%, lie in wait: the core packs nothing "
              "meanwhile\n",
              accelerator_cycles(r), 100 * share(accelerator_cycles(r), r.end_to_end));
}

void print_programs(const tile_view &v) {
  const std::uint32_t t = v.job->request.config->params.t;
  std::printf("\n  %-22s %6s %12s %10s %10s %12s %12s\n", "program", "tiles", "instructions",
              "least", "most", "cycles", "MACs a tile");
  for (std::uint32_t i = 0; i < v.job->programs; ++i) {
    const tpu_tile_program &p = v.job->program[i];
    const tpu_tile_ran *ran = ran_of(v, p);
    const std::string name =
        std::to_string(p.rows) + " rows x " + std::to_string(p.blocks * t) + " columns";
    std::printf("  %-22s %6u %12u", name.c_str(), p.tiles, p.program.count);
    if (ran != nullptr && ran->runs != 0)
      std::printf(" %10" PRIu64 " %10" PRIu64 " %12" PRIu64, ran->least, ran->most, ran->cycles);
    else
      std::printf(" %10s %10s %12s", "-", "-", "-");
    std::printf(" %12" PRIu64 "\n", std::uint64_t{p.legality.counts.mm_rows} * t * t);
  }
  std::printf("  accelerator cycles of a run, and of all runs\n");
}

void print_disassembly(const tile_view &v) {
  const std::uint32_t t = v.job->request.config->params.t;
  for (std::uint32_t i = 0; i < v.job->programs; ++i) {
    const tpu_tile_program &p = v.job->program[i];
    const std::string text = disassembled(p);
    std::printf("\n  %u rows x %u columns:\n", p.rows, p.blocks * t);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\n', at), text.size());
      std::printf("    %.*s\n", static_cast<int>(end - at), text.c_str() + at);
      at = end + 1;
    }
  }
}

void print_device(const tile_view &v) {
  const tpu_params &p = v.job->request.config->params;
  const tpu_tile_result &r = *v.result;
  std::printf("  accelerator  %" PRIu64 " cycles, start to done, summed over %" PRIu64 " runs%s\n",
              accelerator_cycles(r), tiles_run(r), tpu_extrapolated_note(v.job->request.config));
  std::printf("  end to end   %" PRIu64 " cycles with the driver\n", r.end_to_end);
  std::printf("  array        %.1f %% = %" PRIu64 " MACs / (%u*%u * accelerator cycles)\n",
              100 * array_utilization(v), r.macs, p.t, p.t);
}

void put_work(tpu_json_writer *w, const tpu_counts &c) {
  const struct {
    const char *key;
    std::uint32_t value;
  } counts[] = {{"dma_ld", c.dma_ld}, {"spm", c.spm},         {"vru", c.vru},
                {"mm", c.mm},         {"mm_rows", c.mm_rows}, {"accu", c.accu},
                {"dma_st", c.dma_st}, {"a_span", c.a_span},   {"b_span", c.b_span}};
  tpu_json_begin_object(w, "work");
  for (const auto &count : counts)
    tpu_json_put_u64(w, count.key, count.value);
  tpu_json_end(w);
}

void put_program(tpu_json_writer *w, const tile_view &v, const tpu_tile_program &p) {
  const tpu_tile_ran *ran = ran_of(v, p);
  const int known = ran != nullptr && ran->runs != 0 ? 1 : 0;
  tpu_json_begin_object(w, nullptr);
  tpu_json_put_u64(w, "rows", p.rows);
  tpu_json_put_u64(w, "columns", std::uint64_t{p.blocks} * v.job->request.config->params.t);
  tpu_json_put_u64(w, "tiles", p.tiles);
  tpu_json_put_u64(w, "runs", ran != nullptr ? ran->runs : 0);
  tpu_json_put_u64(w, "instructions", p.program.count);
  tpu_json_put_bool(w, "legal", p.legality.legal);
  put_work(w, p.legality.counts);
  tpu_json_put_u64(w, "cycles", ran != nullptr ? ran->cycles : 0);
  tpu_json_put_u64_or_null(w, "least", known, known != 0 ? ran->least : 0);
  tpu_json_put_u64_or_null(w, "most", known, known != 0 ? ran->most : 0);
  if (v.with_programs)
    tpu_json_put_string(w, "text", disassembled(p).c_str());
  tpu_json_end(w);
}

void put_cut(tpu_json_writer *w, const tile_view &v) {
  const tpu_tile_plan &plan = v.job->plan;
  tpu_json_begin_object(w, "tiles");
  tpu_json_put_u64(w, "rows", plan.rows);
  tpu_json_put_u64(w, "columns", std::uint64_t{plan.blocks} * v.job->request.config->params.t);
  tpu_json_put_u64(w, "k_blocks", plan.kt);
  tpu_json_put_u64(w, "down", plan.row_tiles);
  tpu_json_put_u64(w, "across", plan.col_tiles);
  tpu_json_put_u64(w, "run", tiles_run(*v.result));
  tpu_json_put_string(w, "kept", plan.keep_b != 0 ? "B" : "A");
  tpu_json_end(w);
}

void put_windows(tpu_json_writer *w, const tpu_tile_result &r) {
  tpu_json_begin_object(w, "windows");
  tpu_json_put_u64(w, "accelerator", accelerator_cycles(r));
  tpu_json_put_u64(w, "end_to_end", r.end_to_end);
  tpu_json_end(w);
  tpu_json_begin_object(w, "core");
  for (const part &p : parts_of(r))
    tpu_json_put_u64(w, p.key, p.cycles);
  tpu_json_end(w);
  tpu_json_begin_object(w, "shares");
  for (const part &p : parts_of(r))
    tpu_json_put_double(w, p.key, share(p.cycles, r.end_to_end));
  tpu_json_put_double(w, "accelerator", share(accelerator_cycles(r), r.end_to_end));
  tpu_json_end(w);
}

void put_comparison(tpu_json_writer *w, const tpu_tile_verdict &v) {
  const tpu_comparison &c = v.comparison;
  if (v.compared == 0)
    return;
  tpu_json_begin_object(w, "comparison");
  tpu_json_put_u64(w, "wrong", c.wrong);
  tpu_json_put_u64(w, "clobbered", c.clobbered);
  if (c.wrong != 0) {
    tpu_json_put_u64(w, "row", c.row);
    tpu_json_put_u64(w, "col", c.col);
    tpu_json_put_i64(w, "expected", c.expected);
    tpu_json_put_i64(w, "got", c.got);
  }
  tpu_json_end(w);
}

} // namespace

void print_tile(const tile_view &v) {
  const tpu_tile_job &job = *v.job;
  const tpu_tile_plan &plan = job.plan;
  const tpu_params &p = job.request.config->params;
  const char *reason = v.verdict->reason;
  std::printf("tile %u x %u x %u: %s%s%s\n", plan.m, plan.k, plan.n,
              tpu_verdict_name(v.verdict->verdict), reason[0] == '\0' ? "" : " - ", reason);
  std::printf("  machine      T=%u MAXDIM=%u QD=%u DMA_WORDS=%u\n", p.t, p.maxdim, p.qd,
              p.dma_words);
  std::printf("  tiles        %u = %u x %u, of %u rows x %u columns at most; all %u k-blocks in "
              "each\n",
              plan.row_tiles * plan.col_tiles, plan.row_tiles, plan.col_tiles, plan.rows,
              plan.blocks * p.t, plan.kt);
  std::printf("  images       %u of %s kept, %u of %s one at a time: each operand is packed once\n",
              plan.keep_b != 0 ? plan.col_tiles : plan.row_tiles, plan.keep_b != 0 ? "B" : "A",
              plan.keep_b != 0 ? plan.row_tiles : plan.col_tiles, plan.keep_b != 0 ? "A" : "B");
  std::printf("  results      %u bytes of C, %u of them saturated\n", job.at.c.bytes,
              v.verdict->saturated);
  if (v.ran) {
    std::printf("  console      %s", v.console.c_str());
    if (v.console.empty())
      std::printf("\n");
  }
  if (v.result->end_to_end != 0) {
    print_device(v);
    print_parts(*v.result);
  }
  print_programs(v);
  if (v.with_programs)
    print_disassembly(v);
  if (v.ran)
    print_memory(job.request.config->memory, v.memory);
  if (v.deadlock)
    tpu_hang_print(&v.deadlock->view());
}

void put_tile(const tile_view &v, tpu_json_writer *w) {
  const tpu_tile_job &job = *v.job;
  tpu_json_begin_object(w, nullptr);
  tpu_json_put_u64(w, "m", job.plan.m);
  tpu_json_put_u64(w, "k", job.plan.k);
  tpu_json_put_u64(w, "n", job.plan.n);
  tpu_json_put_string(w, "verdict", tpu_verdict_name(v.verdict->verdict));
  tpu_json_put_text_or_null(w, "reason", v.verdict->reason);
  tpu_json_put_bool(w, "exact", v.verdict->verdict == TPU_VERDICT_EXACT);
  tpu_json_put_bool(w, "extrapolated", tpu_extrapolated(job.request.config));
  put_cut(w, v);
  tpu_json_begin_array(w, "programs");
  for (std::uint32_t i = 0; i < job.programs; ++i)
    put_program(w, v, job.program[i]);
  tpu_json_end(w);
  tpu_json_put_u64(w, "macs", v.result->macs);
  tpu_json_put_double(w, "array_utilization", array_utilization(v));
  tpu_json_put_u64(w, "saturated", v.verdict->saturated);
  put_windows(w, *v.result);
  put_comparison(w, *v.verdict);
  if (v.deadlock)
    tpu_hang_put(&v.deadlock->view(), "deadlock", w);
  if (v.ran) {
    put_memory(job.request.config->memory, v.memory, "memory", w);
    tpu_json_put_u64(w, "core_instructions", v.status.instructions);
    tpu_json_put_string(w, "console", v.console.c_str());
  }
  tpu_config_put(job.request.config, "config", w);
  tpu_json_end(w);
}

} // namespace tpu::cli
