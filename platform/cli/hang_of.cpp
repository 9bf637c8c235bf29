/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/hang_of.h"

#include "platform/cli/circle_words.h"

namespace tpu::cli {

namespace {

std::string describe(std::size_t processes, const std::vector<std::string> &clauses) {
  std::string out = std::to_string(processes) + " processes wait for each other";
  const char *separator = "; the circle: ";
  for (const std::string &c : clauses) {
    out += separator + c;
    separator = "; ";
  }
  return out;
}

} // namespace

hang::hang(const core::network &net)
    : blocked_(net.blocked()), circle_(net.wait_cycle()),
      clauses_(circle_in_words(blocked_, circle_)),
      sentence_(describe(blocked_.size(), clauses_)), view_{} {
  for (const core::blocked_access &b : blocked_)
    processes_.push_back({b.process.c_str(), b.kind == core::access_kind::get ? 1 : 0,
                          b.stream.c_str(), b.occupancy, b.depth, b.peer.c_str(), b.held.c_str()});
  for (const std::string &name : circle_)
    names_.push_back(name.c_str());
  for (const std::string &c : clauses_)
    words_.push_back(c.c_str());
  view_ = {sentence_.c_str(), processes_.data(), processes_.size(), names_.data(),
           names_.size(),     words_.data(),     words_.size()};
}

} // namespace tpu::cli
