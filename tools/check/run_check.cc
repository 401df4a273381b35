// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <unistd.h>

#include <cstdio>

#include "base/descriptor.h"
#include "base/json.h"
#include "base/text.h"
#include "check/checks.h"
#include "commands.h"

namespace halftoned {
namespace {

std::string LineOfJson(const Finding& finding) {
  return JsonLine({{"kind", NameOf(finding.kind)},
                   {"what", finding.what},
                   {"remedy", finding.mend}});
}

class Report {
 public:
  explicit Report(const CheckOptions& options) : options_(options) {}

  void Add(const Findings& findings) {
    for (const Finding& finding : findings) Add(finding);
  }

  // Prints a summary, and returns the exit status.
  int Finish() const {
    if (!options_.json) Sum();
    return wrong_ == 0 ? 0 : 1;
  }

 private:
  void Sum() const {
    if (!unseen_.empty() && ::geteuid() != 0) {
      std::printf("this user cannot see: %s; type: sudo halftone check\n",
                  unseen_.c_str());
    }
    if (wrong_ == 0) {
      std::puts("no problems found");
    } else {
      std::printf("%d problem%s found\n", wrong_, wrong_ == 1 ? "" : "s");
    }
  }

  void Add(const Finding& finding) {
    if (finding.kind == FindingKind::kWrong) ++wrong_;
    if (finding.kind == FindingKind::kUnseen) {
      unseen_ += (unseen_.empty() ? "" : ", ") + Printable(finding.what);
    }
    const bool is_quiet = finding.kind == FindingKind::kGood ||
                          finding.kind == FindingKind::kUnseen;
    if (options_.json) {
      std::fputs(LineOfJson(finding).c_str(), stdout);
    } else if (!is_quiet || options_.verbose) {
      std::puts(TextOf(finding).c_str());
    }
    // Flushed, because the next check may take long.
    std::fflush(stdout);
  }

  const CheckOptions& options_;
  int wrong_ = 0;
  std::string unseen_;
};

}  // namespace

int RunCommand(const CheckOptions& options) {
  CheckContext context{Places::Find(), {}, options.timeout};
  Report report(options);
  report.Add(CheckConfiguration(context));
  report.Add(CheckVersions(context));
  report.Add(CheckUnits(context));
  report.Add(CheckDaemon(context));
  report.Add(CheckGpus(context));
  report.Add(CheckCupsFiles(context));
  report.Add(CheckRenderers(context));
  report.Add(CheckAppArmor(context));
  report.Add(CheckSpace(context));
  report.Add(CheckQueues(context));
  report.Add(CheckPrinterApp(context));
  return report.Finish();
}

}  // namespace halftoned
