// SPDX-License-Identifier: Apache-2.0
#include "models/core/sequencer.h"

#include <algorithm>

#include "isa/interp.h"
#include "isa/rules.h"

namespace tpu::core {

sequencer::sequencer(const tpu_params &p, const timing_profile &timing, stream_set &streams,
                     memory_port &memory,
                     std::function<void(const tpu_counts &counts, cycle start)> header_read)
    : unit("sequencer"), p_(p), timing_(timing), streams_(streams), memory_(memory),
      header_read_(std::move(header_read)) {}

void sequencer::prepare(const tpu_counts &) {
  loaded_ = false;
  pending_ = false;
  fetched_ = 0;
  prefetch_steps_ = 0;
  recorded_fetches_ = 0;
  issues_.clear();
  for (work_log &w : work_) {
    w.clear();
  }
}

bool sequencer::refuse(int code, std::uint32_t info, std::string text, cycle t) {
  return fail({code, info, "sequencer: " + std::move(text), t});
}

bool sequencer::read_words(std::uint64_t address, std::size_t count) {
  words_.resize(count);
  transfer_ = memory_.read(last_ + 1, address, words_.data(), count * sizeof words_[0]);
  return transfer_.ok ||
         refuse(TPU_HW_ERROR_BUS, static_cast<std::uint32_t>(address),
                "reading the program failed on the bus", last_ + 1 + transfer_.end());
}

// Header, program, decode: the state before the first fetch.
bool sequencer::load() {
  if (!read_words(addresses_.program, TPU_HEADER_WORDS)) {
    return false;
  }
  tpu_counts counts{};
  const cycle units_start = start_ + transfer_.end();
  if (tpu_header_unpack(words_.data(), &counts) == 0) {
    return refuse(TPU_HW_ERROR_BAD_HEADER, 0,
                  "a header count has its top bit set, or an unused header bit is set",
                  units_start);
  }
  if (counts.insns == 0 || counts.insns > tpu_program_capacity(&p_)) {
    return refuse(TPU_HW_ERROR_BAD_COUNT, counts.insns,
                  "static count " + std::to_string(counts.insns) + " is not 1.." +
                      std::to_string(tpu_program_capacity(&p_)),
                  units_start);
  }
  header_read_(counts, units_start);
  last_ = units_start - 1;
  counters_.starved += units_start - start_; // what a memory that is not ideal takes for the header

  if (!read_words(addresses_.program + TPU_HEADER_WORDS * sizeof words_[0],
                  std::size_t{counts.insns} * 2)) {
    return false;
  }
  const cycle read = last_ + 1 + transfer_.end();
  insns_.assign(counts.insns, tpu_insn{});
  for (std::uint32_t k = 0; k < counts.insns; ++k) {
    const tpu_word word{words_[2 * k], words_[2 * k + 1]};
    tpu_error e{};
    if (tpu_decode(&word, &insns_[k], nullptr, &e) == 0) {
      return refuse(TPU_HW_ERROR_BAD_PROGRAM, k, "instruction " + std::to_string(k) + ": " + e.text,
                    read);
    }
  }
  code_ = {insns_.data(), counts.insns, counts.insns};
  int rule = TPU_RULE_NONE;
  std::uint32_t bad = 0;
  tpu_error e{};
  if (tpu_check_loops(&code_, &rule, &bad, &e) == 0 && rule != TPU_RULE_LOOP_TRIP &&
      rule != TPU_RULE_LOOP_STALE_IV) {
    return refuse(TPU_HW_ERROR_BAD_PROGRAM, bad,
                  "instruction " + std::to_string(bad) + ": " + e.text, read);
  }
  counters_.promised = tpu_total_fetches(&code_);
  tpu_walk_begin(&walk_, &code_);

  const cycle beat = timing_.prefetch_beat_words;
  const cycle steps = (static_cast<cycle>(p_.imem_size) + beat - 1) / beat;
  const cycle taken =
      transfer_.latency + std::max(steps, transfer_.occupancy) + timing_.dispatch_setup_cycles;
  last_ += taken;
  counters_.busy += taken;
  prefetch_steps_ = taken;
  loaded_ = true;
  return true;
}

stream<command> &sequencer::queue_of(enum tpu_unit u) {
  switch (u) {
  case TPU_UNIT_DMA_LD:
    return streams_.c_dld;
  case TPU_UNIT_SPM:
    return streams_.c_spm;
  case TPU_UNIT_VRU:
    return streams_.c_vru;
  case TPU_UNIT_ACCU:
    return streams_.c_acc;
  default:
    return streams_.c_dst;
  }
}

void sequencer::translate(const tpu_issue &i) {
  words_out_.clear();
  command c;
  c.op = i.op;
  c.rows = i.nr;
  c.insn = i.index;
  const auto send = [&](enum tpu_unit to, std::array<std::uint32_t, 3> address) {
    c.address = address;
    words_out_.push_back({&queue_of(to), to, c});
  };
  switch (i.op) {
  case TPU_OP_DMA_LD:
    c.mode = static_cast<std::uint8_t>(i.f[0]);
    send(TPU_UNIT_DMA_LD, {i.f[1], i.f[2], 0});
    send((i.f[0] & TPU_DMA_DEST_VR) != 0 ? TPU_UNIT_VRU : TPU_UNIT_SPM, {i.f[3], 0, 0});
    break;
  case TPU_OP_VLD:
    send(TPU_UNIT_SPM, {i.f[1], 0, 0});
    send(TPU_UNIT_VRU, {i.f[0], 0, 0});
    break;
  case TPU_OP_MM:
    c.mode = static_cast<std::uint8_t>(i.f[2]);
    send(TPU_UNIT_VRU, {i.f[0], 0, 0});
    send(TPU_UNIT_ACCU, {i.f[1], 0, 0});
    c.payload = i.nr;
    c.rows = p_.t + 1;
    send(TPU_UNIT_SPM, {i.f[3], 0, 0});
    break;
  case TPU_OP_VADD:
    c.rows = 2U * i.nr;
    send(TPU_UNIT_ACCU, {i.f[0], i.f[1], i.f[2]});
    break;
  case TPU_OP_VRELU:
    send(TPU_UNIT_ACCU, {i.f[0], i.f[1], 0});
    break;
  default: // mvout
    send(TPU_UNIT_ACCU, {i.f[0], 0, 0});
    send(TPU_UNIT_DMA_ST, {i.f[1], i.f[2], 0});
    break;
  }
}

// What of each unit's work is that of the instruction about to be dispatched.
void sequencer::record_dispatch() {
  unit_work items{};
  items[TPU_UNIT_SEQUENCER] = static_cast<std::uint32_t>(fetched_ + 1 - recorded_fetches_);
  recorded_fetches_ = fetched_ + 1;
  for (const dispatch &d : words_out_) {
    items[d.to] = d.word.rows;
  }
  if (issue_.op == TPU_OP_MM) {
    items[TPU_UNIT_WLD] = 1;
    items[TPU_UNIT_PE] = issue_.nr;
  }
  if (observer_ != nullptr) {
    observer_->dispatched(issue_, items);
    return;
  }
  const std::size_t issue = issues_.size();
  issues_.push_back(issue_);
  for (std::size_t u = 0; u < items.size(); ++u) {
    if (items[u] != 0) {
      work_[u].add(items[u], issue);
    }
  }
}

// Cycles of the fetches before the next dispatch cycle; all enabled.
void sequencer::advance_fetches(std::uint64_t upto) {
  const cycle cycles = static_cast<cycle>(upto - fetched_) * timing_.fetch_interval;
  last_ += cycles;
  counters_.busy += cycles;
  fetched_ = upto;
  counters_.done = upto;
}

bool sequencer::advance() {
  if (!loaded_ && !load()) {
    return false;
  }
  for (;;) {
    if (!pending_) {
      if (tpu_walk_next(&walk_, &issue_) == 0) {
        break;
      }
      tpu_error e{};
      if (tpu_issue_executable(&p_, &issue_, &e) == 0) {
        return refuse(TPU_HW_ERROR_BAD_ADDRESS, issue_.index,
                      "instruction " + std::to_string(issue_.index) + ": " + e.text, last_ + 1);
      }
      translate(issue_);
      // The dispatch cycle is the last of its fetch: account the others now.
      const std::uint64_t before = walk_.fetches - 1;
      advance_fetches(before);
      last_ += timing_.fetch_interval - 1;
      counters_.busy += timing_.fetch_interval - 1;
      pending_ = true;
    }
    cycle slots = no_time;
    const stream_timing *slot_on = nullptr;
    for (const dispatch &d : words_out_) {
      if (lacks_slot(*d.queue)) {
        return false;
      }
      if (const cycle ready = d.queue->slot_ready(); ready >= slots) {
        slots = ready;
        slot_on = d.queue;
      }
    }
    if (log_ != nullptr) {
      record_dispatch();
    }
    const cycle t = enable(no_time, nullptr, slots, slot_on);
    for (const dispatch &d : words_out_) {
      d.queue->put(t, d.word);
    }
    ++fetched_;
    counters_.done = fetched_;
    pending_ = false;
  }
  advance_fetches(counters_.promised);
  return true;
}

} // namespace tpu::core
