// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/change/drift.h"

#include <algorithm>

#include "adopt/change/adoption.h"
#include "adopt/ppd/ppd_file.h"
#include "adopt/ppd/statements.h"

namespace halftoned {
namespace {

// The file without the parts that may differ.
std::string EssenceOf(std::string_view ppd) {
  std::string essence;
  for (const Statement& statement : SplitStatements(ppd)) {
    if (statement.keyword.starts_with("Default")) continue;
    for (char c : statement.text) {
      if (c != '\r') essence += c;
    }
    essence += '\n';
  }
  return essence;
}

// A name such as "Brother HL-2030 series, using brlaser v6", without the
// version.
std::string_view WithoutVersion(std::string_view name) {
  const size_t end = name.find_last_not_of(" .0123456789+") + 1;
  if (end == name.size()) return name;
  for (std::string_view mark : {" V", " v", ","}) {
    if (name.substr(0, end).ends_with(mark)) {
      return name.substr(0, end - mark.size());
    }
  }
  return name;
}

std::string NewerModel(const std::string& name,
                       const std::vector<std::string>& models) {
  const std::string_view plain = WithoutVersion(name);
  if (plain == name) return {};
  if (std::find(models.begin(), models.end(), name) != models.end()) return {};
  const auto other = std::find_if(
      models.begin(), models.end(),
      [&](const std::string& model) { return WithoutVersion(model) == plain; });
  return other == models.end() ? std::string() : *other;
}

}  // namespace

bool IsDifferent(std::string_view a, std::string_view b) {
  return EssenceOf(a) != EssenceOf(b);
}

std::string DriftOf(std::string_view ppd,
                    const std::vector<std::string>& models) {
  const Result<std::string> released = Release(ppd);
  if (!released.ok()) return released.error().message;
  const Result<std::string> again = AdoptAnew(ppd);
  if (!again.ok()) {
    return "it was changed after adoption: " + again.error().message;
  }
  if (IsDifferent(*again, ppd)) {
    return "it was changed after adoption" + std::string(kAdoptItAgain);
  }
  const Result<PpdFile> file = PpdFile::Parse(*released);
  if (!file.ok()) return file.error().message;
  const std::string newer = NewerModel(file->nick_name(), models);
  if (newer.empty()) return {};
  return "its driver is now " + newer +
         "; release the queue, install that driver, and adopt it again";
}

}  // namespace halftoned
