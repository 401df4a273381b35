// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A link at one end of a pair of sockets; the other end splits messages, lies
// and hangs up.

#include "wire/link.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>
#include <vector>

#include "base/unix_socket.h"
#include "tests/wire/resources.h"
#include "tests/wire/words.h"
#include "wire/bytes.h"
#include "wire/checksum.h"

namespace halftoned::wire {
namespace {

using halftoned::testing::Resources;

Bytes Pattern(size_t count, int seed = 1) {
  Bytes bytes(count);
  for (size_t i = 0; i < count; ++i) {
    bytes[i] = std::byte((i * 31 + i / 251) * static_cast<size_t>(seed));
  }
  return bytes;
}

Bytes Joined(View a, View b) {
  Bytes both(a.begin(), a.end());
  both.insert(both.end(), b.begin(), b.end());
  return both;
}

// Any file, many times.
std::vector<Descriptor> Files(size_t count) {
  std::vector<Descriptor> files;
  for (size_t i = 0; i < count; ++i) {
    auto file = Descriptor::Open("/dev/null", O_RDONLY);
    files.push_back(std::move(*file));
  }
  return files;
}

class LinkTest : public ::testing::Test {
 protected:
  LinkTest() { Renew(); }

  void Renew() {
    auto pair = MakeSocketPair(SOCK_STREAM);
    link_ = std::make_unique<Link>(std::move(pair->first));
    peer_ = std::move(pair->second);
  }

  // Sends all of `bytes`, for which the socket has room.
  void Put(View bytes, const std::vector<Descriptor>& files = {}) {
    std::vector<int> fds;
    for (const Descriptor& file : files) fds.push_back(file.get());
    const auto sent = SendSome(peer_.get(), bytes, fds);
    ASSERT_TRUE(sent.ok()) << sent.error().message;
    ASSERT_EQ(*sent, bytes.size());
  }

  void ExpectNothingYet() {
    const auto frame = link_->Receive();
    ASSERT_TRUE(frame.ok()) << frame.error().message;
    EXPECT_FALSE(*frame);
  }
  void ExpectFrame(uint32_t page, View payload) {
    const auto frame = link_->Receive();
    ASSERT_TRUE(frame.ok()) << frame.error().message;
    ASSERT_TRUE(*frame);
    EXPECT_EQ((*frame)->header.page, page);
    EXPECT_EQ((*frame)->payload, Bytes(payload.begin(), payload.end()));
  }
  void ExpectError(ErrorCode code, const std::string& message) {
    const auto frame = link_->Receive();
    ASSERT_FALSE(frame.ok()) << "expected: " << message;
    EXPECT_EQ(frame.error().code, code) << frame.error().message;
    EXPECT_NE(frame.error().message.find(message), std::string::npos)
        << frame.error().message;
  }

