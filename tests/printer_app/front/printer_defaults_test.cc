// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <climits>
#include <functional>
#include <vector>

#include "printer_app/front/rules/job_options.h"
#include "printer_app/front/rules/message.h"

namespace halftoned {
namespace {

TEST(PrinterDefaults, AreValuesThatThePrinterLists) {
  const Ipp printer(ippNew());
  const auto list = [&](const char* name, std::vector<const char*> values) {
    ippAddStrings(printer.get(), IPP_TAG_PRINTER, IPP_TAG_KEYWORD, name,
                  static_cast<int>(values.size()), nullptr, values.data());
  };
  list("media-supported",
       {"iso_a4_210x297mm", "roll_max_4x39.6in", "roll_min_0.75x0.25in"});
  list("media-source-supported", {"tray-1", "manual"});
  list("print-content-optimize-supported", {"auto", "photo"});
  ippAddInteger(printer.get(), IPP_TAG_PRINTER, IPP_TAG_INTEGER,
                "print-darkness-supported", 62);
  ippAddRange(printer.get(), IPP_TAG_PRINTER, "print-speed-supported", 1270,
              5080);
  ippAddInteger(printer.get(), IPP_TAG_PRINTER, IPP_TAG_ENUM,
                "orientation-requested-supported", IPP_ORIENT_LANDSCAPE);
  ippAddResolution(printer.get(), IPP_TAG_PRINTER,
                   "printer-resolution-supported", IPP_RES_PER_INCH, 300, 300);

  const auto is_taken = [&](const std::function<void(ipp_t*)>& add) {
    const Ipp request(ippNewRequest(IPP_OP_SET_PRINTER_ATTRIBUTES));
    add(request.get());
    // A printer that does not reply refuses the request itself.
    EXPECT_EQ(TakeUnknown(request.get(), nullptr), nullptr);
    const Ipp taken = TakeUnknown(request.get(), printer.get());
    return taken != nullptr;
  };
  const auto word = [&](const char* name, const char* value) {
    return is_taken([=](ipp_t* request) {
      ippAddString(request, IPP_TAG_PRINTER, IPP_TAG_KEYWORD, name, nullptr,
                   value);
    });
  };
  const auto number = [&](const char* name, int value,
                          ipp_tag_t tag = IPP_TAG_INTEGER) {
    return is_taken([=](ipp_t* request) {
      ippAddInteger(request, IPP_TAG_PRINTER, tag, name, value);
    });
  };
  const auto resolution = [&](int dpi) {
    return is_taken([=](ipp_t* request) {
      ippAddResolution(request, IPP_TAG_PRINTER, "printer-resolution-default",
                       IPP_RES_PER_INCH, dpi, dpi);
    });
  };
  const auto media = [&](const char* source, int width) {
    return is_taken([=](ipp_t* request) {
      const Ipp size(ippNew()), paper(ippNew());
      ippAddInteger(size.get(), IPP_TAG_ZERO, IPP_TAG_INTEGER, "x-dimension",
                    width);
      ippAddInteger(size.get(), IPP_TAG_ZERO, IPP_TAG_INTEGER, "y-dimension",
                    29700);
      ippAddCollection(paper.get(), IPP_TAG_ZERO, "media-size", size.get());
      ippAddString(paper.get(), IPP_TAG_ZERO, IPP_TAG_KEYWORD, "media-source",
                   nullptr, source);
      ippAddCollection(request, IPP_TAG_PRINTER, "media-col-default",
                       paper.get());
    });
  };
  for (const char* paper :
       {"iso_a4_210x297mm", "custom_mine_210x297mm", "om_mine_50x100mm"}) {
    EXPECT_FALSE(word("media-default", paper)) << paper;
    EXPECT_FALSE(word("media-ready", paper)) << paper;
  }
  for (const char* paper :
       {"nosuch", "custom_x_1x1mm", "na_letter_8.5x11in", "iso_a3_297x420mm"}) {
    EXPECT_TRUE(word("media-default", paper)) << paper;
    EXPECT_TRUE(word("media-ready", paper)) << paper;
  }
  EXPECT_FALSE(word("media-ready", ""));
  EXPECT_TRUE(word("media-default", ""));
  EXPECT_FALSE(word("print-content-optimize-default", "photo"));
  EXPECT_TRUE(word("print-content-optimize-default", "text"));
  EXPECT_FALSE(number("print-darkness-default", -100));
  EXPECT_TRUE(number("print-darkness-default", -101));
  EXPECT_TRUE(number("print-darkness-default", INT_MAX));
  EXPECT_FALSE(number("print-speed-default", 2540));
  EXPECT_FALSE(number("print-speed-default", 0));  // automatic
  EXPECT_TRUE(number("print-speed-default", -5));
  EXPECT_FALSE(number("orientation-requested-default", IPP_ORIENT_LANDSCAPE,
                      IPP_TAG_ENUM));
  EXPECT_TRUE(number("orientation-requested-default", 99, IPP_TAG_ENUM));
  // The printer has none.
  EXPECT_TRUE(number("printer-darkness-configured", 50));
  EXPECT_FALSE(resolution(300));
  EXPECT_TRUE(resolution(1));
  EXPECT_FALSE(media("tray-1", 21000));
  EXPECT_TRUE(media("tray-1", 21500));
  EXPECT_TRUE(media("tray-2", 21000));
  // It is no value of an option.
  EXPECT_FALSE(word("printer-location", "hall"));
}

}  // namespace
}  // namespace halftoned
