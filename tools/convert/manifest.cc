// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "convert/manifest.h"

#include <span>

#include "base/json.h"

namespace halftoned {
namespace {

std::string LineOf(const ConvertJob& job, const Report& report,
                   const OutputRecord& output) {
  Json json;
  json["input"] = job.input;
  json["output"] = output.path;
  json["pages"] = output.pages;
  if (output.digest) {
    json["bytes"] = output.digest->bytes;
    json["xxh128"] = output.digest->digits;
  }
  json["kept"] = output.is_kept;
  json["seconds"] = RoundedTo(1e6, report.total.count());
  return JsonLine(json);
}

}  // namespace

Result<Manifest> Manifest::Create(const std::string& path,
                                  PendingFiles& pending) {
  auto file = OutputFile::Create(path, pending);
  if (!file.ok()) return InFile(path, file.error());
  return Manifest(path, std::move(*file));
}

Result<void> Manifest::Add(const ConvertJob& job, const Report& report) {
  std::string lines;
  for (const OutputRecord& output : report.outputs) {
    lines += LineOf(job, report, output);
  }
  const std::lock_guard lock(*mutex_);
  const auto written = file_->Write(std::as_bytes(std::span(lines)));
  return written.ok() ? written : InFile(path_, written.error());
}

Result<void> Manifest::Commit() {
  const auto committed = file_->Commit();
  return committed.ok() ? committed : InFile(path_, committed.error());
}

}  // namespace halftoned
