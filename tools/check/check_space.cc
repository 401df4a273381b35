// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <sys/statvfs.h>

#include <cerrno>

#include "check/checks.h"

namespace halftoned {
namespace {

constexpr uint64_t kMib = uint64_t{1} << 20;
// Space for a document and its renderers' files. Most jobs need less.
constexpr uint64_t kEnough = 256 * kMib;
constexpr uint64_t kEnoughFiles = 100;

}  // namespace

Findings SpaceIn(const std::string& folder, uint64_t least) {
  struct statvfs status;
  if (::statvfs(folder.c_str(), &status) != 0) {
    if (errno == EACCES) return {Unseen("the free space in " + folder)};
    return {};  // CheckQueues reports that CUPS does not run
  }
  const uint64_t free = uint64_t{status.f_bavail} * status.f_frsize;
  const std::string room =
      std::to_string(free / kMib) + " MiB free in " + folder;
  const bool has_files = status.f_files == 0 || status.f_favail >= kEnoughFiles;
  if (free >= least && has_files) return {Good("there are " + room)};
  return {Wrong(has_files
                    ? "there are only " + room + ", where CUPS spools"
                    : "no more files fit in " + folder + ", where CUPS spools",
                "type: sudo du -xsh " + folder + "; df -h -i " + folder)};
}

Findings CheckSpace(const CheckContext& context) {
  Findings findings = SpaceIn(context.places.spool, kEnough);
  for (Finding& finding : SpaceIn(context.places.temporary, kEnough)) {
    // Usually both are on the same disk.
    if (finding.kind == FindingKind::kWrong && !findings.empty() &&
        findings.front().kind == FindingKind::kWrong) {
      continue;
    }
    findings.push_back(std::move(finding));
  }
  return findings;
}

}  // namespace halftoned
