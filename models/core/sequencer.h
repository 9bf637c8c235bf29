// SPDX-License-Identifier: Apache-2.0
// sequencer: owns instruction memory, pc and loop stack. Reads header and program over the bus,
// hands every unit its header counts, then fetches at a fixed interval, loop and endloop included,
// and writes each instruction's words to all their queues in one cycle, or waits.
//   reads   DRAM (program)     writes  c_dld, c_spm, c_vru, c_acc, c_dst     promised  fetches
#ifndef TPU_MODELS_CORE_SEQUENCER_H
#define TPU_MODELS_CORE_SEQUENCER_H

#include <array>
#include <functional>

#include "models/core/machine.h"

namespace tpu::core {

class sequencer final : public unit {
public:
  // header_read is called once the header is there, with the cycle at which the units start.
  sequencer(const tpu_params &p, const timing_profile &timing, stream_set &streams,
            memory_port &memory,
            std::function<void(const tpu_counts &counts, cycle start)> header_read);
  bool masters_bus() const override { return true; }
  void set_addresses(const run_addresses &addresses) { addresses_ = addresses; }

  // Of a recorded run: the instructions dispatched, in order, and whose each item of a unit is:
  // its rows; of the array's PEs the rows of mms, of its loaders mms; of the sequencer fetches.
  const std::vector<tpu_issue> &issues() const { return issues_; }
  const work_log &work(enum tpu_unit u) const { return work_[u]; }
  // Of a recorded run that is observed the logs above go there.
  void tell(run_observer *observer) { observer_ = observer; }
  // Enabled cycles before the first fetch.
  cycle prefetch_steps() const { return prefetch_steps_; }

protected:
  void prepare(const tpu_counts &) override;
  bool advance() override;

private:
  struct dispatch {
    stream<command> *queue;
    enum tpu_unit to;
    command word;
  };

  bool load();
  bool read_words(std::uint64_t address, std::size_t count);
  bool refuse(int code, std::uint32_t info, std::string text, cycle t);
  void translate(const tpu_issue &issue);
  stream<command> &queue_of(enum tpu_unit u);
  void record_dispatch();
  void advance_fetches(std::uint64_t upto);

  const tpu_params p_;
  const timing_profile timing_;
  stream_set &streams_;
  memory_port &memory_;
  std::function<void(const tpu_counts &, cycle)> header_read_;
  run_addresses addresses_;

  bool loaded_ = false;
  std::vector<std::uint64_t> words_;
  transfer transfer_;
  std::vector<tpu_insn> insns_;
  tpu_code code_{};
  tpu_walk walk_{};
  tpu_issue issue_{};
  bool pending_ = false;      // issue_ waits for its queues
  std::uint64_t fetched_ = 0; // fetches accounted in time
  std::vector<dispatch> words_out_;
  cycle prefetch_steps_ = 0;
  std::uint64_t recorded_fetches_ = 0;
  run_observer *observer_ = nullptr;
  std::vector<tpu_issue> issues_; // when recording
  std::array<work_log, TPU_UNIT_COUNT> work_;
};

} // namespace tpu::core
#endif
