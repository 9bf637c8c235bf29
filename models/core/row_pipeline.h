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
  // Rows may be moved together: none of them can fail, and none waits for another's put.
  bool stretches = true;
};

class row_pipeline : public unit {
public:
  // lanes: bytes of a row that it keeps between its get stage and its put stage.
  row_pipeline(std::string name, stream<command> &commands, const pipeline_shape &shape,
               std::size_t lanes);

protected:
  // The streams that every row of a command takes from and puts to, or null.
  struct route {
    stream_timing *get = nullptr;
    stream_timing *put = nullptr;
  };
  // Consecutive rows of one command: k, k + 1, ..., each with a place to be kept in.
  struct row_range {
    const command &c;
    std::uint32_t k;
    std::uint32_t count;
    std::size_t place; // of the first, counted without end
  };

  virtual route accesses(const command &c) = 0;
  // The memory's work of these rows, in program order, at their get stages in cycles t[0 .. count).
  virtual void execute(const row_range &rows, const cycle *t) = 0;
  // Puts their tokens at cycles t[0 .. count). False = fault.
  virtual bool emit(const row_range &rows, const cycle *t) = 0;

  // Keeps rows computed at the get stage, count x lanes bytes, and puts the kept ones.
  void keep(const row_range &rows, const std::int8_t *from);
  void put_kept(const row_range &rows, row_stream<std::int8_t> &to, const cycle *t);
  std::int8_t *kept(std::size_t place) { return &kept_[place % ring * lanes_]; }

  void set_work(std::uint64_t iterations);
  bool advance() override;
  std::string held() const override;

private:
  static constexpr std::size_t ring = 32; // iterations a pipeline may hold; stages <= 32

  struct active {
    command c;
    route where;
  };
  // An iteration inside the pipeline.
  struct iteration {
    const active *of = nullptr;
    std::uint32_t k = 0;
  };

  bool iteration_at(std::int64_t n, int stage, std::int64_t &number) const;
  iteration &inside(std::int64_t number) {
    return inside_[static_cast<std::size_t>(number) % ring];
  }
  // Of the rows from the k-th on, how many follow each other where they are kept.
  static std::uint32_t kept_in_a_row(const row_range &rows, std::uint32_t k) {
    const std::size_t end = ring - (rows.place + k) % ring;
    return static_cast<std::uint32_t>(std::min<std::size_t>(rows.count - k, end));
  }
  bool step();
  bool advance_stretch();
  bool lacks_next();

  stream<command> &commands_;
  const pipeline_shape shape_;
  const std::size_t lanes_;
  std::int64_t work_ = 0;  // iterations
  std::int64_t limit_ = 0; // enabled cycles
  std::int64_t n_ = 0;     // next enabled cycle
  std::uint32_t left_ = 0; // rows of the current command that have not entered
  std::size_t current_ = 0;
  std::array<active, ring> commands_inside_; // the latest; current_ is the last to come
  std::array<iteration, ring> inside_;
  std::vector<std::int8_t> kept_;
};

} // namespace tpu::core
#endif
