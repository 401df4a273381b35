// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `halftone check` makes of a queue's state and jobs: the ages that a
// system test cannot wait for.

#include "adopt/printer/printer_report.h"

#include <gtest/gtest.h>

namespace halftoned {
namespace {

PrintQueue Queue() {
  PrintQueue queue;
  queue.name = "laser";
  queue.device_uri = "usb://HP/Laser";
  return queue;
}

PrintJob Job(PrintJob::State state, int age) {
  PrintJob job;
  job.id = 7;
  job.state = state;
  job.age = age;
  job.printing = state == PrintJob::State::kPrinting ? age : 0;
  return job;
}

Findings Found(const PrintQueue& queue, const PrintJob& job) {
  return PrinterFindings(queue, {job}, "/nowhere");
}

TEST(PrinterReport, LetsJobsPrint) {
  EXPECT_EQ(PrinterFindings(Queue(), {}, ""), Findings());
  PrintJob job = Job(PrintJob::State::kPrinting, 299);
  EXPECT_EQ(Found(Queue(), job), Findings());
  // An hour for a hundred pages is no wonder.
  job.printing = 3600;
  job.pages = 100;
  EXPECT_EQ(Found(Queue(), job), Findings());
  EXPECT_EQ(Found(Queue(), Job(PrintJob::State::kPending, 59)), Findings());
}

TEST(PrinterReport, ReportsAJobWithoutProgress) {
  PrintJob job = Job(PrintJob::State::kPrinting, 420);
  job.pages = 1;
  job.message = "Sending data to printer";
  EXPECT_EQ(Found(Queue(), job),
            Findings{Wrong(
                "job 7 of laser makes no progress: 1 page in 7 "
                "minutes (Sending data to printer)",
                "type: lpstat -l -p laser; to cancel it, type: cancel 7")});
}

TEST(PrinterReport, ReportsAWaitingJobOfAnIdleQueue) {
  EXPECT_EQ(Found(Queue(), Job(PrintJob::State::kPending, 7200)),
            Findings{Wrong(
                "laser is idle, and job 7 has waited for 2 hours",
                "type: lpstat -l -p laser; to cancel it, type: cancel 7")});
}

TEST(PrinterReport, WaitsForAPrinterThatWakesUp) {
  PrintJob job = Job(PrintJob::State::kPrinting, 14);
  job.message = "Waiting for printer to become available";
  EXPECT_EQ(Found(Queue(), job), Findings());
  job.printing = 15;
  EXPECT_EQ(Found(Queue(), job).size(), 1);
}

TEST(PrinterReport, IgnoresMinorReasons) {
  PrintQueue queue = Queue();
  queue.reasons = {"toner-low-report", "media-low-warning", "none",
                   "halftoned-configuration-error",
                   "cups-missing-filter-warning"};
  EXPECT_EQ(PrinterFindings(queue, {}, ""), Findings());
}

}  // namespace
}  // namespace halftoned
