// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <gtest/gtest.h>

#include <cstdio>
#include <functional>
#include <optional>
#include <qpdf/Pl_Buffer.hh>
#include <qpdf/Pl_Flate.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>

#include "print/render/pdf_pages.h"

namespace halftoned {
namespace {

using Change = std::function<void(QPDF&, QPDFObjectHandle page)>;

// A page that draws `content`, with `resources`, after a page of text.
bool IsBlackWith(const std::string& content,
                 const std::string& resources = "<<>>",
                 const Change& change = {}) {
  const std::string path = testing::TempDir() + "halftoned-ink.pdf";
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
  writer.setCompressStreams(false);
  writer.setDecodeLevel(qpdf_dl_none);  // qpdf 12 would unpack them
  writer.write();
  const auto pages = PagesOf(path, std::nullopt, true);
  std::remove(path.c_str());
  return pages.ok() && pages->is_black();
}

// The page draws /X: `content`, a stream with `dictionary`.
bool IsBlackWithObject(const std::string& dictionary,
                       const std::string& content = "") {
  return IsBlackWith(
      "/X Do", "<<>>", [&](QPDF& document, QPDFObjectHandle page) {
        QPDFObjectHandle object = document.newStream(content);
        object.replaceDict(QPDFObjectHandle::parse(dictionary));
        QPDFObjectHandle objects = QPDFObjectHandle::newDictionary();
        objects.replaceKey("/X", document.makeIndirectObject(object));
        page.getKey("/Resources").replaceKey("/XObject", objects);
      });
}

TEST(PageInk, ContentThatIsLargeWhenUnpackedIsNotExamined) {
  for (const size_t size : {size_t{1} << 20, size_t{5} << 20}) {
    EXPECT_EQ(
        IsBlackWith("0 g", "<<>>",
                    [&](QPDF& document, QPDFObjectHandle page) {
                      Pl_Buffer packed("packed");
                      Pl_Flate flate("flate", &packed, Pl_Flate::a_deflate);
                      flate.writeString(std::string(size, ' '));
                      flate.finish();
                      QPDFObjectHandle content =
                          document.newStream(packed.getBufferSharedPointer());
                      content.getDict().replaceKey(
                          "/Filter", QPDFObjectHandle::newName("/FlateDecode"));
                      page.replaceKey("/Contents", content);
                    }),
        size < size_t{4} << 20);
  }
}

TEST(PageInk, SolidColorsAreBlackOrWhite) {
  for (const char* content :
       {"", "0 g 1 G", "0 0 0 rg 1.0 1 1 RG", "0 0 0 1 k 0 0 0 0 K",
        "/DeviceRGB cs 0 0 0 sc", "/DeviceGray CS 1 SCN"}) {
    EXPECT_TRUE(IsBlackWith(content)) << content;
  }
}

TEST(PageInk, OtherColorsCanBeGray) {
  for (const char* content :
       {"0.5 g", "0.999 G", "1 0 0 rg", "0 0 0 0.5 k", "1 1 1 1 k", "1 0 0 0 K",
        "/Cs1 cs 0 0 0 sc", "/Pattern cs /P scn", "/Sh sh", "0 0 g", "g"}) {
    EXPECT_FALSE(IsBlackWith(content)) << content;
  }
}

TEST(PageInk, StatesCanBlend) {
  EXPECT_TRUE(IsBlackWith("/S gs",
                          "<</ExtGState<</S<</ca 1/BM/Normal"
                          "/SMask/None/LW 2>>>>>>"));
  for (const char* state : {"/ca 0.5", "/BM/Multiply", "/SMask<<>>",
                            "/TR/Identity", "/HT/Default", "/Odd 1"}) {
    EXPECT_FALSE(IsBlackWith(
        "/S gs", std::string("<</ExtGState<</S<<") + state + ">>>>>>"))
        << state;
  }
}

TEST(PageInk, DefaultSpacesReplacePlainOnes) {
  EXPECT_FALSE(IsBlackWith("", "<</ColorSpace<</DefaultRGB[/CalRGB<<>>]>>>>"));
  EXPECT_TRUE(IsBlackWith("", "<</ColorSpace<</Cs1[/CalRGB<<>>]>>>>"));
}

TEST(PageInk, StencilsHaveTheCurrentColor) {
  const std::string head = "<</Subtype/Image/Width 8/Height 1";
  EXPECT_TRUE(IsBlackWithObject(head + "/ImageMask true>>", "a"));
  for (const char* rest :
       {"/BitsPerComponent 8/ColorSpace/DeviceGray", "/BitsPerComponent 1",
        "/ImageMask true/Interpolate true", "/ImageMask false"}) {
    EXPECT_FALSE(IsBlackWithObject(head + rest + ">>", "a")) << rest;
  }
}

TEST(PageInk, InlinePicturesAreExamined) {
  EXPECT_TRUE(IsBlackWith("BI /W 8 /H 1 /IM true ID a EI"));
  EXPECT_FALSE(IsBlackWith("BI /W 1 /H 1 /CS /G /BPC 8 ID a EI"));
}

TEST(PageInk, FormsAreExamined) {
  const std::string form = "<</Subtype/Form/BBox[0 0 9 9]/Resources<<";
  EXPECT_TRUE(IsBlackWithObject(form + ">>>>", "0 g"));
  EXPECT_FALSE(IsBlackWithObject(form + ">>>>", "0.5 g"));
  EXPECT_FALSE(
      IsBlackWithObject(form + "/ExtGState<</S<</ca 0>>>>>>>>", "/S gs"));
  EXPECT_FALSE(IsBlackWithObject("<</Subtype/PS>>"));
}

TEST(PageInk, LettersMayBeDrawnInGray) {
  const std::string text = "BT /F 9 Tf (a) Tj ET";
  EXPECT_TRUE(IsBlackWith(text, "<</Font<</F<</Subtype/Type1>>>>>>"));
  EXPECT_FALSE(IsBlackWith(text, "<</Font<</F<</Subtype/Type3>>>>>>"));
  EXPECT_FALSE(IsBlackWith(text));
}

TEST(PageInk, LinksHaveBlackFramesOrNone) {
  const auto with_note = [](const std::string& note) {
    return IsBlackWith("", "<<>>", [&](QPDF&, QPDFObjectHandle page) {
      page.replaceKey("/Annots", QPDFObjectHandle::parse("[" + note + "]"));
    });
  };
  EXPECT_TRUE(with_note("<</Subtype/Link>>"));
  EXPECT_FALSE(with_note("<</Subtype/Link/C[1 0 0]>>"));
  EXPECT_FALSE(with_note("<</Subtype/Link/AP<<>>>>"));
  EXPECT_FALSE(with_note("<</Subtype/Widget>>"));
}

// However much a document has, it is looked into for a while only.
TEST(PageInk, LongDrawingsAreNotRead) {
  std::string content;
  for (int i = 0; i < 20'000; ++i) content += "q Q ";
  EXPECT_TRUE(IsBlackWith(content.substr(0, 40'000)));
  EXPECT_FALSE(IsBlackWith(content));
}

}  // namespace
}  // namespace halftoned
