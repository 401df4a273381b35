// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Messages from a client to a worker. The input is decoded as the payload of
// every message, and must encode to the same bytes if it is valid. It is also a
// list of actions on a worker's connection: frames with correct checksums, so
// that the fuzzer gets past them, and bytes that are not frames. The worker
// must answer with valid frames.

#include <poll.h>
#include <sys/socket.h>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "base/unix_socket.h"
#include "daemon/worker/clients/worker_client.h"
#include "halftone/cpu/local_engines.h"
#include "wire/checksum.h"
#include "wire/codec.h"
#include "wire/ring.h"

namespace halftoned::daemon {
namespace {

using wire::Bytes;
using wire::FrameType;
using wire::View;

void Must(bool holds) {
  if (!holds) std::abort();
}

// Whose answers lag behind.
Recipe Best() { return *Recipe::Make(Recipe::PartsOf(Algorithm::kBest)); }

void CheckWords(View input) {
  const auto check = [&](auto decoded) {
    if (!decoded.ok()) return;
    const Bytes again = wire::Encode(*decoded);
    Must(std::ranges::equal(again, input));
  };
  check(wire::DecodeWelcome(input));
  check(wire::DecodeRing(input));
  check(wire::DecodeOpen(input));
  check(wire::DecodeBand(input));
  check(wire::DecodeFailed(input));
  (void)wire::DecodeAnswer(input);
  (void)wire::DecodeCarry(input, Recipe::FloydSteinberg(), *Page::Make(8, 8));
  (void)wire::DecodeCarry(input, Best(), *Page::Make(8, 8, 32));
  if (input.size() >= wire::kHelloBytes) {
    (void)wire::DecodeHello(input.first<wire::kHelloBytes>());
  }
}

// Takes the input apart; zeros where it has ended.
class Input {
 public:
  explicit Input(View bytes) : rest_(bytes) {}
  bool ended() const { return rest_.empty(); }
  View Take(size_t count) {
    const View front = rest_.first(std::min(count, rest_.size()));
    rest_ = rest_.subspan(front.size());
    return front;
  }
  uint32_t Number() {
    const View byte = Take(1);
    return byte.empty() ? 0 : std::to_integer<uint32_t>(byte[0]);
  }

 private:
  View rest_;
};

// A session that has its answers as soon as it has its bands, so that a run
// does not depend on threads.
class PromptEngine : public Engine {
 public:
  std::string_view name() const override { return "prompt"; }
  std::string_view needs() const override { return "patience"; }
  int priority() const override { return 1; }
  Result<void> Probe() const override { return {}; }
  Result<void> Serves(const Recipe&) const override { return {}; }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    HALFTONED_TRY_ASSIGN(const Engine* engine,
                         ChooseEngine(engines_, "scalar", order.recipe));
    HALFTONED_TRY_ASSIGN(auto session, engine->Open(order));
    return std::unique_ptr<Session>(
        std::make_unique<Prompt>(std::move(session)));
  }

 private:
  class Prompt : public Session {
   public:
    explicit Prompt(std::unique_ptr<Session> session)
        : session_(std::move(session)) {}
    Result<GrayRoom> Lend() override { return session_->Lend(); }
    Result<void> Submit(int32_t rows, bool last) override {
      HALFTONED_TRY(session_->Submit(rows, last));
      ++in_flight_;
      return {};
    }
    Result<Finished> Take() override {
      --in_flight_;
      return session_->Take();
    }
    bool Ready() override {
      while (in_flight_ > 0 && !session_->Ready()) std::this_thread::yield();
      return in_flight_ > 0;
    }

   private:
    const std::unique_ptr<Session> session_;
    int in_flight_ = 0;
  };

  mutable Pool pool_{1};
  const EngineList engines_ = LocalEngines(pool_);
};

class Conversation {
 public:
  explicit Conversation(const EngineList& engines) {
    shop_.engines = &engines;
    shop_.worker = 1;
    shop_.accounts.SetLimits({.all = {.memory = size_t{8} << 20}});
    shop_.page_idle = std::chrono::seconds(60);
    auto pair = MakeSocketPair(SOCK_STREAM);
    Must(pair.ok());
    client_ = std::make_unique<Client>(shop_, 1, std::move(pair->first), [] {});
    peer_ = std::make_unique<wire::Link>(std::move(pair->second));
  }
  ~Conversation() {
    if (client_) {
      const Counters& counters = client_->Finish();
      Must(counters.pages + counters.cancelled_pages <= opens_);
    }
    client_.reset();
    Must(shop_.accounts.held() == Accounts::Bytes());
    Hear();
  }

  void Act(Input& input);
  bool is_over() const { return !client_; }

 private:
  void Send(FrameType type, uint32_t page, View payload, View tail = {},
            std::vector<Descriptor> files = {}) {
    peer_->Send(type, page, payload, tail, std::move(files));
    Pump();
  }
  void SendRing(Input& input);
  void SendOpen(Input& input);
  void SendBand(Input& input);
  void Pump();
  void Hear();
  void End() { client_.reset(); }

