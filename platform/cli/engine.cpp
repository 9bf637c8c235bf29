/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/engine.h"

#include "platform/cli/engine_result.h"
#include "platform/timing_file.h"

#include <cstring>
#include <memory>
#include <new>

namespace tpu::cli {

namespace {

// Memory that answers at once: program, A, B and C, one behind the other.
class ideal_memory final : public core::memory_port {
public:
  explicit ideal_memory(std::size_t bytes) : bytes_(bytes) {}

  std::uint8_t *at(std::uint64_t address) { return bytes_.data() + address; }

  core::transfer read(core::cycle, std::uint64_t address, void *to, std::size_t bytes) override {
    if (!holds(address, bytes))
      return {false, 0, 0};
    std::memcpy(to, at(address), bytes);
    return {};
  }
  core::transfer write(core::cycle, std::uint64_t address, const void *from,
                       std::size_t bytes) override {
    if (!holds(address, bytes))
      return {false, 0, 0};
    std::memcpy(at(address), from, bytes);
    return {};
  }

private:
  bool holds(std::uint64_t address, std::size_t bytes) const {
    return address <= bytes_.size() && bytes <= bytes_.size() - address;
  }

  std::vector<std::uint8_t> bytes_;
};

void run(const core::timing_profile &timing, const tpu_engine_request &request,
         const std::uint64_t (&header)[TPU_HEADER_WORDS], tpu_engine_result &result) {
  const tpu_params &p = *request.params;
  const std::size_t image_bytes = std::size_t{p.maxdim} * p.maxdim;
  const std::size_t program_bytes = request.program->count * sizeof(tpu_word);
  core::run_addresses at;
  at.a = at.program + sizeof header + program_bytes;
  at.b = at.a + image_bytes;
  at.c = at.b + image_bytes;
  ideal_memory memory(at.c + image_bytes);
  std::memcpy(memory.at(at.program), header, sizeof header);
  std::memcpy(memory.at(at.program) + sizeof header, request.program->words, program_bytes);
  const std::uint64_t addresses[3] = {at.a, at.b, at.c};
  for (int i = 0; i < 3; ++i)
    if (request.image[i] != nullptr)
      std::memcpy(memory.at(addresses[i]), request.image[i], image_bytes);
  core::plain_network net(p, timing, {memory, memory, memory}, request.seed);
  const bool causes = request.wants_causes != 0;
  net.record_path(causes);
  net.run(at);
  fill_result(net, memory.at(at.c), image_bytes, causes, result);
}

int run_request(void *context, const tpu_engine_request *request, tpu_engine_result *result,
                tpu_report *r) {
  std::uint64_t header[TPU_HEADER_WORDS];
  if (tpu_header_pack(request->counts, header) == 0)
    return tpu_report_fail(r, TPU_ERR_RANGE, "the work of the program does not fit a header");
  try {
    run(*static_cast<const core::timing_profile *>(context), *request, header, *result);
  } catch (const std::bad_alloc &) {
    return out_of_memory(*request->params, r);
  }
  return 1;
}

} // namespace

} // namespace tpu::cli

int tpu_engine_open(const char *timing_path, struct tpu_engine *engine, struct tpu_report *r) {
  auto timing = std::make_unique<tpu::core::timing_profile>();
  *engine = tpu_engine{};
  if (tpu::read_timing_profile(timing_path, *timing, r) == 0)
    return 0;
  *engine = {timing.release(), 0, tpu::cli::run_request, tpu::cli::release_result};
  return 1;
}

void tpu_engine_close(struct tpu_engine *engine) {
  delete static_cast<tpu::core::timing_profile *>(engine->context);
  *engine = tpu_engine{};
}
