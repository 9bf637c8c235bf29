/* SPDX-License-Identifier: Apache-2.0 */
#include "platform/cli/circle_words.h"

#include <algorithm>
#include <array>

namespace tpu::cli {

namespace {

using core::access_kind;
using core::blocked_access;

// "a_fwd" of "a_fwd[3][0]", "pe" of "pe[3][1]".
std::string base_of(const std::string &name) { return name.substr(0, name.find('[')); }

bool in_array(const std::string &process) { return process.find('[') != std::string::npos; }

// What the tokens of a stream are.
const char *tokens_of(const std::string &stream) {
  struct row {
    const char *base, *tokens;
  };
  static const std::array<row, 12> rows = {{{"dma2sp", "operand rows"},
                                            {"dma2vr", "operand rows"},
                                            {"sp2vr", "operand rows"},
                                            {"wcol", "weights"},
                                            {"wrow", "weights"},
                                            {"wq", "weights"},
                                            {"acol", "activation rows"},
                                            {"a_fwd", "activation rows"},
                                            {"p_fwd", "partial sums"},
                                            {"cw", "result rows"},
                                            {"ac2sp", "rows for C"},
                                            {"write window", "writes"}}};
  const std::string base = base_of(stream);
  const auto *const found =
      std::find_if(rows.begin(), rows.end(), [&](const row &r) { return base == r.base; });
  return found != rows.end() ? found->tokens : "instructions";
}

// Processes that follow one another in the circle and are told as one.
struct link {
  std::vector<const blocked_access *> members;
  std::string name;
  bool many() const { return members.size() > 1; }
};

bool told_as_one(const blocked_access &a, const blocked_access &b, bool by_stream) {
  return in_array(a.process) && base_of(a.process) == base_of(b.process) &&
         (!by_stream || (a.kind == b.kind && base_of(a.stream) == base_of(b.stream)));
}

// The sequencer, where it takes part, comes last: what it cannot issue is where most hangs close.
std::vector<const blocked_access *>
from_behind_the_sequencer(const std::vector<blocked_access> &blocked,
                          const std::vector<std::string> &circle) {
  std::vector<const blocked_access *> members;
  members.reserve(circle.size());
  for (const std::string &name : circle)
    members.push_back(&*std::find_if(blocked.begin(), blocked.end(),
                                     [&](const blocked_access &b) { return b.process == name; }));
  const auto sequencer = std::find_if(members.begin(), members.end(), [](const blocked_access *b) {
    return b->process == "sequencer";
  });
  if (sequencer != members.end())
    std::rotate(members.begin(), sequencer + 1, members.end());
  return members;
}

std::vector<link> chain(const std::vector<const blocked_access *> &members, bool by_stream) {
  std::vector<link> links;
  for (const blocked_access *b : members) {
    if (!links.empty() && told_as_one(*links.back().members.back(), *b, by_stream))
      links.back().members.push_back(b);
    else
      links.push_back({{b}, ""});
  }
  // The circle may have been opened in the middle of such a group.
  if (links.size() > 1 &&
      told_as_one(*links.back().members.back(), *links.front().members.front(), by_stream)) {
    std::vector<const blocked_access *> &first = links.front().members;
    first.insert(first.begin(), links.back().members.begin(), links.back().members.end());
    links.pop_back();
  }
  return links;
}

// "the PEs" where no others are in the circle, else by the names of the first and the last.
void name(std::vector<link> &links) {
  for (link &l : links) {
    const std::string unit = base_of(l.members.front()->process);
    const auto alike = std::count_if(links.begin(), links.end(), [&](const link &other) {
      return base_of(other.members.front()->process) == unit;
    });
    if (!l.many())
      l.name = unit == "sequencer" ? "the sequencer" : l.members.front()->process;
    else if (alike == 1)
      l.name = unit == "pe" ? "the PEs" : "the weight loaders";
    else
      l.name = l.members.front()->process + " to " + l.members.back()->process;
  }
}

// What the last of `from` waits for; its other end is the first of `to`.
std::string clause(const link &from, const link &to) {
  const blocked_access &b = *from.members.back();
  const std::string waits = from.name + (from.many() ? " wait for " : " waits for ");
  const std::string tokens = tokens_of(b.stream);
  if (b.kind == access_kind::put)
    return waits + "room in " + b.stream + ", full with " + std::to_string(b.occupancy) + " of " +
           std::to_string(b.depth) + " " + tokens + " that " + to.name +
           (to.many() ? " do not take" : " does not take");
  if (tokens == "instructions")
    return waits + "an instruction in " + b.stream + " that " + to.name + " cannot issue";
  const bool holds = std::any_of(to.members.begin(), to.members.end(),
                                 [](const blocked_access *m) { return !m->held.empty(); });
  return waits + tokens + " in " + b.stream + " that " + to.name +
         (holds ? (to.many() ? " hold back" : " holds back")
                : (to.many() ? " have not got" : " has not got"));
}

} // namespace

std::vector<std::string> circle_in_words(const std::vector<core::blocked_access> &blocked,
                                         const std::vector<std::string> &circle) {
  const auto members = from_behind_the_sequencer(blocked, circle);
  std::vector<link> links = chain(members, false);
  if (links.size() == 1) // all of one kind: by what they wait for
    links = chain(members, true);
  name(links);
  std::vector<std::string> out;
  for (std::size_t k = 0; k < links.size(); ++k)
    out.push_back(clause(links[k], links[(k + 1) % links.size()]));
  return out;
}

} // namespace tpu::cli