  Shop shop_;
  std::unique_ptr<Client> client_;
  std::unique_ptr<wire::Link> peer_;
  uint64_t opens_ = 0;
  bool listens_ = true;
  bool receiving_tail_ = false;
};

// Runs both sides until neither can go on.
void Conversation::Pump() {
  for (bool more = true; more && client_;) {
    const bool had_unsent = peer_->has_unsent();
    if (!peer_->Flush().ok()) return;
    if (listens_) Hear();
    const Result<bool> served = client_->Serve();
    if (!served.ok()) return End();
    more = *served || (had_unsent && !peer_->has_unsent());
  }
  if (listens_) Hear();
}

void Conversation::Hear() {
  for (;;) {
    if (receiving_tail_) {
      const auto done = peer_->ReceiveTail({});
      if (!done.ok() || !*done) return;
      receiving_tail_ = false;
    }
    const auto frame = peer_->Receive();
    if (!frame.ok()) {
      Must(frame.error().code == ErrorCode::kUnavailable);  // never nonsense
      return;
    }
    if (!*frame) return;
    receiving_tail_ = (*frame)->header.tail > 0;
    switch ((*frame)->header.type) {
      case FrameType::kWelcome:
        Must(wire::DecodeWelcome((*frame)->payload).ok());
        break;
      case FrameType::kAnswer:
        Must(wire::DecodeAnswer((*frame)->payload).ok());
        break;
      case FrameType::kFailed:
        Must(wire::DecodeFailed((*frame)->payload).ok());
        break;
      default:
        Must((*frame)->header.type == FrameType::kEvicted);
    }
  }
}

void Conversation::SendRing(Input& input) {
  const wire::Ring sizes{(1 + input.Number()) * 64, (1 + input.Number()) * 64};
  auto made = wire::MakeRing(sizes);
  Must(made.ok());
  std::vector<Descriptor> files;
  const uint32_t count = input.Number() % 8;
  if (count != 1) files.push_back(std::move(made->gray));
  if (count != 2) files.push_back(std::move(made->bits));
  Send(FrameType::kRing, 0, wire::Encode(sizes), {}, std::move(files));
}

// An open that is one, but for a few bytes of it.
void Conversation::SendOpen(Input& input) {
  const uint32_t page = input.Number();
  const auto width = static_cast<int32_t>(1 + input.Number() * input.Number());
  const Page geometry = *Page::Make(width, input.Number() % 2 ? 8 : 16);
  const uint32_t kind = input.Number() % 4;
  wire::Open open{geometry, kind < 2 ? Recipe::FloydSteinberg() : Best(),
                  std::nullopt, static_cast<int32_t>(1 + input.Number())};
  if (kind % 2) open.carry = Carry::AtStart(open.recipe, geometry);
  Bytes payload = wire::Encode(open);
  for (uint32_t changes = input.Number() % 4; changes > 0; --changes) {
    const size_t at = input.Number() + 256 * input.Number();
    payload[at % payload.size()] = static_cast<std::byte>(input.Number());
  }
  ++opens_;
  Send(FrameType::kOpen, page, payload);
}

void Conversation::SendBand(Input& input) {
  const uint32_t page = input.Number();
  wire::Band band;
  band.rows = static_cast<int32_t>(input.Number());
  band.last = input.Number() % 2;
  band.gray_offset = input.Number() * 64;
  band.bits_offset = input.Number() * 64;
  Bytes tail(
      std::min(size_t{input.Number()} * input.Number() * (1 + input.Number()),
               size_t{300'000}));
  band.gray_checksum = wire::Checksum(tail) + (input.Number() == 7 ? 1 : 0);
  // Sent while `tail` is there.
  Send(FrameType::kBand, page, wire::Encode(band), tail);
  if (peer_->has_unsent()) End();
}

void Conversation::Act(Input& input) {
  switch (input.Number() % 9) {
    case 0:
      return SendRing(input);
    case 1:
      return SendOpen(input);
    case 2:
    case 3:
      return SendBand(input);
    case 4: {
      const auto type = static_cast<FrameType>(input.Number() % 20);
      const uint32_t page = input.Number();
      return Send(type, page, input.Take(input.Number()));
    }
    case 5:
      peer_->SendRaw(input.Take(1 + input.Number()));
      return Pump();
    case 6:
      listens_ = input.Number() % 2;
      return Pump();
    case 7:
      shop_.draining = input.Number() == 1;
      return Pump();
    default: {
      const auto when =
          Clock::now() + std::chrono::seconds(30 * (input.Number() % 4));
      if (!client_->MindTime(when).ok()) return End();
      return Pump();
    }
  }
}

void Check(View bytes) {
  static const EngineList engines = [] {
    EngineList list;
    list.push_back(std::make_unique<PromptEngine>());
    return list;
  }();
  CheckWords(bytes);
  Conversation conversation(engines);
  Input input(bytes);
  while (!input.ended() && !conversation.is_over()) conversation.Act(input);
}

}  // namespace
}  // namespace halftoned::daemon

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  halftoned::daemon::Check(std::as_bytes(std::span(data, size)));
  return 0;
}
