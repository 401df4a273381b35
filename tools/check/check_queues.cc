// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sstream>

#include "check/checks.h"
#include "check/run_program.h"

namespace halftoned {
namespace {

std::string HowToStartCups() {
  return Exists("/run/systemd/system") ? "type: sudo systemctl restart cups"
                                       : "type: sudo cupsd";
}

}  // namespace

Findings CheckQueues(const CheckContext& context) {
  const Places& places = context.places;
  if (!Exists(places.helper())) return {};  // CheckCupsFiles reports this
  const Result<Outcome> run =
      RunProgram({places.helper(), "queues"}, context.timeout);
  if (!run.ok()) {
    return {
        Wrong(run.error().message, HowToInstallOurs("cups-filter-halftone"))};
  }
  Findings findings;
  std::istringstream lines(run->out);
  for (std::string line; std::getline(lines, line);) {
    auto finding = FindingIn(line);
    if (finding) findings.push_back(std::move(*finding));
  }
  if (run->is_late) {
    findings.push_back(Wrong("CUPS has not replied for " +
                                 std::to_string(context.timeout) + " seconds",
                             HowToStartCups()));
  } else if (run->status != 0) {
    const std::string said = run->errors.substr(0, run->errors.find('\n'));
    findings.push_back(
        Wrong(said.empty() ? places.helper() + " has failed" : said,
              HowToStartCups()));
  }
  return findings;
}

}  // namespace halftoned
