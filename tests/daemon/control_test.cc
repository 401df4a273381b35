// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "control/control.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <array>

namespace halftoned::daemon {
namespace {

class ControlTest : public ::testing::Test {
 protected:
  FromSupervisor ReceiveAsWorker() {
    auto message = ends_->worker.ReceiveAsWorker(passed_);
    EXPECT_TRUE(message.ok() && message->has_value());
    return **message;
  }
  FromWorker ReceiveAsSupervisor() {
    auto message = ends_->supervisor.ReceiveAsSupervisor();
    EXPECT_TRUE(message.ok() && message->has_value());
    return **message;
  }

  Result<Control::Ends> ends_ = Control::MakePair();
  Descriptor passed_;
};

TEST_F(ControlTest, AdoptBringsTheConnection) {
  int pipe_fds[2];
  ASSERT_EQ(::pipe(pipe_fds), 0);
  const Descriptor read_end(pipe_fds[0]);
  Descriptor write_end(pipe_fds[1]);
  Adopt adopt{5, {10, 11, 12}, {}};
  adopt.hello.job = 3;
  adopt.hello.wanted_worker = 1;
  adopt.hello.avoided_worker = 2;
  adopt.hello.printer = "laser";
  adopt.hello.title = "Größe";
  adopt.hello.recipe_kind = 4;
  adopt.place = 7;
  ASSERT_TRUE(ends_->supervisor.Send(adopt, write_end.get()).ok());
  write_end.Close();
  const auto received = std::get<Adopt>(ReceiveAsWorker());
  EXPECT_EQ(received.connection, 5u);
  EXPECT_EQ(received.credentials.pid, 10);
  EXPECT_EQ(received.credentials.uid, 11u);
  EXPECT_EQ(received.credentials.gid, 12u);
  EXPECT_EQ(received.hello.job, 3u);
  EXPECT_EQ(received.hello.wanted_worker, 1u);
  EXPECT_EQ(received.hello.avoided_worker, 2u);
  EXPECT_EQ(received.hello.printer, "laser");
  EXPECT_EQ(received.hello.title, "Größe");
  EXPECT_EQ(received.hello.recipe_kind, 4u);
  EXPECT_EQ(received.place, 7u);
  ASSERT_EQ(::write(passed_.get(), "x", 1), 1);
  char byte = 0;
  ASSERT_EQ(::read(read_end.get(), &byte, 1), 1);
  EXPECT_EQ(byte, 'x');
}

TEST_F(ControlTest, LastWordsHaveACause) {
  for (const auto cause : {Dying::Cause::kFault, Dying::Cause::kAbsent,
                           Dying::Cause::kWrongBits}) {
    ASSERT_TRUE(Control::SendLast(ends_->worker.fd(), {cause, "why"}).ok());
    EXPECT_EQ(std::get<Dying>(ReceiveAsSupervisor()).cause, cause);
  }
  // The build is the first byte after the type; another one is an error.
  const std::string_view unknown("\x13\x09\x00\x00", 4);
  ASSERT_GT(::write(ends_->worker.fd(), unknown.data(), unknown.size()), 0);
  EXPECT_EQ(std::get<Dying>(ReceiveAsSupervisor()).cause, Dying::Cause::kFault);
}

TEST_F(ControlTest, ABoardIsPassedAlong) {
  ASSERT_TRUE(ends_->supervisor.Send(Show{}, STDIN_FILENO).ok());
  EXPECT_TRUE(std::holds_alternative<Show>(ReceiveAsWorker()));
  EXPECT_TRUE(passed_.open());
}

// Received by a process that has reached its limit of open files.
TEST_F(ControlTest, AnAdoptCanLackItsConnection) {
  ASSERT_TRUE(ends_->supervisor.Send(Adopt{5, {}, {}}).ok());
  EXPECT_EQ(std::get<Adopt>(ReceiveAsWorker()).connection, 5u);
  EXPECT_FALSE(passed_.open());
}

TEST_F(ControlTest, NothingElseBringsAConnection) {
  ASSERT_TRUE(ends_->supervisor.Send(Ask{}, STDIN_FILENO).ok());
  EXPECT_FALSE(ends_->worker.ReceiveAsWorker(passed_).ok());
}

TEST_F(ControlTest, MessagesArriveSeparatelyAndInOrder) {
  ASSERT_TRUE(ends_->supervisor.Send(Ask{}).ok());
  ASSERT_TRUE(ends_->supervisor.Send(Drain{}).ok());
  EXPECT_TRUE(std::holds_alternative<Ask>(ReceiveAsWorker()));
  EXPECT_TRUE(std::holds_alternative<Drain>(ReceiveAsWorker()));
  const auto nothing = ends_->worker.ReceiveAsWorker(passed_);
  ASSERT_TRUE(nothing.ok());
  EXPECT_FALSE(nothing->has_value());
}

TEST_F(ControlTest, AWorkerSendsItsReports) {
  Closed closed{7, {1, 2, 3, 4, 5, 6, 7, 8}, "why"};
  Report report;
  report.counters.rows = 100;
  report.last_minute = {3, 4};
  report.bands_in_flight = 5;
  report.work.types[2] = {6, 7, 8};
  report.work.pages.Add(std::chrono::seconds(9));
  report.work.bands.Add(std::chrono::seconds(90));
  report.page_bytes = 200;
  report.connections = {{8, {}, 1, 2, 3, 4}, {9, {}, 5, 6, 7, 8}};
  ASSERT_TRUE(
      ends_->worker.Send(Ready{Ready::kBuild, "cuda", 4, 5, "a GPU", 99, 3})
          .ok());
  ASSERT_TRUE(ends_->worker.Send(Adopted{6}).ok());
  ASSERT_TRUE(ends_->worker.Send(closed).ok());
  ASSERT_TRUE(ends_->worker.Send(report).ok());
  ASSERT_TRUE(
      Control::SendLast(ends_->worker.fd(), {Dying::Cause::kAbsent, "no more"})
          .ok());
  const auto ready = std::get<Ready>(ReceiveAsSupervisor());
  EXPECT_EQ(ready.engine, "cuda");
  EXPECT_EQ(ready.threads, 4);
  EXPECT_EQ(ready.recipe_kinds, 5u);
  EXPECT_EQ(ready.device, "a GPU");
  EXPECT_EQ(ready.device_memory, 99u);
  EXPECT_EQ(ready.pages, 3u);
  EXPECT_EQ(std::get<Adopted>(ReceiveAsSupervisor()).connection, 6u);
  const auto got = std::get<Closed>(ReceiveAsSupervisor());
  EXPECT_EQ(got.connection, 7u);
  EXPECT_EQ(got.counters.pages, 1u);
  EXPECT_EQ(got.counters.protocol_errors, 8u);
  EXPECT_EQ(got.reason, "why");
  const auto said = std::get<Report>(ReceiveAsSupervisor());
  EXPECT_EQ(said.counters.rows, 100u);
  EXPECT_EQ(said.last_minute.pages, 3u);
  EXPECT_EQ(said.last_minute.gray_bytes, 4u);
  EXPECT_EQ(said.bands_in_flight, 5u);
  EXPECT_EQ(said.work, report.work);
  EXPECT_EQ(said.page_bytes, 200u);
  ASSERT_EQ(said.connections.size(), 2u);
  EXPECT_EQ(said.connections[1].connection, 9u);
  EXPECT_EQ(said.connections[1].next_row, 6);
  EXPECT_EQ(said.connections[1].idle_ms, 8u);
  const auto dying = std::get<Dying>(ReceiveAsSupervisor());
  EXPECT_EQ(dying.cause, Dying::Cause::kAbsent);
  EXPECT_EQ(dying.reason, "no more");
}

TEST(Ready, ServesTheNamedKindsAndClientsThatNameNone) {
  const Ready ready{.recipe_kinds = 1u << 2 | uint64_t{1} << 63};
  for (const uint32_t kind : {0u, 2u, 63u}) EXPECT_TRUE(ready.Serves(kind));
  for (const uint32_t kind : {1u, 3u, 34u, 64u, 66u, ~0u}) {
    EXPECT_FALSE(ready.Serves(kind));
  }
}

TEST_F(ControlTest, AWorkersMessagesWaitIfTheChannelIsFull) {
  constexpr uint64_t kWords = 5000;
  for (uint64_t i = 0; i < kWords; ++i) {
    ASSERT_TRUE(ends_->worker.Send(Closed{i, {}, "reason"}).ok());
  }
  ASSERT_TRUE(ends_->worker.has_backlog());
  for (uint64_t i = 0; i < kWords; ++i) {
    ASSERT_EQ(std::get<Closed>(ReceiveAsSupervisor()).connection, i);
    ASSERT_TRUE(ends_->worker.Flush().ok());
  }
  EXPECT_FALSE(ends_->worker.has_backlog());
}

TEST_F(ControlTest, TheSupervisorIsToldThatTheChannelIsFull) {
  Result<void> sent;
  for (int i = 0; i < 100'000 && sent.ok(); ++i) {
    sent = ends_->supervisor.Send(Ask{});
  }
  EXPECT_FALSE(sent.ok());
}

TEST_F(ControlTest, AFullReportFits) {
  Report report;
  report.connections.resize(Report::kMaxConnections);
  ASSERT_TRUE(ends_->worker.Send(report).ok());
  const auto said = std::get<Report>(ReceiveAsSupervisor());
  EXPECT_EQ(said.connections.size(), Report::kMaxConnections);
}

TEST_F(ControlTest, TheEndOfTheChannelIsAnError) {
  ends_->supervisor = Control(Descriptor());
  EXPECT_FALSE(ends_->worker.ReceiveAsWorker(passed_).ok());
}

TEST_F(ControlTest, NonsenseIsAnError) {
  for (const std::string_view bytes : {"?", "\x10", "\x12short", "\x01"}) {
    ASSERT_GT(::write(ends_->worker.fd(), bytes.data(), bytes.size()), 0);
    const auto message = ends_->supervisor.ReceiveAsSupervisor();
    ASSERT_FALSE(message.ok());
    EXPECT_EQ(message.error().code, ErrorCode::kBug);
  }
}

}  // namespace
}  // namespace halftoned::daemon
