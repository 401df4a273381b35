// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/transform/transform_order.h"

#include <cstddef>
#include <optional>
#include <string_view>
#include <utility>

#include "base/text.h"
#include "file/input_file.h"

namespace halftoned {
namespace {

struct Format {
  std::string_view type;
  DocumentKind kind;
};
constexpr Format kFormats[] = {
    {"application/pdf", DocumentKind::kPdf},
    {"application/postscript", DocumentKind::kPostScript},
    {"text/plain", DocumentKind::kText},
    {"image/jpeg", DocumentKind::kPicture},
    {"image/png", DocumentKind::kPicture},
    {"image/pwg-raster", DocumentKind::kRaster},
    {"image/urf", DocumentKind::kRaster},
};

struct OutputFormat {
  std::string_view type;
  std::string_view extension;
  OutputKind kind;
};
constexpr OutputFormat kOutputFormats[] = {
    {"image/pwg-raster", ".pwg", OutputKind::kPwg},
    {"image/urf", ".urf", OutputKind::kUrf},
    {"application/vnd.hp-pcl", ".pcl", OutputKind::kPcl},
    {"application/pdf", ".pdf", OutputKind::kPdf},
    {"application/postscript", ".ps", OutputKind::kPostScript},
    {"application/pclm", ".pclm", OutputKind::kPclm},
};

// What a file's first bytes say.
struct Start {
  std::string_view bytes;
  DocumentKind kind;
};
constexpr Start kStarts[] = {
    {"%PDF-", DocumentKind::kPdf},
    {"%!", DocumentKind::kPostScript},
    {"\xff\xd8\xff", DocumentKind::kPicture},
    {"\x89PNG", DocumentKind::kPicture},
    {"RaS2", DocumentKind::kRaster},
    {"UNIRAST", DocumentKind::kRaster},
};

constexpr std::string_view kTextExtensions[] = {
    ".txt", ".md", ".rst", ".c",  ".h",  ".cc",    ".cpp", ".cxx",
    ".hpp", ".m",  ".pl",  ".py", ".sh", ".swift", ".c++",
};

std::string_view ExtensionOf(std::string_view path) {
  const size_t dot = path.rfind('.');
  return dot == path.npos ? "" : path.substr(dot);
}

Result<DocumentKind> KindByContents(const std::string& path) {
  HALFTONED_TRY_ASSIGN(InputFile file, InputFile::Open(path));
  HALFTONED_TRY_ASSIGN(const auto bytes, file.Peek(16));
  const std::string_view start(reinterpret_cast<const char*>(bytes.data()),
                               bytes.size());
  for (const Start& known : kStarts) {
    if (start.starts_with(known.bytes)) return known.kind;
  }
  const std::string extension = LowerCase(ExtensionOf(path));
  for (const std::string_view text : kTextExtensions) {
    if (extension == text) return DocumentKind::kText;
  }
  return BadInput("cannot tell the format of '" + Printable(path) +
                  "'; give it with -i");
}

Result<DocumentKind> KindOf(const std::string& path,
                            const std::string& format) {
  if (format.empty() || format == "application/octet-stream") {
    return KindByContents(path);
  }
  const std::string type = LowerCase(format);
  for (const Format& known : kFormats) {
    if (type == known.type) return known.kind;
  }
  return BadInput("the format '" + Printable(format) + "' of '" +
                  Printable(path) + "' is not supported");
}

class Reader {
 public:
  explicit Reader(std::span<char* const> words) : words_(words) {}

  Result<TransformOrder> Read() {
    order_.output_format = Variable("OUTPUT_TYPE");
    order_.device_uri = Variable("DEVICE_URI");
    while (next_ < words_.size()) {
      const std::string word = words_[next_++];
      if (word.starts_with("--")) {
        HALFTONED_TRY(ReadLongOption(word));
      } else if (word.starts_with('-')) {
        HALFTONED_TRY(ReadOptions(word));
      } else {
        HALFTONED_TRY(AddDocument(word));
      }
    }
    if (order_.wants_help || order_.wants_version) return std::move(order_);
    HALFTONED_TRY(Complete());
    return std::move(order_);
  }

 private:
  Result<void> ReadLongOption(const std::string& word) {
    if (word == "--help") {
      order_.wants_help = true;
    } else if (word == "--version") {
      order_.wants_version = true;
    } else {
      return BadInput("there is no option '" + Printable(word) + "'");
    }
    return {};
  }

  // Several letters may share a word; each takes a word of its own.
  Result<void> ReadOptions(const std::string& word) {
    for (const char letter : std::string_view(word).substr(1)) {
      if (letter == 'v') {
        ++order_.verbosity;
        continue;
      }
      if (std::string_view("dfimorst").find(letter) == std::string_view::npos) {
        return BadInput("there is no option '-" +
                        Printable(std::string_view(&letter, 1)) + "'");
      }
      if (next_ == words_.size()) {
        return BadInput(std::string("the option '-") + letter +
                        "' lacks its value");
      }
      SetOption(letter, words_[next_++]);
    }
    return {};
  }

  void SetOption(char letter, const std::string& value) {
    switch (letter) {
      case 'd':
        order_.device_uri = value;
        break;
      case 'f':
        order_.output_path = value;
        break;
      case 'i':
        input_format_ = value;
        break;
      case 'm':
        order_.output_format = value;
        break;
      case 'o':
        order_.attributes.Add(value);
        break;
      case 'r':
        order_.resolutions = value;
        break;
      case 's':
        order_.sheet_back = value;
        break;
      default:
        order_.types = value;
    }
  }

  // -i is of the document that follows it.
  Result<void> AddDocument(const std::string& path) {
    std::string format = std::exchange(input_format_, "");
    if (format.empty()) {
      const size_t number = order_.documents.size() + 1;
      format =
          Variable("CONTENT_TYPE" + (number > 1 ? std::to_string(number) : ""));
    }
    HALFTONED_TRY_ASSIGN(const DocumentKind kind, KindOf(path, format));
    order_.documents.push_back({path, kind});
    return {};
  }

  Result<void> Complete() {
    if (order_.documents.empty()) return BadInput("no document is given");
    const auto set = [](std::string& value, const char* name) {
      if (value.empty()) value = Variable(name);
    };
    set(order_.resolutions, "IPP_PWG_RASTER_DOCUMENT_RESOLUTION_SUPPORTED");
    set(order_.resolutions, "IPP_PCLM_SOURCE_RESOLUTION_SUPPORTED");
    set(order_.sheet_back, "IPP_PWG_RASTER_DOCUMENT_SHEET_BACK");
    set(order_.sheet_back, "IPP_PCLM_RASTER_BACK_SIDE");
    set(order_.types, "IPP_PWG_RASTER_DOCUMENT_TYPE_SUPPORTED");
    return SetOutput();
  }

  Result<void> SetOutput() {
    const std::string type = LowerCase(order_.output_format);
    const std::string extension = LowerCase(ExtensionOf(order_.output_path));
    for (const OutputFormat& known : kOutputFormats) {
      if (type.empty() ? extension == known.extension : type == known.type) {
        order_.output = known.kind;
        order_.output_format = known.type;
        return {};
      }
    }
    if (type.empty()) return BadInput("no output format is given; use -m");
    return BadInput("the output format '" + Printable(order_.output_format) +
                    "' is not supported");
  }

  const std::span<char* const> words_;
  size_t next_ = 0;
  std::string input_format_;
  TransformOrder order_;
};

}  // namespace

Result<TransformOrder> ReadOrder(std::span<char* const> words) {
  return Reader(words).Read();
}

}  // namespace halftoned
