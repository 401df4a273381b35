// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Threads that attack a daemon as its clients can: with frames that are right,
// changed, cut or garbage, in any order; by writing to rings that the worker
// has; by not reading, not answering, flooding, and leaving in the middle.
//
// usage: hostile_clients SOCKET STATUS_SOCKET SEED THREADS
//
// They go on until standard input ends; then a line "NAME COUNT" for each kind
// of attack. None of them cares what the daemon answers.

#include <poll.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/unix_socket.h"
#include "tests/equality/pages.h"
#include "tests/wire/sample_page.h"
#include "wire/checksum.h"
#include "wire/codec.h"
#include "wire/ring.h"

namespace halftoned::testing {
namespace {

using wire::Bytes;
using wire::FrameType;
using wire::View;

constexpr int kMostSteps = 24;    // of a conversation
constexpr int kMostCrowd = 100;   // connections
constexpr int kPatienceMs = 50;   // of an attacker, to send and to hear
constexpr int kMostPauseMs = 20;  // between two steps
constexpr size_t kMostRing = 1 << 18;

class Dice {
 public:
  explicit Dice(uint64_t seed) : random_(seed) {}

  uint64_t Number() { return random_(); }
  size_t Below(size_t end) { return random_() % end; }
  bool OneIn(size_t n) { return Below(n) == 0; }
  Bytes Garbage(size_t most) {
    Bytes bytes(Below(most + 1));
    for (std::byte& byte : bytes) byte = static_cast<std::byte>(random_());
    return bytes;
  }
  // The same, changed here and there, cut, or longer.
  Bytes Changed(Bytes bytes) {
    for (size_t n = Below(4); n > 0 && !bytes.empty(); --n) {
      std::byte& byte = bytes[Below(
          OneIn(2) ? std::min<size_t>(bytes.size(), 64) : bytes.size())];
      byte = OneIn(2) ? byte ^ static_cast<std::byte>(1U << Below(8))
                      : static_cast<std::byte>(OneIn(2) ? 0xff : random_());
    }
    if (OneIn(4)) bytes.resize(Below(bytes.size() + 20));
    return bytes;
  }

 private:
  Random random_;
};

void Pause(Dice& dice) {
  std::this_thread::sleep_for(
      std::chrono::microseconds(dice.Below(kMostPauseMs * 1000)));
}

// A connection on which nothing is waited for longer than an attacker's
// patience.
class Peer {
 public:
  explicit Peer(const std::string& path) {
    auto socket = ConnectTo(path);
    if (socket.ok()) socket_ = std::move(*socket);
  }

  bool is_open() const { return socket_.open(); }

  void Send(View bytes, std::span<const int> fds = {}) {
    while (is_open() && !bytes.empty()) {
      const auto sent = SendSome(socket_.get(), bytes, fds);
      if (!sent.ok() || (*sent == 0 && !Wait(POLLOUT))) return socket_.Close();
      bytes = bytes.subspan(*sent);
      if (*sent > 0) fds = {};
    }
  }
  void Greet(Dice& dice) {
    wire::Hello hello;
    hello.job = static_cast<uint32_t>(dice.Below(8));
    hello.avoided_worker = dice.OneIn(4) ? 1 : 0;
    hello.wanted_worker = dice.OneIn(16) ? 7 : 0;
    hello.printer = "laser";
    const auto bytes = wire::EncodeHello(hello);
    Bytes sent(bytes.begin(), bytes.end());
    if (dice.OneIn(20)) sent = dice.Changed(sent);
    Send(sent);
  }
  void SendFrame(Dice& dice, FrameType type, uint32_t page, Bytes payload,
                 View tail = {}, std::span<const int> fds = {}) {
    if (dice.OneIn(6)) payload = dice.Changed(std::move(payload));
    const uint32_t sequence =
        dice.OneIn(40) ? static_cast<uint32_t>(dice.Number()) : sequence_++;
    Bytes frame = wire::EncodeFrame(
        type, sequence, page, payload,
        static_cast<uint32_t>(dice.OneIn(60) ? dice.Number() : tail.size()));
    frame.insert(frame.end(), tail.begin(), tail.end());
    if (dice.OneIn(40)) frame = dice.Changed(std::move(frame));
    if (dice.OneIn(20)) {  // the rest never comes
      frame.resize(dice.Below(frame.size() + 1));
    }
    Send(frame, fds);
  }
  // Hears what there is, and waits for something once if it is asked to.
  void Hear(bool waits) {
    std::array<std::byte, 4096> room;
    std::vector<Descriptor> fds;
    if (waits && is_open()) Wait(POLLIN);
    while (is_open()) {
      const auto received = ReceiveSome(socket_.get(), room, fds);
      if (!received.ok() || received->ended) return socket_.Close();
      if (received->bytes == 0) return;
    }
  }

