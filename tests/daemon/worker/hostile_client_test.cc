// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Clients that send bytes that are no frames, or frames at the wrong time.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/socket.h>

#include <string>

#include "tests/daemon/worker/hostile_client_fixture.h"

namespace halftoned::testing {
namespace {

using wire::Band;
using wire::Bytes;
using wire::FrameType;

// A malformed frame.
Bytes Mangled(Bytes frame, size_t byte, int value) {
  frame[byte] ^= std::byte(value);
  return frame;
}

TEST_F(HostileClientTest, IsRefusedIfItSendsNoFrames) {
  ExpectRefused("garbage", "the frame is malformed", [](HostileClient& client) {
    client.Send(Bytes(1000, std::byte{'G'}));
  });
  ExpectRefused("HTTP", "the frame is malformed", [](HostileClient& client) {
    const std::string text = "POST /ipp/print HTTP/1.1\r\nHost: localhost\r\n";
    client.Send(std::as_bytes(std::span(text)));
  });
  ExpectRefused("magic", "the frame is malformed", [&](HostileClient& client) {
    client.Send(Mangled(client.Frame(FrameType::kOpen, 1, {}), 0, 1));
  });
  ExpectRefused("version", "a frame of version 2", [&](HostileClient& client) {
    client.Send(Mangled(client.Frame(FrameType::kOpen, 1, {}), 4, 1));
  });
  ExpectRefused("header", "a frame's checksum", [&](HostileClient& client) {
    client.Send(Mangled(client.Frame(FrameType::kOpen, 1, {}), 12, 1));
  });
  ExpectRefused("payload", "a payload's checksum", [&](HostileClient& client) {
    client.Send(Mangled(client.Frame(FrameType::kOpen, 1, Bytes(9)), 40, 1));
  });
  ExpectRefused("sequence", "instead of", [&](HostileClient& client) {
    client.next_sent = 5;
    client.Open();
  });
  for (const int type : {0, 4, 16, 17, 18, 19, 65535}) {
    ExpectRefused("type", "unexpected frame of type " + std::to_string(type),
                  [&](HostileClient& client) {
                    client.SendFrame(static_cast<FrameType>(type), 1, {});
                  });
  }
}

TEST_F(HostileClientTest, IsRefusedIfItActsOutOfTurn) {
  ExpectRefused("band first", "never open",
                [](HostileClient& client) { client.SendInline(0); });
  ExpectRefused("page 0", "opened after page 0",
                [](HostileClient& client) { client.Open(0); });
  ExpectRefused("two pages", "another is open", [](HostileClient& client) {
    client.Open(1);
    client.Open(2);
  });
  ExpectRefused("same page", "another is open", [](HostileClient& client) {
    client.Open(1);
    client.Open(1);
  });
  ExpectRefused("falls", "page 4 was opened after", [](HostileClient& client) {
    client.Open(5);
    for (int i = 0; i < client.page.bands(); ++i) {
      client.SendInline(i, 5);
      EXPECT_TRUE(client.Receive());
    }
    client.Open(4);
  });
  ExpectRefused("other page", "never open", [](HostileClient& client) {
    client.Open(1);
    client.SendInline(0, 2);
  });
  ExpectRefused("page 0's band", "never open", [](HostileClient& client) {
    client.Open(1);
    client.SendInline(0, 0);
  });
  ExpectRefused("ring in a page", "a page is open", [](HostileClient& client) {
    client.Open(1);
    client.SendRing();
  });
}

// For a page whose answers are held back.
TEST_F(HostileClientTest, IsRefusedIfItSendsTooManyBands) {
  stage_.is_open = false;
  const SamplePage staged(kStagedWidth);
  ExpectRefused("after the last", "arrived after the last",
                [&](HostileClient& client) {
                  client.SendOpen(staged.open());
                  Band band{1, true, 0, 0, wire::Checksum(Bytes(999))};
                  client.SendBand(band, Bytes(999));
                  client.SendBand(band, Bytes(999));
                });
  ExpectRefused("one more", "than may be in flight",
                [&](HostileClient& client) {
                  client.SendOpen(staged.open());
                  Band band{1, false, 0, 0, wire::Checksum(Bytes(999))};
                  for (int i = 0; i <= wire::kBandsInFlight; ++i) {
                    client.SendBand(band, Bytes(999));
                  }
                });
}

TEST_F(HostileClientTest, IsRefusedIfItMisstatesItsBands) {
  const auto refused = [&](const char* reason, auto change, size_t tail_bytes) {
    ExpectRefused(reason, reason, [&](HostileClient& client) {
      client.Open();
      Band band = client.InlineBand(0);
      change(band);
      client.SendBand(band, Bytes(tail_bytes));
    });
  };
  const size_t bytes = page_.gray_band_bytes();
  refused(
      "a band's checksum", [](Band&) {}, bytes);
  refused(
      "rows has 6399 bytes", [](Band&) {}, bytes - 1);
  refused(
      "rows has 6401 bytes", [](Band&) {}, bytes + 1);
  refused(
      "rows has 0 bytes", [](Band&) {}, 0);
  refused(
      "the limit is 32", [](Band& band) { band.rows = 33; }, 200 * 33);
  refused(
      "the limit is 32", [](Band& band) { band.rows = INT32_MAX; }, 0);
  refused(
      "malformed", [](Band& band) { band.rows = 0; }, 0);
  refused(
      "malformed", [](Band& band) { band.rows = -1; }, 0);
  refused(
      "has 1 bytes",
      [](Band& band) {
        band.rows = 0;
        band.last = true;
      },
      1);
  ExpectRefused("tail of an open", "unexpected bytes after",
                [](HostileClient& client) {
                  client.SendFrame(FrameType::kOpen, 1,
                                   Encode(client.page.open()), Bytes(5));
                });
  ExpectRefused("tail of a ring", "unexpected bytes after",
                [](HostileClient& client) {
                  client.SendFrame(FrameType::kRing, 0, {}, Bytes(5));
                });
}

TEST_F(HostileClientTest, IsRefusedIfItSendsDescriptorsWithOtherFrames) {
  const auto file = Descriptor::Open("/dev/null", O_RDONLY);
  const int fds[] = {file->get(), file->get()};
  ExpectRefused("open", "unexpected file descriptors",
                [&](HostileClient& client) {
                  client.SendFrame(FrameType::kOpen, 1,
                                   Encode(client.page.open()), {}, fds);
                });
  ExpectRefused(
      "band", "unexpected file descriptors", [&](HostileClient& client) {
        client.Open();
        client.SendFrame(FrameType::kBand, 1, Encode(client.InlineBand(0)),
                         client.page.gray(0), fds);
      });
  ExpectRefused(
      "drop by drop", "too many descriptors", [&](HostileClient& client) {
        const Bytes frame = client.Frame(FrameType::kRing, 0, Bytes(100));
        for (size_t i = 0; i < frame.size(); ++i) {
          if (!client.Send(wire::View(frame).subspan(i, 1), fds)) {
            break;
          }
        }
      });
}

TEST_F(HostileClientTest, IsRefusedIfItsPageIsInvalid) {
  ExpectRefused("cut", "the open is malformed", [](HostileClient& client) {
    Bytes open = Encode(client.page.open());
    open.resize(50);
    client.SendFrame(FrameType::kOpen, 1, open);
  });
  ExpectRefused("carry", "carry value 2041", [](HostileClient& client) {
    wire::Open open = client.page.open();
    open.carry->plane(0)[7] = 2041;
    client.SendOpen(open);
  });
  ExpectRefused("carry's row", "continues at row", [](HostileClient& client) {
    wire::Open open = client.page.open();
    open.carry->set_next_row(6);
    client.SendOpen(open);
  });
  ExpectRefused("large", "too large to be sent", [](HostileClient& client) {
    wire::Open open{*Page::Make(Page::kMaxWidth, 8), Recipe::FloydSteinberg(),
                    std::nullopt, 257};
    client.SendOpen(open);
  });
  ExpectRefused("1 GiB", "larger than 1 GiB", [](HostileClient& client) {
    client.SendRing();
    wire::Open open{*Page::Make(Page::kMaxWidth, 16), Recipe::FloydSteinberg(),
                    std::nullopt, Page::kMaxRowsPerBand};
    client.SendOpen(open);
  });
}

// This is not the client's fault: the page fails, and the connection can be
// used for another one.
TEST_F(HostileClientTest, KeepsItsConnectionIfItAsksForAnUnknownRecipe) {
  const daemon::Closed closed = Do([&](HostileClient& client) {
    SendUnknownRecipe(client, 1);
    client.SendInline(0);  // sent before the answer is known
    EXPECT_EQ(client.ReceiveFailure(), "unknown halftone algorithm 77");
    client.Open(2);
    client.SendInline(0, 2);
    const auto answer = client.Receive();
    ASSERT_TRUE(answer);
    EXPECT_EQ(answer->header.type, FrameType::kAnswer);
    EXPECT_EQ(answer->tail,
              Bytes(client.page.bits(0).begin(), client.page.bits(0).end()));
  });
  EXPECT_EQ(closed.counters.failed_pages, 1u);
  EXPECT_EQ(closed.counters.protocol_errors, 0u);
  EXPECT_EQ(closed.counters.bands, 1u);
}

}  // namespace
}  // namespace halftoned::testing
