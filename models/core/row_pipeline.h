// SPDX-License-Identifier: Apache-2.0
// The shape that every unit beside sequencer and array has: one flat loop over the promised work,
// pipelined at a fixed interval, whose stages freeze together. An iteration takes a command word at
// stage 0 when the last one's rows have run out, may take one token at its get stage and put one at
// its put stage. Enabled cycle n happens when every access of every iteration in the pipeline can.
#ifndef TPU_MODELS_CORE_ROW_PIPELINE_H
#define TPU_MODELS_CORE_ROW_PIPELINE_H

#include <array>

#include "models/core/unit.h"

namespace tpu::core {

// One instruction as the sequencer dispatches it to a unit; a 64-bit word in the machine.
struct command {
  std::uint8_t op = 0;       // enum tpu_op
  std::uint8_t mode = 0;     // dma_ld: its f0; mm: accumulate
  std::uint32_t rows = 0;    // iterations
  std::uint32_t payload = 0; // mm at the scratchpad: activation rows
  std::array<std::uint32_t, 3> address{};
  std::uint32_t insn = 0; // instruction number, for reports
};

struct pipeline_shape {
  int stages;
  int interval;
  int get_stage;
  int put_stage; // not before get_stage
};

class row_pipeline : public unit {
public:
  row_pipeline(std::string name, stream<command> &commands, const pipeline_shape &shape);

protected:
  // What one iteration does.
  struct row_op {
    stream_timing *get = nullptr;
    stream_timing *put = nullptr;
    std::uint8_t kind = 0;
    std::uint32_t row = 0;
    std::uint32_t other = 0;
  };

  // Iteration k of a command.
  virtual row_op decode(const command &c, std::uint32_t k) = 0;
  // The memory's work of an iteration, in program order, at its get stage in cycle t; slot names
  // the ring place (0 .. ring-1) in which it may keep a result for emit.
  virtual void execute(const row_op &op, std::size_t slot, cycle t) = 0;
  // Puts the token at cycle t. False = fault.
  virtual bool emit(const row_op &op, std::size_t slot, cycle t) = 0;

  void set_work(std::uint64_t iterations);
  bool advance() override;
  std::string held() const override;

  static constexpr std::size_t ring = 32; // iterations a pipeline may hold; stages <= 32

private:
  bool iteration_at(std::int64_t n, int stage, std::int64_t &iteration) const;

  stream<command> &commands_;
  pipeline_shape shape_;
  std::int64_t work_ = 0;  // iterations
  std::int64_t limit_ = 0; // enabled cycles
  std::int64_t n_ = 0;     // next enabled cycle
  std::uint32_t left_ = 0; // rows left of the current command
  command current_;
  std::array<row_op, ring> ops_;
};

} // namespace tpu::core
#endif
