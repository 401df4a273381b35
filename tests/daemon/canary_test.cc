// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "daemon/supervisor/workers/canary.h"

#include <gtest/gtest.h>
#include <poll.h>
#include <unistd.h>

#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "base/unix_socket.h"
#include "daemon/health_page.h"
#include "halftone/cpu/local_engines.h"
#include "tests/daemon/worker/test_worker.h"

namespace halftoned::daemon {
namespace {

Result<void> WaitForResult(Canary& canary) {
  pollfd wait{canary.fd(), POLLIN, 0};
  EXPECT_EQ(::poll(&wait, 1, 60'000), 1);
  auto result = canary.TakeResult();
  EXPECT_TRUE(result.has_value());
  return result ? *result : Bug("no result");
}

// Passes everything on, but flips one bit of the last row.
class LyingSession : public Session {
 public:
  explicit LyingSession(std::unique_ptr<Session> honest)
      : honest_(std::move(honest)) {}
  Result<GrayRoom> Lend() override { return honest_->Lend(); }
  Result<void> Submit(int32_t rows, bool last) override {
    return honest_->Submit(rows, last);
  }
  Result<Finished> Take() override {
    HALFTONED_TRY_ASSIGN(const Finished finished, honest_->Take());
    const size_t bytes =
        finished.bits.bytes_per_row * static_cast<size_t>(finished.bits.rows);
    // Where clients look for it.
    const_cast<std::byte*>(finished.bits.bytes)[bytes - 1] ^= std::byte{1};
    return finished;
  }
  bool Ready() override { return honest_->Ready(); }

 private:
  std::unique_ptr<Session> honest_;
};

// Lies about one recipe, and is honest about the others.
class LyingEngine : public Engine {
 public:
  LyingEngine(const Engine& honest, const Recipe& recipe)
      : honest_(honest), recipe_(recipe) {}
  std::string_view name() const override { return honest_.name(); }
  std::string_view needs() const override { return honest_.needs(); }
  int priority() const override { return honest_.priority(); }
  Result<void> Probe() const override { return honest_.Probe(); }
  Result<void> Serves(const Recipe& recipe) const override {
    return honest_.Serves(recipe);
  }
  Result<std::unique_ptr<Session>> Open(const PageOrder& order) const override {
    auto opened = honest_.Open(order);
    if (!opened.ok() || !(order.recipe == recipe_)) return opened;
    return std::unique_ptr<Session>(
        std::make_unique<LyingSession>(std::move(*opened)));
  }

 private:
  const Engine& honest_;
  const Recipe recipe_;
};

TEST(Canary, SurvivesTheRightBits) {
  testing::TestWorker worker;
  const auto canary = Canary::Make();
  ASSERT_TRUE(canary.ok());
  for (int i = 0; i < 3; ++i) {
    (*canary)->Check({worker.options(), HealthRecipes()});
    const Result<void> result = WaitForResult(**canary);
    EXPECT_TRUE(result.ok()) << result.error().message;
  }
}

TEST(Canary, ChecksTheDefaultPrintToo) {
  const std::vector<Recipe> recipes = HealthRecipes();
  ASSERT_EQ(recipes.size(), 2u);
  EXPECT_EQ(recipes[0].algorithm(), Algorithm::kFloydSteinberg);
  EXPECT_EQ(recipes[1].algorithm(), Algorithm::kFine);
  EXPECT_TRUE(recipes[1].is_pure());
  EXPECT_FALSE(recipes[1].curve().is_identity());
}

TEST(Canary, DiesOfASingleWrongBitOfAnyRecipe) {
  Pool pool(1);
  const EngineList local = LocalEngines(pool);
  for (const Recipe& wrong : HealthRecipes()) {
    const auto engine = ChooseEngine(local, "auto", wrong);
    ASSERT_TRUE(engine.ok());
    EngineList engines;
    engines.push_back(std::make_unique<LyingEngine>(**engine, wrong));
    testing::TestWorker::Setting setting;
    setting.engines = &engines;
    testing::TestWorker worker(setting);
    const Result<void> check = CheckWorker({worker.options(), HealthRecipes()});
    ASSERT_FALSE(check.ok());
    EXPECT_EQ(check.error().code, ErrorCode::kBug);
    EXPECT_EQ(check.error().message,
              "row 95 by " + std::string(wrong.name()) + " is wrong");
    for (const Recipe& recipe : HealthRecipes()) {
      EXPECT_EQ(CheckWorker({worker.options(), {recipe}}).ok(),
                !(recipe == wrong));
    }
  }
}

TEST(Canary, DiesOfSilence) {
  std::string folder = "/tmp/halftoned-canary-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  const auto listener = ListenAt(folder + "/socket");
  ASSERT_TRUE(listener.ok());
  wire::RemoteOptions options;
  options.socket = folder + "/socket";
  options.patience = std::chrono::milliseconds(10);
  EXPECT_EQ(CheckWorker({options, HealthRecipes()}).error().code,
            ErrorCode::kUnavailable);
  {
    // The destructor does not wait for a running check.
    options.patience = std::chrono::hours(1);
    const auto canary = Canary::Make();
    ASSERT_TRUE(canary.ok());
    (*canary)->Check({options, HealthRecipes()});
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace halftoned::daemon
