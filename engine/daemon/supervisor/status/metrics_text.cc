// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/status/metrics_text.h"

#include <cmath>
#include <cstdio>
#include <utility>

#include "base/text.h"

namespace halftoned::daemon {
namespace {

std::string MetricNumber(double value) {
  if (std::isinf(value)) return value > 0 ? "+Inf" : "-Inf";
  char text[32];
  std::snprintf(text, sizeof(text), "%.15g", value);
  return text;
}

// In the format's notation: 0.5, 2.0.
std::string Limit(uint32_t milliseconds) {
  const std::string text = MetricNumber(milliseconds / 1000.0);
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::string Label(std::string_view name, std::string_view value) {
  std::string label(name);
  label.append("=\"");
  for (const char c : Printable(value)) {
    if (c == '"' || c == '\\') label += '\\';
    label += c;
  }
  return label + '"';
}

void MetricsText::Begin(std::string_view name, std::string_view type,
                        std::string_view help) {
  name_ = "halftoned";
  if (!name.empty()) name_.append("_").append(name);
  suffix_ = type == "counter" ? "_total" : type == "info" ? "_info" : "";
  Describe("TYPE", type);
  if (name.ends_with("_seconds")) Describe("UNIT", "seconds");
  if (name.ends_with("_bytes")) Describe("UNIT", "bytes");
  Describe("HELP", help);
}

void MetricsText::Describe(std::string_view what, std::string_view text) {
  text_.append("# ").append(what).append(" ").append(name_);
  text_.append(" ").append(text).append("\n");
}

void MetricsText::AddLine(std::string_view suffix, const std::string& labels,
                          const std::string& value) {
  text_.append(name_).append(suffix);
  if (!labels.empty()) text_.append("{").append(labels).append("}");
  text_.append(" ").append(value).append("\n");
}

void MetricsText::Add(const std::string& labels, uint64_t value) {
  AddLine(suffix_, labels, std::to_string(value));
}

void MetricsText::Add(const std::string& labels, double value) {
  AddLine(suffix_, labels, MetricNumber(value));
}

void MetricsText::Add(const std::string& labels, const Latencies& latencies) {
  std::string before = labels;
  before.append(labels.empty() ? "le=\"" : ",le=\"");
  uint64_t sum = 0;
  for (size_t i = 0; i < latencies.counts.size(); ++i) {
    sum += latencies.counts[i];
    const std::string limit =
        i < Latencies::kLimits.size() ? Limit(Latencies::kLimits[i]) : "+Inf";
    AddLine("_bucket", before + limit + '"', std::to_string(sum));
  }
  AddLine("_count", labels, std::to_string(sum));
  AddLine("_sum", labels,
          MetricNumber(static_cast<double>(latencies.microseconds) / 1e6));
}

std::string MetricsText::Finish() { return std::move(text_) + "# EOF\n"; }

}  // namespace halftoned::daemon