 private:
  bool Wait(short events) const {
    pollfd wait{socket_.get(), events, 0};
    return ::poll(&wait, 1, kPatienceMs) > 0;
  }

  Descriptor socket_;
  uint32_t sequence_ = 0;
};

// A client that knows the protocol and does any of it at any time.
class Conversation {
 public:
  Conversation(const std::string& path, const std::vector<SamplePage>& pages,
               Dice& dice)
      : dice_(dice), peer_(path), pages_(pages) {}

  void Run() {
    peer_.Greet(dice_);
    for (size_t n = dice_.Below(kMostSteps); n > 0 && peer_.is_open(); --n) {
      Step();
    }
  }

 private:
  void Step() {
    switch (dice_.Below(10)) {
      case 0:
        return SendRing();
      case 1:
      case 2:
        return Open();
      case 3:
      case 4:
      case 5:
        return SendBand();
      case 6:
        return peer_.Hear(dice_.OneIn(2));
      case 7:
        return Pause(dice_);
      case 8:
        return Scribble();
      default:
        if (dice_.OneIn(8)) peer_.Send(dice_.Garbage(2000));
    }
  }

  void SendRing() {
    const wire::Ring sizes{1 + dice_.Below(kMostRing),
                           1 + dice_.Below(kMostRing)};
    auto made = wire::MakeRing(sizes);
    if (!made.ok()) return;
    auto bits = Mapping::OfFile(made->bits.get(), sizes.bits_bytes, true);
    if (bits.ok()) made->memory.bits = std::move(*bits);
    rings_.push_back(std::move(made->memory));
    wire::Ring said = sizes;
    if (dice_.OneIn(8)) said.gray_bytes += dice_.Below(3) * 4096;
    const int gray_file = made->gray.get();
    const int bits_file = made->bits.get();
    const std::array files{gray_file, dice_.OneIn(8) ? gray_file : bits_file};
    peer_.SendFrame(dice_, FrameType::kRing, 0, Encode(said), {},
                    dice_.OneIn(12) ? std::span(files).first(1) : files);
  }

  void Open() {
    sample_ = &pages_[dice_.Below(pages_.size())];
    wire::Open open = sample_->open();
    if (dice_.OneIn(4))
      open.recipe = *Recipe::Make(EveryKind()[dice_.Below(EveryKind().size())]);
    if (dice_.OneIn(2) || open.recipe != sample_->open().recipe) {
      open.carry = std::nullopt;
    }
    if (dice_.OneIn(10)) {
      open.rows_per_band = static_cast<int32_t>(1 + dice_.Below(1 << 20));
    }
    page_ += dice_.OneIn(20) ? static_cast<uint32_t>(dice_.Below(4)) : 1;
    band_ = 0;
    peer_.SendFrame(dice_, FrameType::kOpen, page_, Encode(open));
  }

  void SendBand() {
    const int number = band_++ % sample_->bands();
    wire::Band band{sample_->rows_per_band(), dice_.OneIn(6), 0, 0, 0};
    if (dice_.OneIn(10)) band.rows = static_cast<int32_t>(dice_.Below(40));
    if (!rings_.empty() && !dice_.OneIn(8)) {
      constexpr size_t kPlaces = kMostRing / wire::kRingAlignment;
      band.gray_offset = dice_.Below(kPlaces) * wire::kRingAlignment / 4;
      band.bits_offset = dice_.Below(kPlaces) * wire::kRingAlignment / 4;
      peer_.SendFrame(dice_, FrameType::kBand, page_, Encode(band));
      return;
    }
    const View gray = sample_->gray(number);
    band.gray_checksum = wire::Checksum(gray);
    peer_.SendFrame(dice_, FrameType::kBand, page_, Encode(band), gray);
  }

  // Over whatever it has ever shared.
  void Scribble() {
    for (int i = 0; i < 50 && !rings_.empty(); ++i) {
      const wire::RingMemory& ring = rings_[dice_.Below(rings_.size())];
      for (const Mapping* mapping : {&ring.gray, &ring.bits}) {
        if (mapping->size() == 0) continue;
        for (int n = 0; n < 200; ++n) {
          mapping->data()[dice_.Below(mapping->size())] =
              static_cast<std::byte>(n);
        }
      }
    }
  }

