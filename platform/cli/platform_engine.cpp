/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/platform_engine.h"

#include "platform/cli/engine_result.h"
#include "platform/hw/memory_map.h"
#include "platform/platform.h"
#include "platform/timing_file.h"

#include <cstring>
#include <memory>
#include <new>

namespace tpu::cli {

namespace {

// Program, A, B and C at the begin of DRAM, one behind the other, each 8-byte aligned.
struct layout {
  core::run_addresses at;
  std::size_t image_bytes = 0;
  std::size_t end = 0; // bytes from the begin of DRAM

  layout(const tpu_params &p, std::size_t instructions)
      : image_bytes(std::size_t{p.maxdim} * p.maxdim) {
    at.program = place(TPU_HEADER_WORDS * sizeof(std::uint64_t) + instructions * sizeof(tpu_word));
    at.a = place(image_bytes);
    at.b = place(image_bytes);
    at.c = place(image_bytes);
  }

private:
  std::uint64_t place(std::size_t bytes) {
    const std::uint64_t address = TPU_DRAM_BASE + end;
    end += (bytes + 7) / 8 * 8;
    return address;
  }
};

int run(platform &machine, const tpu_engine_request *request, tpu_engine_result *result,
        tpu_report *r) {
  std::uint64_t header[TPU_HEADER_WORDS];
  const layout where(*request->params, request->program->count);
  if (tpu_header_pack(request->counts, header) == 0)
    return tpu_report_fail(r, TPU_ERR_RANGE, "the work of the program does not fit a header");
  if (machine.memory(TPU_DRAM_BASE, where.end) == nullptr)
    return tpu_report_fail(r, TPU_ERR_CAPACITY, "program and images need %zu bytes of DRAM",
                           where.end);
  const auto at = [&machine](std::uint64_t address, std::size_t bytes) {
    return machine.memory(static_cast<std::uint32_t>(address), bytes);
  };
  std::uint8_t *const program = at(where.at.program, where.end);
  std::memcpy(program, header, sizeof header);
  std::memcpy(program + sizeof header, request->program->words,
              request->program->count * sizeof(tpu_word));
  const std::uint64_t images[3] = {where.at.a, where.at.b, where.at.c};
  for (int i = 0; i < 3; ++i) {
    std::uint8_t *const to = at(images[i], where.image_bytes);
    if (request->image[i] != nullptr)
      std::memcpy(to, request->image[i], where.image_bytes);
    else
      std::memset(to, 0, where.image_bytes);
  }
  const bool causes = request->wants_causes != 0;
  machine.record_path(causes);
  if (machine.run_accelerator(where.at, r) == 0)
    return 0;
  fill_result(machine.device(), at(where.at.c, where.image_bytes), where.image_bytes, causes,
              *result);
  return 1;
}

int run_request(void *context, const tpu_engine_request *request, tpu_engine_result *result,
                tpu_report *r) {
  try {
    return run(*static_cast<platform *>(context), request, result, r);
  } catch (const std::bad_alloc &) {
    return out_of_memory(*request->params, r);
  }
}

} // namespace

} // namespace tpu::cli

int tpu_platform_engine_open(const struct tpu_platform_config *config, const char *timing_path,
                             uint32_t seed, struct tpu_engine *engine, struct tpu_report *r) {
  *engine = tpu_engine{};
  try {
    tpu::core::timing_profile timing;
    if (tpu::read_timing_profile(timing_path, timing, r) == 0)
      return 0;
    tpu::silence_systemc();
    auto machine = std::make_unique<tpu::platform>("platform", *config, timing, nullptr, seed);
    *engine = {machine.release(), 1, tpu::cli::run_request, tpu::cli::release_result};
  } catch (const std::bad_alloc &) {
    return tpu::cli::out_of_memory(config->params, r);
  }
  return 1;
}

void tpu_platform_engine_close(struct tpu_engine *engine) {
  delete static_cast<tpu::platform *>(engine->context);
  *engine = tpu_engine{};
}
