// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/canary.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>

#include "base/unix_socket.h"
#include "daemon/health_page.h"
#include "halftone/engine.h"
#include "tests/wire/test_worker.h"

namespace halftoned::daemon {
namespace {

Result<void> WaitForResult(Canary& canary) {
  pollfd wait{canary.fd(), POLLIN, 0};
  EXPECT_EQ(::poll(&wait, 1, 60'000), 1);
  auto result = canary.TakeResult();
  EXPECT_TRUE(result.has_value());
  return result ? *result : Bug("no result");
}

// Passes everything on, but for one bit of the last row.
class LyingSession : public Session {
 public:
  explicit LyingSession(std::unique_ptr<Session> honest)
      : honest_(std::move(honest)) {}
  Result<GrayRoom> Lend() override { return honest_->Lend(); }
  Result<void> Submit(int32_t rows, bool last) override {
    return honest_->Submit(rows, last);
  }
  Result<Finished> Take() override {
    HALFTONED_TRY_ASSIGN(Finished finished, honest_->Take());
    const size_t bytes =
        finished.bits.bytes_per_row * static_cast<size_t>(finished.bits.rows);
    bits_.assign(finished.bits.bytes, finished.bits.bytes + bytes);
    bits_.back() ^= std::byte{1};
    finished.bits.bytes = bits_.data();
    return finished;
  }
  bool Ready() override { return honest_->Ready(); }

 private:
  std::unique_ptr<Session> honest_;
  std::vector<std::byte> bits_;
};

TEST(Canary, LivesOnTheRightBits) {
  testing::TestWorker worker;
  const auto canary = Canary::Make();
  ASSERT_TRUE(canary.ok());
  for (int i = 0; i < 3; ++i) {
    (*canary)->Check(worker.options());
    const Result<void> result = WaitForResult(**canary);
    EXPECT_TRUE(result.ok()) << result.error().message;
  }
}

TEST(Canary, DiesOfASingleWrongBit) {
  Pool pool(1);
  const EngineList engines = LocalEngines(pool);
  const auto engine = ChooseEngine(engines, "auto", HealthOrder().recipe);
  ASSERT_TRUE(engine.ok());
  auto session = (*engine)->Open(HealthOrder());
  ASSERT_TRUE(session.ok());
  LyingSession lying(std::move(*session));
  EXPECT_EQ(CheckBits(lying).error().message, "row 95 is wrong");
}

TEST(Canary, DiesOfSilence) {
  std::string folder = "/tmp/halftoned-canary-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const auto listener = ListenAt(folder + "/socket");
  ASSERT_TRUE(listener.ok());
  wire::RemoteOptions options;
  options.socket = folder + "/socket";
  options.patience = std::chrono::milliseconds(10);
  EXPECT_EQ(CheckWorker(options).error().code, ErrorCode::kUnavailable);
  {
    // Its end does not wait for what is under way.
    options.patience = std::chrono::hours(1);
    const auto canary = Canary::Make();
    ASSERT_TRUE(canary.ok());
    (*canary)->Check(options);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace halftoned::daemon
