// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/state_file.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace halftoned {
namespace {

const std::string kState =
    "DefaultPrinterID 1\nNextPrinterID 3\n"
    "<Printer id=\"1\" name=\"office\">\nHoldNewJobs\n</Printer>\n"
    "<Printer id=\"2\" name=\"labels\">\nJob id=\"1\"\n</Printer>\n";

TEST(StateFile, CountsPrinters) {
  EXPECT_EQ(*CountPrinters(kState), 2);
  EXPECT_EQ(*CountPrinters("NextPrinterID 1\n"), 0);
}

TEST(StateFile, GivesEachPrinterWithoutItsJobs) {
  const std::vector<PrinterText> printers =
      PrintersIn(kState +
                 "<Printer id=\"3\" name=\"a \\\"b\" driver=\"pcl5e\">\n"
                 "Location x\nJob id=\"1\"\nJob id=\"2\"\n</Printer>\n");
  ASSERT_EQ(printers.size(), 3U);
  EXPECT_EQ(printers[0].text,
            "<Printer id=\"1\" name=\"office\">\nHoldNewJobs\n</Printer>\n");
  EXPECT_EQ(printers[2].id, 3);
  EXPECT_EQ(printers[2].name, "a \"b");
  EXPECT_EQ(printers[2].driver, "pcl5e");
  EXPECT_EQ(printers[2].text,
            "<Printer id=\"3\" name=\"a \\\"b\" driver=\"pcl5e\">\n"
            "Location x\n</Printer>\n");
}

// Between printers a file may end: that is what PAPPL saves with fewer.
TEST(StateFile, IsRefusedWhereverItIsTorn) {
  for (size_t size = 0; size < kState.size(); ++size) {
    const std::string torn = kState.substr(0, size);
    const bool is_between =
        torn.ends_with('\n') && torn.find("<Printer") == torn.npos;
    const bool is_after_one = torn.ends_with("</Printer>\n");
    EXPECT_EQ(CountPrinters(torn).ok(), is_between || is_after_one) << torn;
  }
}

TEST(StateFile, IsRefusedIfItIsNoText) {
  std::string blanked = kState;
  blanked.replace(20, 8, 8, '\0');
  EXPECT_FALSE(CountPrinters(blanked).ok());
  EXPECT_FALSE(CountPrinters("</Printer>\n").ok());
  EXPECT_FALSE(CountPrinters("<Printer a>\n<Printer b>\n</Printer>\n").ok());
}

}  // namespace
}  // namespace halftoned
