// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/control.h"

#include <sys/socket.h>

#include "wire/bytes.h"

namespace halftoned::daemon {
namespace {

// Larger than any message: the socket's buffer limits their size.
constexpr size_t kMaxMessageBytes = size_t{256} << 10;

enum class Type : uint8_t {
  kAdopt = 1,
  kDrain = 2,
  kAsk = 3,
  kShow = 4,
  kDismiss = 5,
  kReady = 16,
  kClosed = 17,
  kReport = 18,
  kDying = 19,
  kAdopted = 20,
};

using wire::ByteReader;
using wire::ByteWriter;

void PutType(Type type, ByteWriter& out) {
  out.Put(static_cast<uint8_t>(type));
}

Error Malformed() { return Bug("malformed message on the control channel"); }

constexpr uint64_t Counters::*kCounters[] = {
    &Counters::pages,         &Counters::rows,
    &Counters::bands,         &Counters::pixels,
    &Counters::failed_pages,  &Counters::cancelled_pages,
    &Counters::evicted_pages, &Counters::protocol_errors,
};

void Put(const Counters& counters, ByteWriter& out) {
  for (const auto counter : kCounters) out.Put(counters.*counter);
}

Counters GetCounters(ByteReader& in) {
  Counters counters;
  for (const auto counter : kCounters) counters.*counter = in.Get<uint64_t>();
  return counters;
}

void Put(const Latencies& latencies, ByteWriter& out) {
  for (const uint64_t count : latencies.counts) out.Put(count);
  out.Put(latencies.microseconds);
}

Latencies GetLatencies(ByteReader& in) {
  Latencies latencies;
  for (uint64_t& count : latencies.counts) count = in.Get<uint64_t>();
  latencies.microseconds = in.Get<uint64_t>();
  return latencies;
}

void Put(const Work& work, ByteWriter& out) {
  for (const TypeWork& type : work.types) {
    out.Put(type.pages);
    out.Put(type.rows);
    out.Put(type.microseconds);
  }
  Put(work.pages, out);
  Put(work.bands, out);
}

Work GetWork(ByteReader& in) {
  Work work;
  for (TypeWork& type : work.types) {
    type.pages = in.Get<uint64_t>();
    type.rows = in.Get<uint64_t>();
    type.microseconds = in.Get<uint64_t>();
  }
  work.pages = GetLatencies(in);
  work.bands = GetLatencies(in);
  return work;
}

void Put(const Adopt& adopt, ByteWriter& out) {
  PutType(Type::kAdopt, out);
  out.Put(adopt.connection);
  out.Put(adopt.credentials.pid);
  out.Put(adopt.credentials.uid);
  out.Put(adopt.credentials.gid);
  out.Put(adopt.hello.version);
  out.Put(adopt.hello.job);
  out.Put(adopt.hello.wanted_worker);
  out.Put(adopt.hello.avoided_worker);
  out.PutText(adopt.hello.printer);
  out.PutText(adopt.hello.title);
  out.Put(adopt.hello.recipe_kind);
  out.Put(adopt.place);
}

Adopt GetAdopt(ByteReader& in) {
  Adopt adopt;
  adopt.connection = in.Get<uint64_t>();
  adopt.credentials.pid = in.Get<pid_t>();
  adopt.credentials.uid = in.Get<uid_t>();
  adopt.credentials.gid = in.Get<gid_t>();
  adopt.hello.version = in.Get<uint16_t>();
  adopt.hello.job = in.Get<uint32_t>();
  adopt.hello.wanted_worker = in.Get<uint32_t>();
  adopt.hello.avoided_worker = in.Get<uint32_t>();
  adopt.hello.printer = in.GetText();
  adopt.hello.title = in.GetText();
  adopt.hello.recipe_kind = in.Get<uint32_t>();
  adopt.place = in.Get<uint32_t>();
  return adopt;
}

void Put(const Drain&, ByteWriter& out) { PutType(Type::kDrain, out); }
void Put(const Ask&, ByteWriter& out) { PutType(Type::kAsk, out); }
void Put(const Show&, ByteWriter& out) { PutType(Type::kShow, out); }
void Put(const Dismiss& dismiss, ByteWriter& out) {
  PutType(Type::kDismiss, out);
  out.Put(dismiss.connection);
}

void Put(const Ready& ready, ByteWriter& out) {
  PutType(Type::kReady, out);
  out.Put(ready.build);
  out.PutText(ready.engine);
  out.Put(ready.threads);
  out.Put(ready.recipe_kinds);
  out.PutText(ready.device);
  out.Put(ready.device_memory);
  out.Put(ready.pages);
}

Ready GetReady(ByteReader& in) {
  Ready ready;
  ready.build = in.Get<uint32_t>();
  ready.engine = in.GetText();
  ready.threads = in.Get<int32_t>();
  ready.recipe_kinds = in.Get<uint64_t>();
  ready.device = in.GetText();
  ready.device_memory = in.Get<uint64_t>();
  ready.pages = in.Get<uint32_t>();
  return ready;
}

void Put(const Closed& closed, ByteWriter& out) {
  PutType(Type::kClosed, out);
  out.Put(closed.connection);
  Put(closed.counters, out);
  out.PutText(closed.reason);
}

Closed GetClosed(ByteReader& in) {
  Closed closed;
  closed.connection = in.Get<uint64_t>();
  closed.counters = GetCounters(in);
  closed.reason = in.GetText();
  return closed;
}

void Put(const Report& report, ByteWriter& out) {
  PutType(Type::kReport, out);
  Put(report.counters, out);
  out.Put(report.last_minute.pages);
  out.Put(report.last_minute.gray_bytes);
  out.Put(report.page_bytes);
  out.Put(report.device_bytes);
  out.Put(report.bands_in_flight);
  Put(report.work, out);
  for (const Report::Connection& connection : report.connections) {
    out.Put(connection.connection);
    Put(connection.counters, out);
    out.Put(connection.page);
    out.Put(connection.next_row);
    out.Put(connection.width);
    out.Put(connection.idle_ms);
  }
}

Report GetReport(ByteReader& in) {
  Report report;
  report.counters = GetCounters(in);
  report.last_minute.pages = in.Get<uint64_t>();
  report.last_minute.gray_bytes = in.Get<uint64_t>();
  report.page_bytes = in.Get<uint64_t>();
  report.device_bytes = in.Get<uint64_t>();
  report.bands_in_flight = in.Get<uint64_t>();
  report.work = GetWork(in);
  while (in.ok() && !in.ended()) {
    Report::Connection& connection = report.connections.emplace_back();
    connection.connection = in.Get<uint64_t>();
    connection.counters = GetCounters(in);
    connection.page = in.Get<uint32_t>();
    connection.next_row = in.Get<int64_t>();
    connection.width = in.Get<int32_t>();
    connection.idle_ms = in.Get<uint64_t>();
  }
  return report;
}

void Put(const Dying& dying, ByteWriter& out) {
  out.Reserve(4 + dying.reason.size());
  PutType(Type::kDying, out);
  out.Put(static_cast<uint8_t>(dying.cause));
  out.PutText(dying.reason);
}

Dying GetDying(ByteReader& in) {
  Dying dying;
  const auto cause = in.Get<uint8_t>();
  if (cause <= static_cast<uint8_t>(Dying::Cause::kWrongBits)) {
    dying.cause = static_cast<Dying::Cause>(cause);
  }
  dying.reason = in.GetText();
  return dying;
}

void Put(const Adopted& adopted, ByteWriter& out) {
  PutType(Type::kAdopted, out);
  out.Put(adopted.connection);
}

template <typename Message>
std::vector<std::byte> Encode(const Message& message) {
  ByteWriter out;
  std::visit([&](const auto& part) { Put(part, out); }, message);
  return out.Take();
}

Result<FromSupervisor> DecodeFromSupervisor(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  FromSupervisor message;
  switch (static_cast<Type>(in.Get<uint8_t>())) {
    case Type::kAdopt:
      message = GetAdopt(in);
      break;
    case Type::kDrain:
      message = Drain{};
      break;
    case Type::kAsk:
      message = Ask{};
      break;
    case Type::kDismiss:
      message = Dismiss{in.Get<uint64_t>()};
      break;
    case Type::kShow:
      message = Show{};
      break;
    default:
      return Malformed();
  }
  if (!in.ended()) return Malformed();
  return message;
}

Result<FromWorker> DecodeFromWorker(std::span<const std::byte> bytes) {
  ByteReader in(bytes);
  FromWorker message;
  switch (static_cast<Type>(in.Get<uint8_t>())) {
    case Type::kReady:
      message = GetReady(in);
      break;
    case Type::kClosed:
      message = GetClosed(in);
      break;
    case Type::kReport:
      message = GetReport(in);
      break;
    case Type::kDying:
      message = GetDying(in);
      break;
    case Type::kAdopted:
      message = Adopted{in.Get<uint64_t>()};
      break;
    default:
      return Malformed();
  }
  if (!in.ended()) return Malformed();
  return message;
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
  HALFTONED_TRY_ASSIGN(FromSupervisor message,
                       DecodeFromSupervisor(received->bytes));
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
  HALFTONED_TRY_ASSIGN(FromWorker message, DecodeFromWorker(received->bytes));
  return std::optional(std::move(message));
}

}  // namespace halftoned::daemon
