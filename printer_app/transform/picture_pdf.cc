// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/transform/picture_pdf.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <qpdf/Buffer.hh>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <span>
#include <vector>

#include "base/text.h"
#include "file/input_file.h"
#include "printer_app/transform/jpeg_form.h"

namespace halftoned {
namespace {

constexpr double kPointsOfDot = 72.0 / 200;
constexpr double kLargePage = 14400;  // points
constexpr size_t kMostBytes = size_t{1} << 30;

struct Picture {
  int width = 0;
  int rows = 0;
  std::string data;
  std::string dictionary;  // of the image, beside its size
  int orientation = 1;     // as in Exif
};

Result<void> ReadAll(const std::string& path, std::string& contents) {
  HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(path));
  std::vector<std::byte> room(size_t{1} << 16);
  for (;;) {
    HALFTONED_TRY_ASSIGN(const size_t got, file.ReadSome(room));
    if (got == 0) return {};
    contents.append(reinterpret_cast<const char*>(room.data()), got);
    if (contents.size() > kMostBytes) {
      return BadInput("the picture's file is larger than 1 GiB");
    }
  }
}

Result<Picture> Jpeg(std::string contents) {
  HALFTONED_TRY_ASSIGN(const JpegForm form,
                       ReadJpegForm(std::as_bytes(std::span(contents))));
  std::string dictionary = "/Filter /DCTDecode /ColorSpace ";
  dictionary += form.components == 1   ? "/DeviceGray"
                : form.components == 3 ? "/DeviceRGB"
                                       : "/DeviceCMYK";
  if (form.components == 4 && form.is_adobe) {
    dictionary += " /Decode [1 0 1 0 1 0 1 0]";
  }
  return Picture{form.width, form.rows, std::move(contents), dictionary,
                 form.orientation};
}

Result<Picture> Png(const std::string& contents) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const auto failed = [&] {
    const std::string why = Printable(image.message);
    png_image_free(&image);
    return BadInput("the PNG file is damaged: " + why);
  };
  if (!png_image_begin_read_from_memory(&image, contents.data(),
                                        contents.size())) {
    return failed();
  }
  const bool is_gray = (image.format & PNG_FORMAT_FLAG_COLOR) == 0;
  image.format = is_gray ? PNG_FORMAT_GRAY : PNG_FORMAT_RGB;
  const size_t bytes = size_t{image.width} * image.height * (is_gray ? 1 : 3);
  if (bytes > kMostBytes) {
    png_image_free(&image);
    return BadInput("the picture would be too large");
  }
  Picture picture{
      static_cast<int>(image.width), static_cast<int>(image.height),
      std::string(bytes, '\0'),
      is_gray ? "/ColorSpace /DeviceGray" : "/ColorSpace /DeviceRGB"};
  const png_color white{255, 255, 255};
  if (!png_image_finish_read(&image, &white, picture.data.data(), 0, nullptr)) {
    return failed();
  }
  return picture;
}

Result<Picture> ReadPicture(const std::string& path) {
  std::string contents;
  HALFTONED_TRY(ReadAll(path, contents));
  const std::string_view start = contents;
  if (start.starts_with("\x89PNG")) return Png(contents);
  if (start.starts_with("\xff\xd8")) return Jpeg(std::move(contents));
  return BadInput("the picture is neither JPEG nor PNG");
}

// How Exif's orientations come about: a mirror, then a turn with the clock.
struct Turn {
  bool is_mirrored;
  int degrees;
};
constexpr std::array<Turn, 9> kTurns = {{{false, 0},
                                         {false, 0},
                                         {true, 0},
                                         {false, 180},
                                         {true, 180},
                                         {true, 270},
                                         {false, 90},
                                         {true, 90},
                                         {false, 270}}};

std::string Formatted(const char* format, double width, double height) {
  std::array<char, 200> text;
  std::snprintf(text.data(), text.size(), format, width, height, width);
  return text.data();
}

void WritePage(const Picture& picture, double scale, const std::string& to) {
  const double width = picture.width * scale, height = picture.rows * scale;
  const Turn turn = kTurns[size_t(std::clamp(picture.orientation, 1, 8))];
  QPDF document;
  document.emptyPDF();
  QPDFObjectHandle image = QPDFObjectHandle::newStream(&document, picture.data);
  image.replaceDict(QPDFObjectHandle::parse(
      "<< /Type /XObject /Subtype /Image /BitsPerComponent 8 "
      "/Interpolate true /Width " +
      std::to_string(picture.width) + " /Height " +
      std::to_string(picture.rows) + " " + picture.dictionary + " >>"));
  QPDFObjectHandle page = QPDFObjectHandle::parse(Formatted(
      "<< /Type /Page /MediaBox [0 0 %.4f %.4f] /Resources << /XObject "
      "<< >> >> >>",
      width, height));
  page.replaceKey("/Rotate", QPDFObjectHandle::newInteger(turn.degrees));
  page.getKey("/Resources").getKey("/XObject").replaceKey("/Image", image);
  page.replaceKey(
      "/Contents",
      QPDFObjectHandle::newStream(
          &document, Formatted(turn.is_mirrored
                                   ? "q -%.4f 0 0 %.4f %.4f 0 cm /Image Do Q\n"
                                   : "q %.4f 0 0 %.4f 0 0 cm /Image Do Q\n",
                               width, height)));
  QPDFPageDocumentHelper(document).addPage(
      QPDFPageObjectHelper(document.makeIndirectObject(page)), false);
  QPDFWriter writer(document, to.c_str());
  writer.write();
}

}  // namespace

Result<void> PictureToPdf(const std::string& from, const std::string& to,
                          bool has_size) {
  HALFTONED_TRY_ASSIGN(const Picture picture, ReadPicture(from));
  const double scale = has_size
                           ? kPointsOfDot
                           : kLargePage / std::max(picture.width, picture.rows);
  try {
    WritePage(picture, scale, to);
  } catch (const std::exception& error) {
    return IoError(std::string("cannot write the picture as PDF: ") +
                   Printable(error.what()));
  }
  return {};
}

}  // namespace halftoned
