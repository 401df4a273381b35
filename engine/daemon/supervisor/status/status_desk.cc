// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/status/status_desk.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <map>
#include <span>

#include "base/unix_socket.h"

namespace halftoned::daemon {

void StatusDesk::Prepare(PollSet& set) const {
  if (listener_.open()) set.Watch(listener_.get());
  for (const Viewer& viewer : viewers_) {
    if (viewer.state == State::kAsks) set.Watch(viewer.socket.get());
    if (viewer.state == State::kFetches) {
      set.Watch(viewer.socket.get(), POLLOUT);
    }
    set.WakeAt(viewer.deadline);
  }
}

void StatusDesk::Serve(const PollSet& set, Instant now) {
  for (Viewer& viewer : viewers_) {
    if (viewer.state != State::kWaits && set.IsReady(viewer.socket.get())) {
      viewer.state == State::kAsks ? Read(viewer) : Write(viewer);
    }
    if (now >= viewer.deadline) viewer.state = State::kGone;
  }
  if (listener_.open() && set.IsReady(listener_.get())) Accept(now);
  EraseGone();
}

void StatusDesk::EraseGone() {
  for (Viewer& viewer : viewers_) {
    if (viewer.state == State::kGone) closer_.Close(std::move(viewer.socket));
  }
  std::erase_if(viewers_, [](const Viewer& viewer) {
    return viewer.state == State::kGone;
  });
}

void StatusDesk::Accept(Instant now) {
  for (int i = 0; i < kAcceptsPerTurn; ++i) {
    Descriptor socket(::accept4(listener_.get(), nullptr, nullptr,
                                SOCK_CLOEXEC | SOCK_NONBLOCK));
    if (!socket.open()) return;
    const Result<PeerCredentials> peer = PeerOf(socket.get());
    if (!peer.ok() || !MakeRoomFor(peer->uid)) {
      closer_.Close(std::move(socket));
      continue;
    }
    viewers_.push_back({std::move(socket), peer->uid, now + kPatience});
    Read(viewers_.back());
  }
}

bool StatusDesk::MakeRoomFor(uid_t uid) {
  if (uid == 0) return true;
  std::map<uid_t, size_t> viewers;  // by user
  size_t all = 0;
  for (const Viewer& viewer : viewers_) {
    if (viewer.uid == 0 || viewer.state == State::kGone) continue;
    ++viewers[viewer.uid];
    ++all;
  }
  const size_t own = viewers[uid];
  if (own >= kMaxViewersOfUser) return false;
  if (all < kMaxViewers) return true;
  const auto most = std::ranges::max_element(
      viewers, {}, [](const auto& entry) { return entry.second; });
  if (most->second <= own + 1) return false;
  // Drops the oldest.
  std::ranges::find_if(viewers_, [&](const Viewer& viewer) {
    return viewer.uid == most->first && viewer.state != State::kGone;
  })->state = State::kGone;
  return true;
}

void StatusDesk::Read(Viewer& viewer) {
  std::array<char, kMaxQuestionBytes> room;
  const auto received = ReceiveBytes(viewer.socket.get(),
                                     std::as_writable_bytes(std::span(room)));
  if (!received.ok() || received->ended || received->has_descriptors) {
    viewer.state = State::kGone;
    return;
  }
  viewer.text.append(room.data(), received->bytes);
  const size_t end = viewer.text.find('\n');
  if (end != std::string::npos) {
    viewer.text.resize(end);
    viewer.state = State::kWaits;
  } else if (viewer.text.size() >= kMaxQuestionBytes) {
    viewer.state = State::kGone;
  }
}

void StatusDesk::Write(Viewer& viewer) {
  const Result<size_t> sent =
      SendSome(viewer.socket.get(), std::as_bytes(std::span(viewer.text)));
  if (!sent.ok()) {
    viewer.state = State::kGone;
    return;
  }
  viewer.text.erase(0, *sent);
  if (viewer.text.empty()) viewer.state = State::kGone;
}

bool StatusDesk::IsAsked() const {
  return std::ranges::count(viewers_, State::kWaits, &Viewer::state) > 0;
}

void StatusDesk::Answer(const Snapshot& snapshot) {
  for (Viewer& viewer : viewers_) {
    if (viewer.state != State::kWaits) continue;
    viewer.text = viewer.text == "text"   ? StatusText(snapshot, viewer.uid)
                  : viewer.text == "json" ? StatusJson(snapshot, viewer.uid)
                  : viewer.text == "metrics"
                      ? StatusMetrics(snapshot)
                      : "ask for text, json or metrics\n";
    viewer.state = State::kFetches;
    Write(viewer);
  }
  EraseGone();
}

}  // namespace halftoned::daemon
