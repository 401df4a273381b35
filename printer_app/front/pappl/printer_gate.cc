// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/pappl/printer_gate.h"

#include <utility>

#include "base/text.h"

namespace halftoned {

std::string KeyOf(const std::string& name) { return LowerCase(name); }

PrinterGate::Use::Use(PrinterGate& gate, std::string printer,
                      std::function<void()> end)
    : gate_(gate), printer_(std::move(printer)), end_(std::move(end)) {
  std::unique_lock lock(gate_.mutex_);
  if (printer_.empty()) {
    gate_.changed_.wait(lock, [&] { return gate_.alone_ == 0; });
  }
  is_allowed_ = !gate_.doomed_.contains(printer_);
  if (is_allowed_) gate_.uses_.emplace(printer_, this);
}

PrinterGate::Use::~Use() {
  if (!is_allowed_) return;
  const std::lock_guard lock(gate_.mutex_);
  std::erase_if(gate_.uses_,
                [&](const auto& use) { return use.second == this; });
  gate_.changed_.notify_all();
}

void PrinterGate::End(const std::string& printer) {
  const auto [begin, end] = uses_.equal_range(printer);
  for (auto use = begin; use != end; ++use) use->second->end_();
}

PrinterGate::Deletion::Deletion(PrinterGate& gate, std::string printer)
    : gate_(gate), printer_(std::move(printer)) {
  const std::lock_guard lock(gate_.mutex_);
  is_allowed_ = gate_.doomed_.insert(printer_).second;
  if (is_allowed_) gate_.End(printer_);
}

PrinterGate::Deletion::~Deletion() {
  if (!is_allowed_) return;
  const std::lock_guard lock(gate_.mutex_);
  if (is_alone_) --gate_.alone_;
  gate_.doomed_.erase(printer_);
  gate_.changed_.notify_all();
}

void PrinterGate::Deletion::WaitForItsRequests() {
  std::unique_lock lock(gate_.mutex_);
  const auto is_over = [&] { return !gate_.uses_.contains(printer_); };
  if (gate_.changed_.wait_for(lock, kPatience, is_over)) return;
  gate_.End(printer_);
  gate_.changed_.wait(lock, is_over);
}

void PrinterGate::Deletion::WaitForAll() {
  std::unique_lock lock(gate_.mutex_);
  ++gate_.alone_;
  is_alone_ = true;
  gate_.changed_.wait(lock, [&] { return !gate_.uses_.contains(""); });
}

}  // namespace halftoned
