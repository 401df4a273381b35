// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PAPPL's own text of its printers is the definition of ours.

#include "printer_app/kept/printers_text.h"

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "printer_app/kept/state_file.h"

namespace halftoned {
namespace {

namespace fs = std::filesystem;

constexpr const char* kPaper = "iso_a4_210x297mm";

void SetAll(pappl_pr_driver_data_t& data, unsigned i) {
  const auto bit = [i](unsigned count) { return 1U << (i % count); };
  data.color_default = bit(6);
  data.content_default = bit(5);
  data.scaling_default = bit(5);
  data.sides_default = bit(3);
  data.orient_default = static_cast<ipp_orient_t>(3 + i % 5);
  data.quality_default = static_cast<ipp_quality_t>(3 + i % 3);
  data.bin_default = static_cast<int>(i % 2);
  data.darkness_default = static_cast<int>(i * 10);
  data.darkness_configured = static_cast<int>(i * 20);
  pappl_media_col_t& media = data.media_default;
  papplCopyString(media.size_name, kPaper, sizeof(media.size_name));
  media.size_width = 21000;
  media.size_length = 29700;
  media.left_margin = static_cast<int>(i);
  media.top_margin = 423;
  media.left_offset = static_cast<int>(i * 2);
  media.tracking = bit(4);
  papplCopyString(media.source, data.source[i % 2], sizeof(media.source));
  papplCopyString(media.type, "stationery", sizeof(media.type));
  data.media_ready[i % 2] = media;
}

bool SetUpSome(pappl_system_t* /*system*/, const char* /*name*/,
               const char* /*uri*/, const char* /*id*/,
               pappl_pr_driver_data_t* data, ipp_t** attributes, void* number) {
  papplCopyString(data->make_and_model, "Some Printer",
                  sizeof(data->make_and_model));
  data->ppm = 1;
  data->raster_types = PAPPL_PWG_RASTER_TYPE_SGRAY_8;
  data->rstartjob_cb = data->rendjob_cb = [](pappl_job_t*, pappl_pr_options_t*,
                                             pappl_device_t*) { return true; };
  data->rstartpage_cb =
      data->rendpage_cb = [](pappl_job_t*, pappl_pr_options_t*, pappl_device_t*,
                             unsigned) { return true; };
  data->rwriteline_cb = [](pappl_job_t*, pappl_pr_options_t*, pappl_device_t*,
                           unsigned, const unsigned char*) { return true; };
  data->color_supported = 0x3f;
  data->sides_supported = 7;
  data->num_resolution = 1;
  data->x_resolution[0] = 300;
  data->y_resolution[0] = 600;
  data->x_default = 300;
  data->y_default = 600;
  data->num_media = 1;
  data->media[0] = kPaper;
  data->num_source = 2;
  data->source[0] = "auto";
  data->source[1] = "tray-1";
  data->num_type = 1;
  data->type[0] = "stationery";
  data->num_bin = 2;
  data->bin[0] = "face-down";
  data->bin[1] = "face-up";
  data->num_vendor = 2;
  data->vendor[0] = "some-words";
  data->vendor[1] = "a-number";
  SetAll(*data, (*static_cast<unsigned*>(number))++);
  *attributes = ippNew();
  ippAddString(*attributes, IPP_TAG_PRINTER, IPP_TAG_KEYWORD,
               "some-words-default", nullptr, "one");
  ippAddInteger(*attributes, IPP_TAG_PRINTER, IPP_TAG_INTEGER,
                "a-number-default", 7);
  return true;
}

class PrintersTextTest : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    ASSERT_NE(mkdtemp(folder_.data()), nullptr);
    static pappl_pr_driver_t driver = {"some", "Some printer", nullptr,
                                       nullptr};
    system_ = papplSystemCreate(PAPPL_SOPTIONS_MULTI_QUEUE, "test", 0, nullptr,
                                folder_.c_str(), (folder_ + "/log").c_str(),
                                PAPPL_LOGLEVEL_FATAL, nullptr, false);
    ASSERT_NE(system_, nullptr);
    papplSystemSetPrinterDrivers(system_, 1, &driver, nullptr, nullptr,
                                 SetUpSome, &made_);
  }
  static void TearDownTestSuite() {
    papplSystemDelete(system_);
    fs::remove_all(folder_);
  }

