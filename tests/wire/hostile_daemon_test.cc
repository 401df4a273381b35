// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a daemon answers, the session reports once that it cannot go on, and
// why; behind a fail-over session the page comes out right.

#include <fcntl.h>
#include <gtest/gtest.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <string>

#include "halftone/run/failover.h"
#include "tests/wire/daemon_side.h"
#include "tests/wire/hostile_daemon_fixture.h"
#include "tests/wire/listener.h"
#include "tests/wire/sample_page.h"
#include "wire/remote_engine.h"

namespace halftoned::testing {
namespace {

using wire::Answer;
using wire::Bytes;
using wire::FrameType;
using wire::View;

TEST_F(HostileDaemonTest, CanGreetInAnyWay) {
  ExpectUnavailable("", [](DaemonSide&) {});
  ExpectUnavailable("ended", [](DaemonSide& daemon) {
    ::shutdown(daemon.fd(), SHUT_WR);
    daemon.WaitForEnd();
  });
  ExpectUnavailable("the daemon refused: out of toner",
                    [](DaemonSide& daemon) { daemon.SendFailed(0); });
  ExpectUnavailable("the failure is malformed", [](DaemonSide& daemon) {
    daemon.SendFrame(FrameType::kFailed, 0, Bytes(3));
  });
  ExpectUnavailable("the frame is malformed", [](DaemonSide& daemon) {
    daemon.Send(Bytes(1000, std::byte{'G'}));
  });
  ExpectUnavailable("instead of 0", [](DaemonSide& daemon) {
    daemon.next_sent = 1;
    daemon.Welcome();
  });
  ExpectUnavailable("the welcome is malformed", [](DaemonSide& daemon) {
    daemon.SendFrame(FrameType::kWelcome, 0, Bytes(4));
  });
  for (const FrameType type :
       {FrameType::kAnswer, FrameType::kEvicted, FrameType::kOpen}) {
    ExpectUnavailable("with a welcome", [&](DaemonSide& daemon) {
      daemon.SendFrame(type, 0, {});
    });
  }
  ExpectUnavailable("with a welcome", [](DaemonSide& daemon) {
    daemon.SendFrame(FrameType::kWelcome, 0, Encode(wire::Welcome{7, "fake"}),
                     Bytes(100));
  });
}

TEST_F(HostileDaemonTest, MayHangUp) {
  ExpectUnavailableAfterAnyBand("", [](DaemonSide&) {});
  ExpectUnavailableAfterAnyBand("",
                                [](DaemonSide& daemon) { daemon.HearBand(); });
  ExpectUnavailableAfterAnyBand("ended", [](DaemonSide& daemon) {
    ::shutdown(daemon.fd(), SHUT_WR);
    daemon.WaitForEnd();
  });
}

TEST_F(HostileDaemonTest, MaySendNoFrames) {
  ExpectAnswerRefused("the frame is malformed", [](DaemonSide& daemon) {
    daemon.Send(Bytes(1000, std::byte{'G'}));
  });
  ExpectAnswerRefused("instead of", [](DaemonSide& daemon) {
    ++daemon.next_sent;
    daemon.SendNextAnswer();
  });
}

TEST_F(HostileDaemonTest, CanAnswerUnasked) {
  // It arrives before the next band, or as its answer.
  ExpectUnavailable("the daemon", After(0, [](DaemonSide& daemon) {
                      if (!daemon.HearBand()) return;
                      daemon.SendNextAnswer();
                      --daemon.next_band;
                      daemon.SendNextAnswer();
                      daemon.WaitForEnd();
                    }));
  for (const FrameType type :
       {FrameType::kWelcome, FrameType::kOpen, FrameType::kBand,
        FrameType::kRing, static_cast<FrameType>(0),
        static_cast<FrameType>(99)}) {
    ExpectAnswerRefused("unexpected frame", [&](DaemonSide& daemon) {
      daemon.SendFrame(type, 1, {});
    });
  }
  for (const uint32_t number : {0u, 2u, UINT32_MAX}) {
    ExpectAnswerRefused("unexpected frame", [&](DaemonSide& daemon) {
      daemon.number = number;
      daemon.SendNextAnswer();
    });
    ExpectAnswerRefused("unexpected frame", [&](DaemonSide& daemon) {
      daemon.SendFrame(FrameType::kEvicted, number, {});
    });
  }
  ExpectAnswerRefused("unexpected frame", [&](DaemonSide& daemon) {
    daemon.SendFrame(FrameType::kEvicted, 1, {}, Bytes(50));
  });
}

TEST_F(HostileDaemonTest, MayAnswerWithOtherRows) {
  const auto refused = [&](const std::string& reason, auto change) {
    ExpectAnswerRefused(reason, [&](DaemonSide& daemon) {
      Answer answer = daemon.NextAnswer();
      change(answer);
      daemon.SendAnswer(answer, page_.below(daemon.next_band),
                        page_.bits(daemon.next_band));
    });
  };
  refused("other rows", [](Answer& answer) { ++answer.first_row; });
  refused("other rows", [](Answer& answer) { answer.first_row = 0; });
  refused("other rows", [](Answer& answer) { --answer.rows; });
  refused("other rows", [](Answer& answer) { answer.rows = INT32_MAX; });
  refused("malformed", [](Answer& answer) { answer.rows = -32; });
  refused("malformed", [](Answer& answer) { answer.first_row = -1; });
  refused("checksum", [](Answer& answer) { answer.bits_checksum ^= 1; });
}

TEST_F(HostileDaemonTest, MayAnswerWithOtherBits) {
  const auto refused = [&](const std::string& reason, size_t bytes) {
    const Deed deed = After(0, [&](DaemonSide& daemon) {
      if (!daemon.HearBand()) return;
      Bytes bits(page_.bits(daemon.next_band).begin(),
                 page_.bits(daemon.next_band).end());
      bits[5] ^= std::byte{1};
      bits.resize(bytes);
      daemon.SendAnswer(daemon.NextAnswer(), page_.below(daemon.next_band),
                        bits);
      daemon.WaitForEnd();
    });
    ExpectUnavailable(reason, deed);
  };
  const size_t bytes = page_.bits_band_bytes();
  refused("checksum of the daemon's bits", bytes);
  refused("not where they belong", 0);
  refused("not where they belong", bytes - 1);
  refused("not where they belong", bytes + 1);
  use_ring_ = true;
  refused("not where they belong", bytes);
  refused("checksum of the daemon's bits", 0);
}

TEST_F(HostileDaemonTest, MayAnswerWithAnotherCarry) {
  constexpr size_t kCarryAt = 17;
  const auto refused = [&](const std::string& reason, auto change) {
    ExpectAnswerRefused(reason, [&](DaemonSide& daemon) {
      Bytes payload =
          Encode(daemon.NextAnswer(), &page_.below(daemon.next_band));
      change(payload);
      daemon.SendFrame(FrameType::kAnswer, daemon.number, payload,
                       page_.bits(daemon.next_band));
    });
  };
  refused("malformed", [](Bytes& payload) { payload.resize(10); });
  refused("malformed", [](Bytes& payload) { payload.resize(kCarryAt - 1); });
  refused("malformed",
          [](Bytes& payload) { payload[kCarryAt - 1] = std::byte{2}; });
  refused("malformed",
          [](Bytes& payload) { payload[kCarryAt - 1] = std::byte{0}; });
  refused("carry has 0 bytes",
          [](Bytes& payload) { payload.resize(kCarryAt); });
  refused("it has no carry", [](Bytes& payload) {
    payload.resize(kCarryAt);
    payload.back() = std::byte{0};
  });
  refused("carry has", [](Bytes& payload) { payload.pop_back(); });
  refused("carry has", [](Bytes& payload) { payload.push_back({}); });
  refused("another recipe",
          [](Bytes& payload) { payload[kCarryAt + 8] ^= std::byte{1}; });
  refused("continues at row",
          [](Bytes& payload) { payload[kCarryAt + 16] ^= std::byte{1}; });
  refused("is not in -2039",
          [](Bytes& payload) { payload.back() = std::byte{0x7f}; });
}

// Whose answers lag behind.
class HostileDaemonOfBest : public HostileDaemonTest {
 protected:
  HostileDaemonOfBest() : HostileDaemonTest(SamplePage::OfBest()) {}
};

TEST_F(HostileDaemonOfBest, MayHangUp) {
  for (const bool use_ring : {false, true}) {
    use_ring_ = use_ring;
    ExpectUnavailableAfterAnyBand(
        "", [](DaemonSide& daemon) { daemon.HearBand(); });
  }
}

TEST_F(HostileDaemonOfBest, MayAnswerWithOtherRows) {
  const auto refused = [&](auto change) {
    ExpectAnswerRefused("other rows", [&](DaemonSide& daemon) {
      Answer answer = daemon.NextAnswer();
      change(answer);
      daemon.SendAnswer(answer, page_.below(daemon.next_band),
                        page_.bits(daemon.next_band));
    });
  };
  refused([](Answer& answer) { ++answer.rows; });
  refused([](Answer& answer) { answer.rows = 32; });  // the band's own
  refused([](Answer& answer) { answer.first_row += 16; });
  refused([](Answer& answer) { answer.rows = INT32_MAX; });
}

TEST_F(HostileDaemonOfBest, MaySendCarriesWhereNoneIsAndNone) {
  const auto refused = [&](const std::string& reason, int bands,
                           bool has_carry) {
    ExpectUnavailable(reason, After(bands, [=, this](DaemonSide& daemon) {
                        if (!daemon.HearBand()) return;
                        daemon.SendFrame(
                            FrameType::kAnswer, daemon.number,
                            Encode(daemon.NextAnswer(),
                                   has_carry ? &page_.below(bands) : nullptr),
                            page_.bits(bands));
                        daemon.WaitForEnd();
                      }));
  };
  refused("it must not have a carry", 0, true);
  refused("it has no carry", 1, false);
  refused("it has no carry", 2, false);
}

TEST_F(HostileDaemonTest, MayRefuseThePage) {
  for (const uint32_t about : {0u, 1u}) {
    ExpectUnavailableAfterAnyBand("the daemon refused: out of toner",
                                  [&](DaemonSide& daemon) {
                                    if (!daemon.Hear()) return;
                                    daemon.SendFailed(about);
                                    daemon.WaitForEnd();
                                  });
    ExpectAnswerRefused("the daemon refused: out of toner",
                        [&](DaemonSide& daemon) { daemon.SendFailed(about); });
    ExpectAnswerRefused("the failure is malformed", [&](DaemonSide& daemon) {
      daemon.SendFrame(FrameType::kFailed, about, Bytes(2), Bytes(10));
    });
  }
}

TEST_F(HostileDaemonTest, MayBeSilent) {
  patience_ = std::chrono::milliseconds(30);
  const std::string reason = "the daemon did not answer within 30 ms";
  const Deed nothing = [](DaemonSide& daemon) { daemon.WaitForEnd(); };
  ExpectUnavailable(reason, nothing);
  ExpectUnavailable(reason, [&](DaemonSide& daemon) {
    daemon.Send(View(daemon.Frame(FrameType::kWelcome, 0, Bytes(20))).first(9));
    daemon.WaitForEnd();
  });
  ExpectUnavailable(reason, After(1, nothing));
  ExpectUnavailable(reason, After(2, [&](DaemonSide& daemon) {
                      if (!daemon.HearBand()) return;
                      const Bytes answer = daemon.Frame(
                          FrameType::kAnswer, 1,
                          Encode(daemon.NextAnswer(), &page_.below(2)),
                          page_.bits(2));
                      daemon.Send(View(answer).first(answer.size() - 1));
                      daemon.WaitForEnd();
                    }));
}

TEST_F(HostileDaemonTest, MaySendDescriptorsThatNobodyKeeps) {
  const auto file = Descriptor::Open("/dev/null", O_RDONLY);
  const int fds[] = {file->get(), file->get(), file->get()};
  ExpectAnswerRefused("too many descriptors", [&](DaemonSide& daemon) {
    const Bytes answer = daemon.Frame(FrameType::kAnswer, 1, Bytes(100));
    for (size_t i = 0; i < answer.size(); ++i) {
      if (!daemon.Send(View(answer).subspan(i, 1), fds)) return;
    }
  });
}

}  // namespace
}  // namespace halftoned::testing
