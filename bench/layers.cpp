// SPDX-License-Identifier: Apache-2.0
#include "bench/layers.h"

#include "isa/check.h"
#include "isa/mapper.h"
#include "judge/corpus.h"
#include "judge/kpn.h"

#include <algorithm>
#include <memory>
#include <vector>

namespace tpu::bench {

namespace {

// A spec's baseline and what its checks need.
class baseline {
public:
  ~baseline() { tpu_spec_release(&spec_); }
  baseline() = default;
  baseline(const baseline &) = delete;
  baseline &operator=(const baseline &) = delete;

  std::string open(const std::string &corpus, const char *name) {
    tpu_error e{};
    if (!tpu_params_resolve(&params_, &e))
      return e.text;
    if (!tpu_corpus_find(corpus.c_str(), name, &spec_, &report_))
      return report_.text;
    words_.resize(tpu_program_capacity(&params_));
    insns_.resize(words_.size());
    program_ = {words_.data(), static_cast<std::uint32_t>(words_.size()), 0};
    code_ = {insns_.data(), static_cast<std::uint32_t>(insns_.size()), 0};
    if (!tpu_map_baseline(&params_, &spec_.workload, &program_, &e))
      return e.text;
    covered_.resize((std::size_t{params_.maxdim} * (params_.maxdim / params_.t) + 7) / 8);
    return "";
  }

  bool keeps_contracts() {
    return tpu_check_program(&params_, &program_, &code_, work_.get(), &counts_, &violation_) !=
               0 &&
           tpu_check_spec(&params_, &code_, &spec_.workload, covered_.data(), covered_.size(),
                          &violation_) != 0;
  }
  bool keeps_protocol() { // after the contracts
    tpu_kpn network{};
    return tpu_kpn_run(&params_, &code_, &counts_, &network, &report_) != 0 && network.agrees != 0;
  }

private:
  tpu_params params_ = tpu_params_default();
  tpu_spec spec_{};
  tpu_report report_{};
  std::vector<tpu_word> words_;
  std::vector<tpu_insn> insns_;
  std::vector<std::uint8_t> covered_;
  std::unique_ptr<tpu_check_work> work_ = std::make_unique<tpu_check_work>();
  tpu_program program_{};
  tpu_code code_{};
  tpu_counts counts_{};
  tpu_violation violation_{};
};

// Seconds of one of `times` checks, or -1 when one of them fails.
template <class Check> double mean_seconds(unsigned times, Check check) {
  const double begun = now_seconds();
  for (unsigned k = 0; k < times; ++k)
    if (!check())
      return -1;
  return (now_seconds() - begun) / times;
}

} // namespace

outcome measure_layers(const places &where, const char *spec) {
  baseline b;
  if (std::string why = b.open(where.corpus, spec); !why.empty())
    return {{}, why};
  outcome o;
  o.numbers.resize(LAYER_NUMBERS);
  o.numbers[CONTRACT_SECONDS] = mean_seconds(1000, [&] { return b.keeps_contracts(); });
  o.numbers[PROTOCOL_SECONDS] = mean_seconds(20, [&] { return b.keeps_protocol(); });
  if (*std::min_element(o.numbers.begin(), o.numbers.end()) < 0)
    return {{}, std::string(spec) + ": the baseline is not legal"};
  return o;
}

} // namespace tpu::bench
