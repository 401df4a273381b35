// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Text of OpenMetrics 1.0. Knows the format, but not the daemon.

#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "control/work.h"

namespace halftoned::daemon {

// name="value", escaped as the format demands.
std::string Label(std::string_view name, std::string_view value);

class MetricsText {
 public:
  // Starts a family, whose values follow. type: "gauge", "counter", "histogram"
  // or "info". The name ends with the unit if that is "seconds" or "bytes".
  void Begin(std::string_view name, std::string_view type,
             std::string_view help);
  // labels: joined by commas, or empty.
  void Add(const std::string& labels, uint64_t value);
  void Add(const std::string& labels, double value);
  // For a family of histograms in seconds.
  void Add(const std::string& labels, const Latencies& latencies);
  // The whole text.
  std::string Finish();

 private:
  void Describe(std::string_view what, std::string_view text);
  void AddLine(std::string_view suffix, const std::string& labels,
               const std::string& value);

  std::string name_;
  std::string_view suffix_;  // of plain values
  std::string text_;
};

}  // namespace halftoned::daemon
