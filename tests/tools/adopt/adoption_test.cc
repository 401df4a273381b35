// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/change/adoption.h"

#include <gtest/gtest.h>

#include "adopt/ppd/ppd_file.h"
#include "base/text.h"
#include "halftone/look/settings.h"
#include "tests/tools/adopt/sample_ppd.h"

namespace halftoned {
namespace {

std::string Why(const std::string& ppd) {
  const auto adopted = Adopt(ppd);
  return adopted.ok() ? "adopted" : adopted.error().message;
}

std::string WithLines(const std::string& lines) {
  return Replaced(SamplePpd(), "*OpenUI *PageSize/",
                  lines + "*OpenUI *PageSize/");
}

std::string WithEol(const std::string& text, const std::string& eol) {
  std::string changed;
  for (char c : text) changed += c == '\n' ? eol : std::string(1, c);
  return changed;
}

TEST(Adoption, SendsRasterToTheDriverOnlyAsOurType) {
  const auto adopted = Adopt(SamplePpd());
  ASSERT_TRUE(adopted.ok()) << adopted.error().message;
  const auto file = PpdFile::Parse(*adopted);
  ASSERT_TRUE(file.ok());
  EXPECT_EQ(file->FilterLines(),
            (std::vector<std::string>{
                "application/x-halftoned-raster "
                "application/x-halftoned-printed 33 rastertoacme",
                "application/vnd.cups-command application/x-halftoned-printed "
                "0 commandtoacme"}));
  EXPECT_EQ(file->ValuesOf("halftonedOutput"),
            std::vector<std::string>{"cups-raster"});
  EXPECT_EQ(file->nick_name(), "Acme Laser, using raster v6, halftoned");
}

TEST(Adoption, AlwaysAsksForGray) {
  auto before = PpdFile::Parse(SamplePpd());
  EXPECT_TRUE(before->CheckAsksFor({1, 3}).ok());
  EXPECT_FALSE(before->CheckAsksFor({8, 18}).ok());
  auto after = PpdFile::Parse(*Adopt(SamplePpd()));
  EXPECT_TRUE(after->CheckAsksFor({8, 18}).ok());
}

TEST(Adoption, HasEachSettingOfPrintDialogs) {
  const auto adopted = Adopt(SamplePpd());
  ASSERT_TRUE(adopted.ok());
  for (const PrintSetting& setting : kPrintSettings) {
    const std::string keyword(setting.keyword);
    const bool is_there =
        adopted->find("\n*OpenUI *" + keyword + "/") != std::string::npos;
    EXPECT_EQ(is_there, setting.is_in_dialogs) << setting.name;
    if (!is_there) continue;
    EXPECT_NE(adopted->find("\n*Default" + keyword + ": auto\n"),
              std::string::npos);
    for (const Choice& choice : setting.Choices()) {
      const std::string line =
          "\n*" + keyword + " " + std::string(choice.name) + "/";
      EXPECT_EQ(adopted->find(line) != std::string::npos, choice.is_in_dialogs)
          << setting.name << choice.name;
    }
  }
}

TEST(Adoption, HasOurOptionsInEveryLanguageOfTheFile) {
  const auto adopted =
      Adopt(WithLines("*cupsLanguages: \"en de zh_TW\"\n"
                      "*zh_TW.Translation PageSize/x: \"\"\n"));
  ASSERT_TRUE(adopted.ok()) << adopted.error().message;
  for (const char* line : {"\n*OpenUI *halftonedBrightness/Brightness: ",
                           "\n*de.Translation halftonedBrightness/Helligkeit:",
                           "\n*zh_TW.Translation halftonedBrightness/Bright"}) {
    EXPECT_NE(adopted->find(line), adopted->npos) << line;
  }
  EXPECT_EQ(adopted->find("en_GB"), adopted->npos);
}

TEST(Adoption, IsUndoneToTheByte) {
  const std::string sample = SamplePpd();
  for (const std::string& ppd :
       {sample, WithEol(sample, "\r\n"), WithEol(sample, "\r"),
        sample.substr(0, sample.size() - 1),  // without an end of line
        WithLines("*% Caf\xe9\n"), WithLines("*Include: \"more.ppd\"\n"),
        WithLines("*cupsFilter: \"application/vnd.cups-raster 33 r\"\n"),
        Replaced(sample, "*cupsFilter: \"application/vnd.cups-raster 33 ",
                 "*cupsFilter2: \"application/vnd.cups-raster a/b 33 ")}) {
    const auto adopted = Adopt(ppd);
    ASSERT_TRUE(adopted.ok()) << adopted.error().message;
    EXPECT_TRUE(IsAdopted(*adopted));
    EXPECT_FALSE(IsAdopted(ppd));
    const auto released = Release(*adopted);
    ASSERT_TRUE(released.ok()) << released.error().message;
    EXPECT_EQ(*released, ppd);
  }
}

TEST(Adoption, KeepsOneKindOfLineEnds) {
  const auto adopted = Adopt(WithEol(SamplePpd(), "\r\n"));
  for (size_t at = adopted->find('\n'); at != adopted->npos;
       at = adopted->find('\n', at + 1)) {
    ASSERT_EQ((*adopted)[at - 1], '\r');
  }
}

TEST(Adoption, KeepsAFilterHiddenBehindFilter2) {
  const std::string ppd = WithLines(
      "*cupsFilter2: \"application/vnd.cups-raster a/b 0 rastertoother\"\n");
  const auto adopted = Adopt(ppd);
  ASSERT_TRUE(adopted.ok()) << adopted.error().message;
  EXPECT_EQ(PpdFile::Parse(*adopted)->FilterLines(),
            std::vector<std::string>{
                "application/x-halftoned-raster a/b 0 rastertoother"});
  EXPECT_EQ(*Release(*adopted), ppd);
}

TEST(Adoption, LabelsAreThermal) {
  const auto adopted =
      Adopt(Replaced(SamplePpd(), "33 rastertoacme", "50 rastertolabel"));
  EXPECT_NE(adopted->find("\n*halftonedTechnology: \"thermal\"\n"),
            adopted->npos);
}

// A driver that halftones gray for itself.
std::string GrayPpd(const std::string& space, const std::string& family) {
  std::string ppd = WithLines("*StpDriverModelFamily: \"" + family + "\"\n");
  for (const char* dots : {"300", "600"}) {
    ppd = Replaced(
        ppd, std::string(dots) + "]/cupsBitsPerColor 1/cupsColorSpace 3",
        std::string(dots) + "]/cupsBitsPerColor 8/cupsColorSpace " + space);
  }
  ppd = Replaced(ppd, "using raster v6", "CUPS+Gutenprint v5.3.4");
  return Replaced(ppd, "33 rastertoacme", "100 rastertogutenprint.5.3");
}

TEST(Adoption, OfGutenprintForBlackLasersWritesBlackPixels) {
  for (const char* space : {"0", "3"}) {
    const std::string ppd = GrayPpd(space, "6_pcl");
    const auto adopted = Adopt(ppd);
    ASSERT_TRUE(adopted.ok()) << adopted.error().message;
    const auto file = PpdFile::Parse(*adopted);
    EXPECT_EQ(file->ValuesOf("halftonedOutput"),
              std::vector<std::string>{"cups-raster-black"});
    // The driver reads no version before a comma.
    EXPECT_EQ(file->nick_name(),
              "Acme Laser, CUPS+Gutenprint v5.3.4 (halftoned)");
    EXPECT_EQ(*Release(*adopted), ppd);
  }
  EXPECT_NE(Why(GrayPpd("0", "6_escp2")).find("requests gray"),
            std::string::npos);
  EXPECT_NE(Why(GrayPpd("1", "6_pcl")).find("requests color"),
            std::string::npos);
  const std::string colour = Replaced(
      GrayPpd("0", "6_pcl"), "ColorDevice: False", "ColorDevice: True");
  EXPECT_NE(Why(colour), "adopted");
}

TEST(Adoption, OfDymoWritesBitsForAThermalPrinter) {
  const std::string ppd =
      Replaced(Replaced(SamplePpd(), "33 rastertoacme", "0 raster2dymolw"),
               "600]/cupsBitsPerColor 1/cupsColorSpace 3",
               "600]/cupsBitsPerColor 8/cupsColorSpace 1");
  const auto adopted = Adopt(ppd);
  ASSERT_TRUE(adopted.ok()) << adopted.error().message;
  EXPECT_NE(adopted->find("\n*halftonedOutput: \"cups-raster\"\n"
                          "*halftonedTechnology: \"thermal\"\n"),
            adopted->npos);
  EXPECT_EQ(*Release(*adopted), ppd);
}

// As lpadmin -m everywhere makes it for a printer that takes black_1.
std::string EverywherePpd() {
  const std::string colours =
      "*OpenUI *ColorModel/Color Mode: PickOne\n"
      "*OrderDependency: 10 AnySetup *ColorModel\n"
      "*DefaultColorModel: Gray\n"
      "*ColorModel Gray: \"<</cupsColorSpace 18/cupsBitsPerColor 8>>"
      "setpagedevice\"\n"
      "*ColorModel FastGray: \"<</cupsColorSpace 3/cupsBitsPerColor 1>>"
      "setpagedevice\"\n"
      "*CloseUI: *ColorModel\n";
  std::string ppd = WithLines(colours);
  for (const char* dots : {"300", "600"}) {
    ppd = Replaced(ppd,
                   std::string(dots) + "]/cupsBitsPerColor 1/cupsColorSpace 3",
                   std::string(dots) + "]");
  }
  return Replaced(ppd,
                  "*cupsFilter: \"application/vnd.cups-raster 33 "
                  "rastertoacme\"\n",
                  "*cupsFilter2: \"application/vnd.cups-pdf application/pdf 10 "
                  "-\"\n*cupsFilter2: \"image/pwg-raster image/pwg-raster 100 "
                  "-\"\n");
}

TEST(Adoption, OfAPrinterWithoutADriverWritesPwgRaster) {
  const auto adopted = Adopt(EverywherePpd());
  ASSERT_TRUE(adopted.ok()) << adopted.error().message;
  const auto file = PpdFile::Parse(*adopted);
  EXPECT_EQ(file->FilterLines(),
            (std::vector<std::string>{
                "application/vnd.cups-pdf image/pwg-raster 105 pdftohalftone",
                "application/vnd.cups-raster image/pwg-raster 100 "
                "rastertohalftone"}));
  EXPECT_EQ(file->ValuesOf("halftonedOutput"),
            std::vector<std::string>{"pwg-raster last"});
  EXPECT_EQ(*Release(*adopted), EverywherePpd());
  EXPECT_EQ(*AdoptAnew(*adopted), *adopted);
  // Nothing else comes back from there.
  EXPECT_FALSE(Release(Replaced(*adopted, "was cupsFilter2: \"application/vnd.",
                                "was cupsPreFilter: \"application/vnd."))
                   .ok());
}

TEST(Adoption, KeepsChangesMadeMeanwhile) {
  std::string adopted = *Adopt(SamplePpd());
  adopted =
      Replaced(adopted, "*DefaultPageSize: A4", "*DefaultPageSize: Letter");
  adopted = Replaced(adopted, "*DefaulthalftonedBrightness: auto",
                     "*DefaulthalftonedBrightness: 20");
  adopted += "*cupsSNMPSupplies: False\n";
  const auto again = AdoptAnew(adopted);
  ASSERT_TRUE(again.ok()) << again.error().message;
  EXPECT_EQ(*again, adopted);
  EXPECT_EQ(*Release(adopted), Replaced(SamplePpd(), "*DefaultPageSize: A4",
                                        "*DefaultPageSize: Letter") +
                                   "*cupsSNMPSupplies: False\n");
}

TEST(Adoption, AddsNoCodeBeforeGhostscript) {
  const std::string raster = "*cupsFilter: \"application/vnd.cups-raster 33 ";
  const auto adopted =
      Adopt(Replaced(SamplePpd(), raster + "rastertoacme",
                     "*ColorDevice: False\n*FoomaticRIPCommandLine: \"gs -q "
                     "-sDEVICE=ljet4 -\"\n*cupsFilter: "
                     "\"application/vnd.cups-postscript 0 foomatic-rip"));
  ASSERT_TRUE(adopted.ok()) << adopted.error().message;
  const size_t begins = adopted->find("*%halftoned begins");
  const size_t ends = adopted->find("*%halftoned ends");
  const std::string ours = adopted->substr(begins, ends - begins);
  EXPECT_EQ(ours.find("setpagedevice"), ours.npos);
  EXPECT_NE(ours.find("*cupsHalftoneType fine/Fine dots: \"\"\n"), ours.npos);
}

TEST(Adoption, ExplainsRefusals) {
  const std::string sample = SamplePpd();
  const std::string raster = "*cupsFilter: \"application/vnd.cups-raster 33 ";
  const std::vector<std::pair<std::string, std::string>> cases = {
      {"", "invalid PPD file: "},
      {"nonsense", "invalid PPD file: "},
      {Replaced(sample, "*DefaultPageSize: A4\n", "no asterisk\n"),
       "invalid PPD file, line 20: "},
      {*Adopt(sample), "already adopted"},
      {Replaced(sample, raster, "*cupsFilter: \"image/urf 33 "),
       "accepts image/urf"},
      {Replaced(sample, raster + "rastertoacme\"\n", "*Filter: \"\n\"\n"),
       "does not accept raster"},
      {Replaced(Replaced(sample, raster, "*x1: \""), "*cupsFilter:", "*x2:"),
       "it has no *cupsFilter, so its printer accepts PostScript"},
      {Replaced(sample, "33 rastertoacme", "33 -"), "without a driver"},
      {Replaced(sample, raster + "rastertoacme",
                "*cupsFilter2: \"image/urf image/urf 0 -\"\n*cupsFilter2: "
                "\"image/pwg-raster image/pwg-raster 10 -"),
       "its printer accepts image/urf, image/pwg-raster without a driver, but "
       "not 1-bit raster, and halftones gray itself; to send it halftoned "
       "pages as black and white, type: halftone add QUEUE URI"},
      {Replaced(EverywherePpd(), "ColorDevice: False", "ColorDevice: True"),
       "without a driver, and prints in color; to print only black on it, "
       "type: halftone add QUEUE URI"},
      {Replaced(EverywherePpd(), "image/pwg-raster image/pwg-raster",
                "image/urf image/urf"),
       "without a driver; to send it 1-bit raster, type: halftone add"},
      {Replaced(sample, raster + "rastertoacme",
                "*cupsFilter: \"application/vnd.cups-postscript 0 "
                "foomatic-rip"),
       "; if the printer supports PCL 5e, type: halftone add QUEUE URI "
       "--language pcl5e"},
      {Replaced(sample, "33 rastertoacme", "33 rastertohalftone"),
       "already prints through rastertohalftone"},
      {Replaced(sample, raster, "*cupsFilter: \"application/vnd.cups-raster "),
       "invalid *cupsFilter 'application/vnd.cups-raster rastertoacme': "
       "expected a MIME type, a cost and a program"},
      // CUPS' reason has ends of lines.
      {Replaced(sample, "300]/cupsBitsPerColor 1", "300]/cupsBitsPerColor ("),
       "Resolution=300dpi cannot be interpreted: "},
      {WithLines("*cupsPreFilter: \"application/pdf 0 x\"\n"), "cupsPreFilter"},
      {Replaced(sample, "600]/cupsBitsPerColor 1", "600]/cupsBitsPerColor 8"),
       "it requests 8 bits"},
      {Replaced(sample, "300]/cupsBitsPerColor 1", "300]/cupsBitsPerColor 8"),
       "Resolution=300dpi requests 8 bits"},
      {Replaced(sample, "300]/cupsBitsPerColor 1/cupsColorSpace 3",
                "300]/cupsBitsPerColor 1/cupsColorSpace 6"),
       "Resolution=300dpi requests color, not black"},
      {Replaced(sample, "300]/cupsBitsPerColor 1/cupsColorSpace 3",
                "300]/cupsBitsPerColor 1/cupsColorSpace 0"),
       "requests gray, not black"},
      {Replaced(sample, "*NickName: \"Acme Laser, using raster v6\"\n", ""),
       "no NickName"},
      {Replaced(sample, "Acme Laser, using raster v6", std::string(230, 'x')),
       "its NickName is too long"},
      {Replaced(sample, "33 rastertoacme\"", "33 rastertoacme\n\""),
       "its cupsFilter spans several lines"},
      {WithLines("*cupsHalftoneType: \"x\"\n"), "its own cupsHalftoneType"},
      // It would decide about the raster after ours.
      {Replaced(sample, "*OrderDependency: 10 AnySetup *Resolution",
                "*OrderDependency: 2000 AnySetup *Resolution"),
       "it requests black, not gray"},
  };
  for (const auto& [ppd, reason] : cases) {
    EXPECT_NE(Why(ppd).find(reason), std::string::npos)
        << Why(ppd) << ", not " << reason;
    EXPECT_EQ(Why(ppd), Printable(Why(ppd)));
    // And what to do.
    EXPECT_NE(Why(ppd).find("; "), std::string::npos) << Why(ppd);
  }
}

// libcups would take minutes.
TEST(Adoption, RefusesFilesThatCannotBeCheckedInTime) {
  std::string options;
  for (int i = 0; i <= 256; ++i) {
    const std::string name = "X" + std::to_string(i);
    options += "*OpenUI *" + name + ": PickOne\n*Default" + name + ": a\n*" +
               name + " a: \"\"\n*CloseUI: *" + name + "\n";
  }
  EXPECT_NE(Why(WithLines(options)).find("options; the limit is 256"),
            std::string::npos);
  std::string choices = "*OpenUI *X: PickOne\n*DefaultX: a0\n";
  for (int i = 0; i < 6000; ++i) {
    choices +=
        "*X a" + std::to_string(i) + ": \"%" + std::string(30, '%') + "\"\n";
  }
  EXPECT_NE(Why(WithLines(choices + "*CloseUI: *X\n"))
                .find("too large to be checked: 600"),
            std::string::npos);
  std::string comments;
  while (comments.size() <= size_t{1} << 20) comments += "*% more\n";
  EXPECT_EQ(Why(WithLines(comments)),
            "its PPD file is larger than 1 MiB; halftone models WORD lists "
            "drivers that can be adopted");
}

TEST(Adoption, CannotBeUndoneIfItsLinesWereChanged) {
  const std::string adopted = *Adopt(SamplePpd());
  EXPECT_FALSE(Release(SamplePpd()).ok());
  EXPECT_FALSE(Release(Replaced(adopted, "*%halftoned ends", "*%")).ok());
  EXPECT_FALSE(Release(Replaced(adopted, "*%halftoned was NickName",
                                "*%halftoned was NickName: \"\"\n*Foo"))
                   .ok());
  // Other lines than adoption comments out are not made active.
  for (const char* line : {"cupsPreFilter: \"application/vnd.cups-raster 0 x\"",
                           "JCLBegin: \"x\"", "", "% NickName"}) {
    EXPECT_FALSE(
        Release(Replaced(adopted,
                         "*%halftoned was NickName: \"Acme Laser, using raster "
                         "v6\"",
                         "*%halftoned was " + std::string(line)))
            .ok())
        << line;
  }
  EXPECT_FALSE(Release(Replaced(adopted,
                                "*%halftoned was cupsFilter: "
                                "\"application/vnd.cups-raster 33 r",
                                "*%halftoned was cupsFilter: "
                                "\"application/vnd.cups-raster 33 /other/r"))
                   .ok());
  const size_t was = adopted.rfind("*%halftoned was ");
  EXPECT_FALSE(Release(adopted.substr(0, adopted.find('\n', was) + 1)).ok());
}

}  // namespace
}  // namespace halftoned
