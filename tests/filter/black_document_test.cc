// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "filter/ghostscript/black_document.h"

#include <gtest/gtest.h>

#include <cstdio>
#include <fstream>
#include <functional>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>

namespace halftoned {
namespace {

using Change = std::function<void(QPDF&, QPDFObjectHandle page)>;

// A page that draws `content`, with `resources`, after a page of text.
std::optional<int64_t> PagesWith(const std::string& content,
                                 const std::string& resources = "<<>>",
                                 const Change& change = {}) {
  const std::string path = testing::TempDir() + "halftoned-black.pdf";
  QPDF document;
  document.emptyPDF();
  for (const std::string& drawn :
       {std::string("BT (Text) Tj ET 0 0 9 9 re f"), content}) {
    QPDFObjectHandle page =
        QPDFObjectHandle::parse("<</Type/Page/MediaBox[0 0 99 99]>>");
    page.replaceKey("/Contents", document.newStream(drawn));
    page.replaceKey("/Resources", QPDFObjectHandle::parse(resources));
    if (change) change(document, page);
    QPDFPageDocumentHelper(document).addPage(page, false);
  }
  QPDFWriter writer(document, path.c_str());
  writer.write();
  const auto pages = PagesOfBlackDocument(path);
  std::remove(path.c_str());
  return pages;
}

// The page draws /X: `content`, a stream with `dictionary`.
std::optional<int64_t> PagesWithObject(const std::string& dictionary,
                                       const std::string& content = "") {
  return PagesWith("/X Do", "<<>>", [&](QPDF& document, QPDFObjectHandle page) {
    QPDFObjectHandle object = document.newStream(content);
    object.replaceDict(QPDFObjectHandle::parse(dictionary));
    QPDFObjectHandle objects = QPDFObjectHandle::newDictionary();
    objects.replaceKey("/X", document.makeIndirectObject(object));
    page.getKey("/Resources").replaceKey("/XObject", objects);
  });
}

TEST(BlackDocument, SolidColoursAreBlackOrWhite) {
  for (const char* content :
       {"", "0 g 1 G", "0 0 0 rg 1.0 1 1 RG", "0 0 0 1 k 0 0 0 0 K",
        "/DeviceRGB cs 0 0 0 sc", "/DeviceGray CS 1 SCN"}) {
    EXPECT_EQ(PagesWith(content), 2) << content;
  }
}

TEST(BlackDocument, OtherColoursMayBeGray) {
  for (const char* content :
       {"0.5 g", "0.999 G", "1 0 0 rg", "0 0 0 0.5 k", "1 1 1 1 k", "1 0 0 0 K",
        "/Cs1 cs 0 0 0 sc", "/Pattern cs /P scn", "/Sh sh", "0 0 g", "g"}) {
    EXPECT_EQ(PagesWith(content), std::nullopt) << content;
  }
}

TEST(BlackDocument, StatesMayBlend) {
  EXPECT_EQ(PagesWith("/S gs",
                      "<</ExtGState<</S<</ca 1/BM/Normal"
                      "/SMask/None/LW 2>>>>>>"),
            2);
  for (const char* state : {"/ca 0.5", "/BM/Multiply", "/SMask<<>>",
                            "/TR/Identity", "/HT/Default", "/Odd 1"}) {
    EXPECT_EQ(
        PagesWith("", std::string("<</ExtGState<</S<<") + state + ">>>>>>"),
        std::nullopt)
        << state;
  }
}

TEST(BlackDocument, DefaultSpacesReplacePlainOnes) {
  EXPECT_EQ(PagesWith("", "<</ColorSpace<</DefaultRGB[/CalRGB<<>>]>>>>"),
            std::nullopt);
  EXPECT_EQ(PagesWith("", "<</ColorSpace<</Cs1[/CalRGB<<>>]>>>>"), 2);
}

TEST(BlackDocument, PicturesOfOneBitAreBlack) {
  const std::string head = "<</Subtype/Image/Width 8/Height 1";
  EXPECT_EQ(PagesWithObject(head + "/ImageMask true>>", "a"), 2);
  EXPECT_EQ(PagesWithObject(
                head + "/BitsPerComponent 1/ColorSpace/DeviceGray>>", "a"),
            2);
  for (const char* rest :
       {"/BitsPerComponent 8/ColorSpace/DeviceGray", "/BitsPerComponent 1",
        "/BitsPerComponent 1/ColorSpace[/Indexed/DeviceGray 1 <807f>]",
        "/ImageMask true/Interpolate true",
        "/BitsPerComponent 1/ColorSpace/DeviceGray/Mask[0 0]"}) {
    EXPECT_EQ(PagesWithObject(head + rest + ">>", "a"), std::nullopt) << rest;
  }
}

TEST(BlackDocument, InlinePicturesAreLookedAt) {
  EXPECT_EQ(PagesWith("BI /W 8 /H 1 /IM true ID a EI"), 2);
  EXPECT_EQ(PagesWith("BI /W 8 /H 1 /CS /G /BPC 1 ID a EI"), 2);
  EXPECT_EQ(PagesWith("BI /W 1 /H 1 /CS /G /BPC 8 ID a EI"), std::nullopt);
}

TEST(BlackDocument, FormsAreLookedInto) {
  const std::string form = "<</Subtype/Form/BBox[0 0 9 9]/Resources<<";
  EXPECT_EQ(PagesWithObject(form + ">>>>", "0 g"), 2);
  EXPECT_EQ(PagesWithObject(form + ">>>>", "0.5 g"), std::nullopt);
  EXPECT_EQ(PagesWithObject(form + "/ExtGState<</S<</ca 0>>>>>>>>"),
            std::nullopt);
  EXPECT_EQ(PagesWithObject("<</Subtype/PS>>"), std::nullopt);
}

TEST(BlackDocument, LettersMayBeDrawnInGray) {
  const auto with_letter = [](const std::string& letter) {
    return PagesWith("", "<<>>", [&](QPDF& document, QPDFObjectHandle page) {
      QPDFObjectHandle font = QPDFObjectHandle::parse("<</Subtype/Type3>>");
      QPDFObjectHandle letters = QPDFObjectHandle::newDictionary();
      letters.replaceKey("/a", document.newStream(letter));
      font.replaceKey("/CharProcs", letters);
      QPDFObjectHandle fonts = QPDFObjectHandle::newDictionary();
      fonts.replaceKey("/F", document.makeIndirectObject(font));
      page.getKey("/Resources").replaceKey("/Font", fonts);
    });
  };
  EXPECT_EQ(with_letter("9 0 d0 0 0 9 9 re f"), 2);
  EXPECT_EQ(with_letter("9 0 d0 0.3 g 0 0 9 9 re f"), std::nullopt);
}

TEST(BlackDocument, LinksWithoutFramesAreNotSeen) {
  const auto with_note = [](const std::string& note) {
    return PagesWith("", "<<>>", [&](QPDF&, QPDFObjectHandle page) {
      page.replaceKey("/Annots", QPDFObjectHandle::parse("[" + note + "]"));
    });
  };
  EXPECT_EQ(with_note("<</Subtype/Link/Border[0 0 0]>>"), 2);
  EXPECT_EQ(with_note("<</Subtype/Link>>"), std::nullopt);
  EXPECT_EQ(with_note("<</Subtype/Link/Border[0 0 1]>>"), std::nullopt);
  EXPECT_EQ(with_note("<</Subtype/Widget>>"), std::nullopt);
}

TEST(BlackDocument, OtherFilesAreNotKnown) {
  EXPECT_EQ(PagesOfBlackDocument("/nowhere"), std::nullopt);
  const std::string path = testing::TempDir() + "halftoned-black.ps";
  std::ofstream(path) << "%!PS\nshowpage\n";
  EXPECT_EQ(PagesOfBlackDocument(path), std::nullopt);
  std::remove(path.c_str());
}

}  // namespace
}  // namespace halftoned
