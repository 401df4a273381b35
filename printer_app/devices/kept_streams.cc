// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/kept_streams.h"

#include <system_error>
#include <utility>

namespace halftoned {

KeptStreams::Kept::Kept(std::unique_ptr<DeviceStream> given)
    : stream(std::move(given)), is_connection(stream->is_connection()) {
  try {
    sender = std::thread([this] {
      stream->SendRest([this] { return is_wanted.load(); });
      if (!is_wanted) stream.reset();
    });
  } catch (const std::system_error&) {
    // There is no thread: the next job sends the rest.
  }
}

std::unique_ptr<DeviceStream> KeptStreams::Kept::Take() {
  is_wanted = true;
  if (sender.joinable()) sender.join();
  return std::move(stream);
}

KeptStreams::~KeptStreams() {
  for (auto& each : streams_) each.second->Take();
}

void KeptStreams::Keep(Printer printer, std::unique_ptr<DeviceStream> stream) {
  End(printer);
  auto kept = std::make_unique<Kept>(std::move(stream));
  const std::lock_guard lock(mutex_);
  streams_[printer] = std::move(kept);
}

std::unique_ptr<DeviceStream> KeptStreams::Take(Printer printer) {
  const std::unique_ptr<Kept> kept = Extract(printer, false);
  return kept ? kept->Take() : nullptr;
}

void KeptStreams::EndConnection(Printer printer) {
  EndLater(Extract(printer, true));
}

void KeptStreams::End(Printer printer) { EndLater(Extract(printer, false)); }

std::unique_ptr<KeptStreams::Kept> KeptStreams::Extract(Printer printer,
                                                        bool only_connection) {
  const std::lock_guard lock(mutex_);
  const auto found = streams_.find(printer);
  if (found == streams_.end() ||
      (only_connection && !found->second->is_connection)) {
    return nullptr;
  }
  std::unique_ptr<Kept> kept = std::move(found->second);
  streams_.erase(found);
  return kept;
}

void KeptStreams::EndLater(std::unique_ptr<Kept> kept) {
  if (!kept) return;
  const std::shared_ptr<Kept> ends = std::move(kept);
  try {
    std::thread([ends] { ends->Take(); }).detach();
  } catch (const std::system_error&) {
    ends->Take();
  }
}

}  // namespace halftoned