  Dice& dice_;
  Peer peer_;
  const std::vector<SamplePage>& pages_;
  const SamplePage* sample_ = &pages_[0];
  std::vector<wire::RingMemory> rings_;
  uint32_t page_ = 0;
  int band_ = 0;
};

struct Target {
  std::string socket;
  std::string status_socket;
  std::vector<SamplePage> pages;
};

void Converse(const Target& target, Dice& dice) {
  Conversation(target.socket, target.pages, dice).Run();
}

// Many at a time, which greet and wait.
void Crowd(const Target& target, Dice& dice) {
  std::vector<Peer> crowd;
  for (size_t n = dice.Below(kMostCrowd); n > 0; --n) {
    crowd.emplace_back(target.socket);
    if (!dice.OneIn(8)) crowd.back().Greet(dice);
  }
  Pause(dice);
}

// One after another that come and go.
void Flood(const Target& target, Dice& dice) {
  for (size_t n = dice.Below(kMostCrowd); n > 0; --n) {
    Peer peer(target.socket);
    if (!dice.OneIn(3)) peer.Greet(dice);
  }
}

// Asks for much and reads nothing.
void NeverRead(const Target& target, Dice& dice) {
  Peer peer(target.socket);
  peer.Greet(dice);
  const SamplePage& page = target.pages[0];
  uint32_t number = 0;
  for (size_t n = dice.Below(2000); n > 0 && peer.is_open(); --n) {
    Bytes open = Encode(page.open());
    open[21] = std::byte{77};  // no algorithm: an answer at once
    peer.Send(wire::EncodeFrame(FrameType::kOpen, number, number + 1, open));
    ++number;
  }
  Pause(dice);
}

// Announces the largest bands that there are, and sends none.
void Announce(const Target& target, Dice& dice) {
  std::vector<Peer> peers;
  for (size_t n = 1 + dice.Below(8); n > 0; --n) {
    peers.emplace_back(target.socket);
    peers.back().Greet(dice);
    const wire::Open open{*Page::Make(65536, 8), Recipe::FloydSteinberg(),
                          std::nullopt,
                          static_cast<int32_t>(1 + dice.Below(1024))};
    peers.back().Send(wire::EncodeFrame(FrameType::kOpen, 0, 1, Encode(open)));
  }
  Pause(dice);
  for (Peer& peer : peers) peer.Hear(false);
}

void Garbage(const Target& target, Dice& dice) {
  Peer peer(target.socket);
  if (dice.OneIn(2)) peer.Greet(dice);
  for (int i = 0; i < 5; ++i) peer.Send(dice.Garbage(3000));
  peer.Hear(true);
}

// Talks to the status socket: questions, garbage, and answers that nobody
// reads.
void Ask(const Target& target, Dice& dice) {
  std::vector<Peer> peers;
  for (size_t n = dice.Below(20); n > 0; --n) {
    peers.emplace_back(target.status_socket);
    if (dice.OneIn(3)) {
      peers.back().Send(dice.Garbage(300));
    } else {
      constexpr std::array kQuestions{"json\n", "text\n", "metrics\n", "js"};
      const std::string question = kQuestions[dice.Below(kQuestions.size())];
      peers.back().Send(std::as_bytes(std::span(question)));
    }
    if (dice.OneIn(2)) peers.back().Hear(true);
  }
}

struct Attack {
  const char* name;
  void (*act)(const Target&, Dice&);
  size_t share;
};
constexpr std::array kAttacks = {Attack{"conversations", Converse, 60},
                                 Attack{"crowds", Crowd, 3},
                                 Attack{"floods", Flood, 5},
                                 Attack{"unread", NeverRead, 5},
                                 Attack{"announcements", Announce, 5},
                                 Attack{"garbage", Garbage, 5},
                                 Attack{"questions", Ask, 5}};
std::array<std::atomic<uint64_t>, kAttacks.size()> counts;

[[noreturn]] void Run(const Target& target, uint64_t seed) {
  Dice dice(seed);
  size_t shares = 0;
  for (const Attack& attack : kAttacks) shares += attack.share;
  for (;;) {
    size_t left = dice.Below(shares);
    size_t which = 0;
    while (left >= kAttacks[which].share) left -= kAttacks[which++].share;
    kAttacks[which].act(target, dice);
    ++counts[which];
    Pause(dice);
  }
}

int Main(char* const* arguments) {
  ::signal(SIGPIPE, SIG_IGN);
  Target target{arguments[0], arguments[1], {}};
  for (const int width : {1, 200, 999, 4097}) {
    target.pages.emplace_back(width, 64, 16);
  }
  const uint64_t seed = std::strtoull(arguments[2], nullptr, 10);
  for (int i = 0; i < std::atoi(arguments[3]); ++i) {
    std::thread(Run, std::cref(target), seed * 1000 + static_cast<uint64_t>(i))
        .detach();
  }
  pollfd input{STDIN_FILENO, POLLIN, 0};
  while (::poll(&input, 1, -1) < 0 && errno == EINTR) {
  }
  for (size_t i = 0; i < kAttacks.size(); ++i) {
    std::printf("%s %llu\n", kAttacks[i].name,
                static_cast<unsigned long long>(counts[i]));
  }
  std::fflush(stdout);
  ::_exit(0);  // the threads do not end
}

}  // namespace
}  // namespace halftoned::testing

int main(int argc, char* argv[]) {
  if (argc != 5) {
    std::fputs("usage: hostile_clients SOCKET STATUS_SOCKET SEED THREADS\n",
               stderr);
    return 2;
  }
  return halftoned::testing::Main(argv + 1);
}
