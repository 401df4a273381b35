// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/control.h"

#include <sys/socket.h>

#include <concepts>
#include <type_traits>
#include <utility>

#include "wire/bytes.h"

namespace halftoned::daemon {
namespace {

// Larger than any message: the socket's buffer limits their size.
constexpr size_t kMaxMessageBytes = size_t{256} << 10;

// A message begins with its number in its variant, counted from this.
template <typename Variant>
constexpr uint8_t kFirst = std::same_as<Variant, FromSupervisor> ? 1 : 16;

Error Malformed() { return Bug("malformed message on the control channel"); }

// Pass() gives all fields of a value to `to`, which writes or reads them in
// this order.
template <typename Given, typename Plain>
concept Is = std::same_as<std::remove_const_t<Given>, Plain>;

void Pass(Is<Counters> auto& counters, auto& to) {
  to(counters.pages, counters.rows, counters.bands, counters.pixels,
     counters.failed_pages, counters.cancelled_pages, counters.evicted_pages,
     counters.protocol_errors);
}

void Pass(Is<Latencies> auto& latencies, auto& to) {
  for (auto& count : latencies.counts) to(count);
  to(latencies.microseconds);
}

void Pass(Is<Work> auto& work, auto& to) {
  for (auto& type : work.types) to(type.pages, type.rows, type.microseconds);
  to(work.pages, work.bands);
}

void Pass(Is<Adopt> auto& adopt, auto& to) {
  auto& [pid, uid, gid] = adopt.credentials;
  auto& hello = adopt.hello;
  to(adopt.connection, pid, uid, gid, hello.version, hello.job,
     hello.wanted_worker, hello.avoided_worker, hello.printer, hello.title,
     hello.recipe_kind, adopt.place);
}

void Pass(Is<Drain> auto&, auto&) {}
void Pass(Is<Ask> auto&, auto&) {}
void Pass(Is<Show> auto&, auto&) {}
void Pass(Is<Dismiss> auto& dismiss, auto& to) { to(dismiss.connection); }

void Pass(Is<Ready> auto& ready, auto& to) {
  to(ready.build, ready.engine, ready.threads, ready.recipe_kinds, ready.device,
     ready.device_memory, ready.pages);
}

void Pass(Is<Closed> auto& closed, auto& to) {
  to(closed.connection, closed.counters, closed.reason);
}

void Pass(Is<Report::Connection> auto& connection, auto& to) {
  to(connection.connection, connection.counters, connection.page,
     connection.next_row, connection.width, connection.idle_ms);
}

void Pass(Is<Report> auto& report, auto& to) {
  to(report.counters, report.last_minute.pages, report.last_minute.gray_bytes,
     report.page_bytes, report.device_bytes, report.bands_in_flight,
     report.work, report.connections);
}

void Pass(Is<Dying> auto& dying, auto& to) { to(dying.cause, dying.reason); }
void Pass(Is<Adopted> auto& adopted, auto& to) { to(adopted.connection); }

class FieldWriter {
 public:
  void operator()(const auto&... fields) { (Put(fields), ...); }
  std::vector<std::byte> Take() { return out_.Take(); }

 private:
  void Put(const auto& part) { Pass(part, *this); }
  void Put(const std::integral auto& number) { out_.Put(number); }
  void Put(const std::string& text) { out_.PutText(text); }
  void Put(Dying::Cause cause) { out_.Put(static_cast<uint8_t>(cause)); }
  void Put(const std::vector<Report::Connection>& connections) {
    for (const auto& connection : connections) Put(connection);
  }

  wire::ByteWriter out_;
};

class FieldReader {
 public:
  explicit FieldReader(wire::ByteReader& in) : in_(in) {}
  void operator()(auto&... fields) { (Get(fields), ...); }