  std::unique_ptr<Link> link_;
  Descriptor peer_;
  const Bytes band_ = Encode(kBand);
};

TEST_F(LinkTest, TakesFramesSplitAtEveryByte) {
  const Bytes tail = Pattern(100);
  const Bytes stream =
      Joined(Joined(EncodeFrame(FrameType::kBand, 0, 1, band_, 100), tail),
             EncodeFrame(FrameType::kOpen, 1, 2, band_));
  for (size_t split = 0; split <= stream.size(); ++split) {
    SCOPED_TRACE(split);
    Renew();
    Bytes room(tail.size());
    std::vector<uint32_t> pages;
    bool is_in_tail = false;
    const auto receive = [&] {
      for (;;) {
        if (is_in_tail) {
          const auto done = link_->ReceiveTail(room);
          ASSERT_TRUE(done.ok()) << done.error().message;
          if (!*done) return;
          is_in_tail = false;
        }
        auto frame = link_->Receive();
        ASSERT_TRUE(frame.ok()) << frame.error().message;
        if (!*frame) return;
        EXPECT_EQ((*frame)->payload, band_);
        pages.push_back((*frame)->header.page);
        is_in_tail = (*frame)->header.tail > 0;
      }
    };
    Put(View(stream).first(split));
    receive();
    const bool owes = link_->owed_since().has_value();
    const size_t first = kHeaderBytes + band_.size() + tail.size();
    EXPECT_EQ(owes, split != 0 && split != first && split != stream.size());
    Put(View(stream).subspan(split));
    receive();
    EXPECT_EQ(pages, (std::vector<uint32_t>{1, 2}));
    EXPECT_EQ(room, tail);
    EXPECT_FALSE(link_->owed_since());
  }
}

TEST_F(LinkTest, TakesSeveralFramesOfOneWrite) {
  Bytes stream;
  for (uint32_t i = 0; i < 50; ++i) {
    stream = Joined(stream, EncodeFrame(FrameType::kBand, i, i, band_));
  }
  Put(stream);
  for (uint32_t i = 0; i < 50; ++i) ExpectFrame(i, band_);
  ExpectNothingYet();
}

TEST_F(LinkTest, TakesPayloadsOfEverySizeThatDiffersInKind) {
  uint32_t sequence = 0;
  for (const size_t size : {0, 1, 65535, 65536, 65537, 150000}) {
    const Bytes payload = Pattern(size);
    Put(EncodeFrame(FrameType::kOpen, sequence++, 1, payload));
    ExpectFrame(1, payload);
  }
}

TEST_F(LinkTest, RefusesFramesOutOfTurn) {
  for (const uint32_t sequence : {1u, 7u, UINT32_MAX}) {
    Renew();
    Put(EncodeFrame(FrameType::kBand, sequence, 1, band_));
    ExpectError(ErrorCode::kBadInput, "arrived instead of 0");
  }
  Renew();
  const Bytes frame = EncodeFrame(FrameType::kBand, 0, 1, band_);
  Put(Joined(frame, frame));
  ExpectFrame(1, band_);
  ExpectError(ErrorCode::kBadInput, "frame 0 arrived instead of 1");
}

TEST_F(LinkTest, RefusesInvalidFramesByTheirHeader) {
  Bytes frame = EncodeFrame(FrameType::kBand, 0, 1, band_);
  for (size_t byte = 0; byte < kHeaderBytes; ++byte) {
    Renew();
    Bytes wrong = frame;
    wrong[byte] ^= std::byte{0x40};
    Put(View(wrong).first(kHeaderBytes));
    ExpectError(ErrorCode::kBadInput, "");
  }
  Renew();
  frame.back() ^= std::byte{1};
  Put(frame);
  ExpectError(ErrorCode::kBadInput, "a payload's checksum is wrong");
}

TEST_F(LinkTest, RefusesTooLargeFramesBeforeTheyArrive) {
  for (const auto& [length, tail] : {std::pair(kMaxPayloadBytes + 1, 0u),
                                     {0u, kMaxTailBytes + 1},
                                     {UINT32_MAX, 0u},
                                     {0u, UINT32_MAX},
                                     {UINT32_MAX, UINT32_MAX}}) {
    Renew();
    Put(HeaderThatAnnounces(length, tail));
    ExpectError(ErrorCode::kBadInput, "too large");
  }
  // The largest allowed frame is waited for.
  Renew();
  Put(HeaderThatAnnounces(kMaxPayloadBytes, kMaxTailBytes));
  ExpectNothingYet();
}

TEST_F(LinkTest, PutsTailsIntoARoomOrNowhere) {
  const Bytes tail = Pattern(150000);
  for (const bool has_room : {true, false}) {
    Renew();
    Put(Joined(EncodeFrame(FrameType::kBand, 0, 1, band_, 150000), tail));
    Put(EncodeFrame(FrameType::kBand, 1, 2, band_));
    ExpectFrame(1, band_);
    Bytes room(tail.size());
    for (bool done = false; !done;) {
      const auto received = link_->ReceiveTail(
          has_room ? std::span(room) : std::span<std::byte>());
      ASSERT_TRUE(received.ok());
      done = *received;
    }
    EXPECT_EQ(room == tail, has_room);
    ExpectFrame(2, band_);
  }
}

TEST_F(LinkTest, CallsAForgottenTailABug) {
  Put(Joined(EncodeFrame(FrameType::kBand, 0, 1, band_, 10), Pattern(10)));
  ExpectFrame(1, band_);
  ExpectError(ErrorCode::kBug, "a tail has not been received");
  Bytes room(11);
  EXPECT_EQ(link_->ReceiveTail(room).error().code, ErrorCode::kBug);
}

TEST_F(LinkTest, GivesDescriptorsToTheFrameThatBringsThem) {
  const Resources before = Resources::Held();
  for (const size_t count : {0, 1, 2, 4}) {
    Renew();
    Put(EncodeFrame(FrameType::kRing, 0, 0, band_), Files(count));
    Put(EncodeFrame(FrameType::kBand, 1, 1, band_));
    const auto with = link_->Receive();
    ASSERT_TRUE(with.ok() && *with);
    EXPECT_EQ((*with)->descriptors.size(), count);
    for (const Descriptor& file : (*with)->descriptors) {
      EXPECT_EQ(::fcntl(file.get(), F_GETFD), FD_CLOEXEC);
    }
    const auto without = link_->Receive();
    ASSERT_TRUE(without.ok() && *without);
    EXPECT_TRUE((*without)->descriptors.empty());
  }
  EXPECT_EQ(Resources::Held(), before);
}

TEST_F(LinkTest, KeepsOnlyAFewDescriptors) {
  const Resources before = Resources::Held();
  const Bytes frame = EncodeFrame(FrameType::kRing, 0, 0, band_);
  for (const bool in_tail : {false, true}) {
    Renew();
    Bytes stream =
        in_tail ? Joined(EncodeFrame(FrameType::kBand, 0, 0, band_, 1000),
                         Bytes(10))
                : frame;
    size_t at = in_tail ? stream.size() - 10 : 0;
    Put(View(stream).first(at));
    if (in_tail) ExpectFrame(0, band_);
    const auto files = Files(kMaxPassedDescriptors);
    bool is_refused = false;
    for (; at < stream.size() && !is_refused; ++at) {
      Put(View(stream).subspan(at, 1), files);
      is_refused =
          in_tail ? !link_->ReceiveTail({}).ok() : !link_->Receive().ok();
      EXPECT_LE(Resources::Held().descriptors,
                before.descriptors + 3 * kMaxPassedDescriptors);
    }
    EXPECT_TRUE(is_refused);
  }
  Renew();
  EXPECT_EQ(Resources::Held(), before);
}

TEST_F(LinkTest, LosesNoDescriptorOfMoreThanAMessageMayBring) {
  const Resources before = Resources::Held();
  const auto files = Files(kMaxPassedDescriptors + 1);
  std::vector<int> fds;
  for (const Descriptor& file : files) fds.push_back(file.get());
  const Bytes frame = EncodeFrame(FrameType::kRing, 0, 0, band_);
  iovec part{const_cast<std::byte*>(frame.data()), frame.size()};
  std::vector<char> control(CMSG_SPACE(fds.size() * sizeof(int)));
  msghdr message{};
  message.msg_iov = &part;
  message.msg_iovlen = 1;
  message.msg_control = control.data();
  message.msg_controllen = control.size();
  cmsghdr* header = CMSG_FIRSTHDR(&message);
  header->cmsg_level = SOL_SOCKET;
  header->cmsg_type = SCM_RIGHTS;
  header->cmsg_len = CMSG_LEN(fds.size() * sizeof(int));
  std::copy(fds.begin(), fds.end(), reinterpret_cast<int*>(CMSG_DATA(header)));
  ASSERT_GT(::sendmsg(peer_.get(), &message, 0), 0);
  EXPECT_EQ(link_->Receive().error().message, "too many descriptors");
  link_->Discard();
  Resources wanted = before;
  wanted.descriptors += files.size() - 1;  // the link's own socket is closed
  EXPECT_EQ(Resources::HeldAtLast(wanted), wanted);
}

TEST_F(LinkTest, SendsItsDescriptorsOnceAndClosesThem) {
  const Resources before = Resources::Held();
  link_->Send(FrameType::kRing, 0, band_, {}, Files(2));
  link_->Send(FrameType::kBand, 1, band_);
  EXPECT_EQ(Resources::Held().descriptors, before.descriptors + 2);
  ASSERT_TRUE(link_->Flush().ok());
  EXPECT_FALSE(link_->has_unsent());
  EXPECT_EQ(Resources::Held(), before);
  std::vector<Descriptor> files;
  Bytes room(1000);
  for (size_t all = 0; all < 2 * (kHeaderBytes + band_.size());) {
    const auto got = ReceiveSome(peer_.get(), room, files);
    ASSERT_TRUE(got.ok() && got->bytes > 0);
    all += got->bytes;
  }
  EXPECT_EQ(files.size(), 2u);
}

TEST_F(LinkTest, NoticesTheEndAfterEarlierFrames) {
  Put(EncodeFrame(FrameType::kBand, 0, 1, band_));
  ASSERT_EQ(::shutdown(peer_.get(), SHUT_WR), 0);
  ExpectFrame(1, band_);
  EXPECT_FALSE(link_->has_ended());
  ExpectError(ErrorCode::kUnavailable, "the connection has ended");
  EXPECT_TRUE(link_->has_ended());
  // The other direction is still open.
  link_->Send(FrameType::kAnswer, 1, band_);
  EXPECT_TRUE(link_->Flush().ok());
  EXPECT_FALSE(link_->has_unsent());
}

TEST_F(LinkTest, NoticesTheEndAtEveryByteOfAFrame) {
  const Bytes frame = EncodeFrame(FrameType::kBand, 0, 1, band_);
  for (size_t bytes = 0; bytes < frame.size(); ++bytes) {
    Renew();
    Put(View(frame).first(bytes));
    ExpectNothingYet();
    peer_.Close();
    ExpectError(ErrorCode::kUnavailable, "the connection has ended");
  }
}

TEST_F(LinkTest, OutlivesAResetWithoutASignal) {
  link_->Send(FrameType::kAnswer, 1, band_);
  ASSERT_TRUE(link_->Flush().ok());
  Put(EncodeFrame(FrameType::kBand, 0, 1, band_));
  peer_.Close();  // with something unread: a reset
  link_->Send(FrameType::kAnswer, 1, band_);
  const auto flushed = link_->Flush();
  ASSERT_FALSE(flushed.ok());
  EXPECT_EQ(flushed.error().code, ErrorCode::kUnavailable);
  ExpectFrame(1, band_);
  ExpectError(ErrorCode::kUnavailable, "");
}

// Both write more than the sockets hold before either has read a byte.
TEST_F(LinkTest, NeverBlocksInAWriteWhileThereIsSomethingToRead) {
  Link other(std::move(peer_));
  const Bytes tail_here = Pattern(5'000'000, 1);
  const Bytes tail_there = Pattern(7'000'000, 3);
  struct Side {
    Link& link;
    const Bytes& out;
    Bytes in;
    bool in_tail = false;
    bool done = false;
  };
  Side sides[] = {{*link_, tail_here, Bytes(tail_there.size())},
                  {other, tail_there, Bytes(tail_here.size())}};
  for (Side& side : sides) {
    side.link.Send(FrameType::kBand, 1, band_, side.out);
    ASSERT_TRUE(side.link.Flush().ok());
    EXPECT_TRUE(side.link.has_unsent());
  }
  while (!sides[0].done || !sides[1].done) {
    for (Side& side : sides) {
      ASSERT_TRUE(side.link.Flush().ok());
      if (side.in_tail) {
        const auto done = side.link.ReceiveTail(side.in);
        ASSERT_TRUE(done.ok());
        side.done = *done;
      } else {
        const auto frame = side.link.Receive();
        ASSERT_TRUE(frame.ok());
        side.in_tail = frame->has_value();
      }
    }
  }
  EXPECT_EQ(sides[0].in, tail_there);
  EXPECT_EQ(sides[1].in, tail_here);
}

}  // namespace
}  // namespace halftoned::wire