  static pappl_printer_t* Add(const char* name,
                              const char* id = "MFG:a;MDL:\"b\";") {
    pappl_printer_t* printer =
        papplPrinterCreate(system_, 0, name, "some", id, "file:///dev/null");
    if (printer) live_.Add(printer);
    return printer;
  }

  static inline std::string folder_ = "/tmp/printers-text-XXXXXX";
  static inline pappl_system_t* system_ = nullptr;
  static inline unsigned made_ = 0;  // printers
  static inline LivePrinters live_;
};

// Options in an order that does not depend on the writer's.
std::vector<std::string> LinesOf(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream from(text);
  for (std::string line; std::getline(from, line);) {
    const size_t options = line.find(" ");
    if (line.find("=\"") != line.npos) {
      line = line.substr(0, options) + StateLine(line.substr(options)).Text();
    }
    if (line.ends_with(' ')) line.pop_back();
    lines.push_back(line);
  }
  return lines;
}

std::string SavedByPappl(pappl_system_t* system, const std::string& file) {
  EXPECT_TRUE(papplSystemSaveState(system, file.c_str()));
  std::ostringstream text;
  text << std::ifstream(file).rdbuf();
  return text.str();
}

TEST_F(PrintersTextTest, IsPapplsOwn) {
  papplSystemSetLocation(system_, "a place");
  papplSystemSetOrganization(system_, "an organization");
  papplSystemSetGeoLocation(system_, "geo:1,2");
  papplSystemSetDefaultPrintGroup(system_, "users");
  papplSystemSetAdminGroup(system_, "adm");
  papplSystemSetPassword(system_, "a password");
  papplSystemSetUUID(system_, "urn:uuid:12345678-1234-1234-1234-123456789abc");
  pappl_contact_t contact = {"a \"name\" \\", "a@b", "123"};
  papplSystemSetContact(system_, &contact);
  for (unsigned i = 0; i < 30; ++i) {
    pappl_printer_t* printer = Add(("printer " + std::to_string(i)).c_str());
    ASSERT_NE(printer, nullptr);
    pappl_pr_driver_data_t data;
    papplPrinterGetDriverData(printer, &data);
    cups_option_t options[] = {
        {const_cast<char*>("some-words"), const_cast<char*>("other")}};
    papplPrinterSetDriverDefaults(printer, &data, 1, options);
    papplPrinterSetContact(printer, &contact);
    papplPrinterSetLocation(printer, "a \"place\"");
    papplPrinterSetOrganizationalUnit(printer, "a unit");
    papplPrinterSetNextJobID(printer, 1000 + static_cast<int>(i));
    papplPrinterSetImpressionsCompleted(printer, static_cast<int>(i));
    papplPrinterSetMaxActiveJobs(printer, static_cast<int>(i));
    if (i % 2) papplPrinterHoldNewJobs(printer);
    if (i % 3) papplPrinterSetPrintGroup(printer, "lp");
  }
  const std::string ours = PrintersText(system_, live_);
  EXPECT_EQ(LinesOf(ours), LinesOf(SavedByPappl(system_, folder_ + "/state")));
  EXPECT_NE(ours.find("sides-default two-sided-short-edge\n"), ours.npos);
  EXPECT_NE(ours.find("tracking=\"web\""), ours.npos);
}

TEST_F(PrintersTextTest, LineBreaksEndNoLine) {
  pappl_printer_t* printer = Add("breaks");
  const auto before = LinesOf(PrintersText(system_, live_)).size();
  papplPrinterSetLocation(printer, "here\nAdminGroup users\r\nPassword x");
  EXPECT_EQ(LinesOf(PrintersText(system_, live_)).size(), before + 1);
  EXPECT_EQ(PrintersText(system_, live_).find("\nAdminGroup users"),
            std::string::npos);
}

TEST_F(PrintersTextTest, NoLineIsTooLongForPappl) {
  const std::string id =
      "MDL:L;CMD:PCL;X:" + std::string(1000, '"') + ";MFG:a;";
  ASSERT_NE(Add("long", id.c_str()), nullptr);
  const std::string text = PrintersText(system_, live_);
  for (const std::string& line : LinesOf(text)) {
    EXPECT_LE(line.size(), kLongestStateLine);
  }
  EXPECT_NE(text.find(" did=\"MDL:L;CMD:PCL;MFG:a;"), text.npos);
}

}  // namespace
}  // namespace halftoned