 private:
  void Get(auto& part) { Pass(part, *this); }
  template <std::integral Number>
  void Get(Number& number) {
    number = in_.Get<Number>();
  }
  void Get(std::string& text) { text = in_.GetText(); }
  void Get(Dying::Cause& cause) {
    const auto number = in_.Get<uint8_t>();
    if (number > static_cast<uint8_t>(Dying::Cause::kWrongBits)) return;
    cause = static_cast<Dying::Cause>(number);
  }
  void Get(std::vector<Report::Connection>& connections) {
    while (in_.ok() && !in_.ended()) Get(connections.emplace_back());
  }

  wire::ByteReader& in_;
};

template <typename Variant>
std::vector<std::byte> Encode(const Variant& message) {
  FieldWriter out;
  out(static_cast<uint8_t>(kFirst<Variant> + message.index()));
  std::visit([&](const auto& part) { out(part); }, message);
  return out.Take();
}

template <typename... Messages>
Result<void> Decode(std::span<const std::byte> bytes,
                    std::variant<Messages...>& message) {
  wire::ByteReader in(bytes);
  const auto number = in.Get<uint8_t>();
  uint8_t next = kFirst<std::variant<Messages...>>;
  const auto read_as = [&](auto part) {
    if (number != next++) return false;
    FieldReader{in}(part);
    message = std::move(part);
    return true;
  };
  if (!(read_as(Messages()) || ...) || !in.ended()) return Malformed();
  return {};
}

}  // namespace

Result<Control::Ends> Control::MakePair() {
  HALFTONED_TRY_ASSIGN(auto pair, MakeSocketPair(SOCK_SEQPACKET));
  return Ends{Control(std::move(pair.first)), Control(std::move(pair.second))};
}

Result<void> Control::Send(const FromSupervisor& message, int fd_to_pass) {
  const std::span<const int> fds(&fd_to_pass, fd_to_pass >= 0 ? 1 : 0);
  HALFTONED_TRY_ASSIGN(const size_t sent,
                       SendSome(socket_.get(), Encode(message), fds));
  if (sent == 0) return Unavailable("the worker does not read its messages");
  return {};
}

Result<void> Control::Send(const FromWorker& message) {
  backlog_.push_back(Encode(message));
  return Flush();
}

Result<void> Control::SendLast(int fd, const Dying& dying) {
  HALFTONED_TRY(SendSome(fd, Encode(FromWorker(dying))));
  return {};
}

Result<void> Control::Flush() {
  while (!backlog_.empty()) {
    HALFTONED_TRY_ASSIGN(const size_t sent,
                         SendSome(socket_.get(), backlog_.front()));
    if (sent == 0) break;
    backlog_.pop_front();
  }
  return {};
}

Result<std::optional<Control::Message>> Control::Receive() {
  Message message;
  message.bytes.resize(kMaxMessageBytes);
  HALFTONED_TRY_ASSIGN(const Received received,
                       ReceiveSome(socket_.get(), message.bytes, message.fds));
  if (received.ended) return Unavailable("the control channel was closed");
  if (received.bytes == 0) return std::optional<Message>();
  message.bytes.resize(received.bytes);
  return std::optional(std::move(message));
}

Result<std::optional<FromSupervisor>> Control::ReceiveAsWorker(
    Descriptor& passed) {
  HALFTONED_TRY_ASSIGN(auto received, Receive());
  if (!received) return std::optional<FromSupervisor>();
  FromSupervisor message;
  HALFTONED_TRY(Decode(received->bytes, message));
  const bool brings_one = std::holds_alternative<Adopt>(message) ||
                          std::holds_alternative<Show>(message);
  const size_t most = brings_one ? 1 : 0;
  if (received->fds.size() > most) return Malformed();
  passed = received->fds.empty() ? Descriptor() : std::move(received->fds[0]);
  return std::optional(std::move(message));
}

Result<std::optional<FromWorker>> Control::ReceiveAsSupervisor() {
  HALFTONED_TRY_ASSIGN(auto received, Receive());
  if (!received) return std::optional<FromWorker>();
  FromWorker message;
  HALFTONED_TRY(Decode(received->bytes, message));
  return std::optional(std::move(message));
}

}  // namespace halftoned::daemon
