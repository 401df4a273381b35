// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/kept_streams.h"

#include <gtest/gtest.h>
#include <poll.h>

#include <memory>
#include <string>
#include <utility>

#include "print/process/pipe.h"
#include "tests/printer_app/printer_ends.h"

namespace halftoned {
namespace {

const std::string& RestOfPage() {
  static const std::string page(DeviceStream::kMostRest, 'p');
  return page;
}

// The stream of a canceled job.
std::unique_ptr<DeviceStream> Canceled(Descriptor device) {
  auto stream = std::make_unique<DeviceStream>(std::move(device));
  EXPECT_TRUE(stream->Send(RestOfPage(), [] { return true; }));
  EXPECT_TRUE(stream->has_rest());
  return stream;
}

// What has come by a device that is closed.
std::string Taken(const Descriptor& device) {
  pollfd end = {device.get(), POLLRDHUP, 0};
  EXPECT_EQ(poll(&end, 1, 30'000), 1);
  return ReadAll(device.get());
}

TEST(KeptStreams, SendTheRest) {
  Ends ends;
  KeptStreams kept;
  kept.Keep(&ends, Canceled(std::move(ends.ours)));
  EXPECT_EQ(ReadAll(ends.printer.get()), RestOfPage());
  EXPECT_EQ(kept.Take(&ends), nullptr);
  EXPECT_EQ(kept.Take(&kept), nullptr);
}

TEST(KeptStreams, GiveTheNextJobWhatThePrinterHasNotTaken) {
  Ends ends;
  KeptStreams kept;
  kept.Keep(&ends, Canceled(std::move(ends.ours)));
  const std::unique_ptr<DeviceStream> stream = kept.Take(&ends);
  ASSERT_NE(stream, nullptr);
  EXPECT_TRUE(stream->has_rest());
}

TEST(KeptStreams, OnlyAConnectionEndsItsPage) {
  Ends ends;
  auto pipe = Pipe::Make();
  ASSERT_TRUE(pipe.ok());
  KeptStreams kept;
  kept.Keep(&ends, Canceled(std::move(ends.ours)));
  kept.Keep(&pipe, Canceled(std::move(pipe->writing)));
  kept.EndConnection(&ends);
  kept.EndConnection(&pipe);
  EXPECT_LT(Taken(ends.printer).size(), RestOfPage().size());
  EXPECT_EQ(ReadAll(pipe->reading.get()), RestOfPage());
}

TEST(KeptStreams, EndWithTheirPrinters) {
  auto pipe = Pipe::Make();
  ASSERT_TRUE(pipe.ok());
  KeptStreams kept;
  kept.Keep(&pipe, Canceled(std::move(pipe->writing)));
  kept.End(&pipe);
  EXPECT_EQ(kept.Take(&pipe), nullptr);
  EXPECT_LT(Taken(pipe->reading).size(), RestOfPage().size());
}

}  // namespace
}  // namespace halftoned
