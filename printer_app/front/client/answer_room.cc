// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/front/client/answer_room.h"

#include <map>
#include <tuple>
#include <utility>

namespace halftoned {

AnswerRoom::Place::Place(AnswerRoom& room, ClientWait& client, std::string site,
                         size_t bytes)
    : room_(room), client_(client), site_(std::move(site)), bytes_(bytes) {
  if (bytes_ <= kSmall) return;
  const std::lock_guard lock(room_.mutex_);
  room_.places_.push_back(this);
  room_.bytes_ += bytes_;
  room_.MakeRoom();
}

AnswerRoom::Place::~Place() {
  if (bytes_ <= kSmall) return;
  const std::lock_guard lock(room_.mutex_);
  room_.places_.remove(this);
  if (!is_dropped_) room_.bytes_ -= bytes_;
}

// A dropped client's thread wakes, and frees its answer.
void AnswerRoom::MakeRoom() {
  const auto now = ClientWait::Clock::now();
  while (bytes_ > most_) {
    Place* last = FindLast(now);
    if (!last) return;
    // It may have read meanwhile.
    if (!last->client_.DropIfItWaits(now)) continue;
    last->is_dropped_ = true;
    bytes_ -= last->bytes_;
  }
}

AnswerRoom::Place* AnswerRoom::FindLast(
    ClientWait::Clock::time_point now) const {
  std::map<std::string, size_t> bytes_of;
  for (const Place* place : places_) {
    if (!place->is_dropped_) bytes_of[place->site_] += place->bytes_;
  }
  Place* last = nullptr;
  std::tuple<size_t, ClientWait::Clock::duration> last_key;
  for (Place* place : places_) {
    if (place->is_dropped_) continue;
    const auto since = place->client_.WaitsSince(now);
    if (!since) continue;
    const std::tuple key{bytes_of[place->site_], now - *since};
    if (last && key <= last_key) continue;
    last = place;
    last_key = key;
  }
  return last;
}

size_t AnswerRoom::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

}  // namespace halftoned
