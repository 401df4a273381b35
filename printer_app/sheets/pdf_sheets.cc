// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/sheets/pdf_sheets.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <exception>
#include <new>
#include <qpdf/QPDF.hh>
#include <qpdf/QPDFExc.hh>
#include <qpdf/QPDFObjectHandle.hh>
#include <qpdf/QPDFPageDocumentHelper.hh>
#include <qpdf/QPDFPageObjectHelper.hh>
#include <qpdf/QPDFWriter.hh>
#include <qpdf/QUtil.hh>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/text.h"
#include "print/render/unpacked_size.h"
#include "printer_app/sheets/renderer_bugs.h"

namespace halftoned {
namespace {

using Rectangle = QPDFObjectHandle::Rectangle;

constexpr size_t kFileBuffer = size_t{1} << 18;
// Limit for the unpacked contents of one page, which libqpdf holds in memory.
// Maps and plans have some 100 MiB.
constexpr size_t kMostOfPage = size_t{256} << 20;

// libqpdf reports errors by exceptions.
template <typename Work>
auto Guarded(const Work& work) -> decltype(work()) {
  try {
    return work();
  } catch (const QPDFExc& error) {
    if (error.getErrorCode() == qpdf_e_password) {
      return BadInput("the document needs a password");
    }
    return BadInput("the PDF document is damaged: " +
                    Printable(error.getMessageDetail()));
  } catch (const std::bad_alloc&) {
    return BadInput(
        "the document needs more memory than render-memory in halftoned.conf "
        "allows");
  } catch (const std::exception& error) {
    return BadInput("the PDF document is damaged: " + Printable(error.what()));
  }
}

struct SourcePage {
  QPDFPageObjectHelper page;
  Rectangle box;    // the visible part, before rotation
  int degrees;      // clockwise, as the page states
  double unit = 1;  // of the page's coordinates, in points
  SheetPlace placed;
  // Annotations without an appearance, which only the renderer can draw, and
  // not in a form. Null if there are none.
  QPDFObjectHandle bare;
  // Only its boxes and its unit are changed; otherwise, it is drawn as a form.
  bool keeps_contents = false;
};

QPDFObjectHandle BareAnnotationsOf(QPDFPageObjectHelper page) {
  constexpr int kHidden = 1 << 1, kPrint = 1 << 2;
  std::vector<QPDFObjectHandle> bare;
  for (QPDFAnnotationObjectHelper& each : page.getAnnotations()) {
    const bool is_printed = (each.getFlags() & (kHidden | kPrint)) == kPrint;
    if (is_printed && each.getSubtype() != "/Popup" &&
        !each.getAppearanceStream("/N").isStream()) {
      bare.push_back(each.getObjectHandle());
    }
  }
  return bare.empty() ? QPDFObjectHandle::newNull()
                      : QPDFObjectHandle::newArray(bare);
}

Rectangle Ordered(const Rectangle& given) {
  return {std::min(given.llx, given.urx), std::min(given.lly, given.ury),
          std::max(given.llx, given.urx), std::max(given.lly, given.ury)};
}

bool IsLength(double length) { return length >= 0.1 && length <= 1e6; }

bool HasSize(const Rectangle& box) {
  return IsLength(box.urx - box.llx) && IsLength(box.ury - box.lly);
}

// The part to print. A page without a size becomes Letter, as in Ghostscript.
Rectangle BoxOf(QPDFPageObjectHelper page) {
  const auto usable = [](QPDFObjectHandle given, const Rectangle& otherwise) {
    if (!given.isRectangle()) return otherwise;
    const Rectangle box = Ordered(given.getArrayAsRectangle());
    return HasSize(box) ? box : otherwise;
  };
  const Rectangle media = usable(page.getMediaBox(), {0, 0, 612, 792});
  const Rectangle trim = usable(page.getTrimBox(), media);
  const Rectangle both = {
      std::max(trim.llx, media.llx), std::max(trim.lly, media.lly),
      std::min(trim.urx, media.urx), std::min(trim.ury, media.ury)};
  return HasSize(both) ? both : media;
}

int DegreesOf(QPDFPageObjectHelper page) {
  QPDFObjectHandle rotation = page.getAttribute("/Rotate", false);
  if (!rotation.isInteger()) return 0;
  const auto degrees = static_cast<int>(rotation.getIntValue() % 360);
  return degrees % 90 == 0 ? (degrees + 360) % 360 : 0;
}

double UserUnitOf(QPDFPageObjectHelper page) {
  QPDFObjectHandle unit = page.getAttribute("/UserUnit", false);
  const double value = unit.isNumber() ? unit.getNumericValue() : 1;
  return value > 0 ? value : 1;
}

bool IsNear(double a, double b) { return std::abs(a - b) <= kPaperTolerance; }

// Gives the page one box, and no values that libqpdf reads in another way.
void Simplify(const SourcePage& source, double unit) {
  QPDFObjectHandle page = source.page.getObjectHandle();
  for (const char* key : {"/CropBox", "/TrimBox", "/BleedBox", "/ArtBox"}) {
    page.removeKey(key);
  }
  page.replaceKey("/MediaBox", QPDFObjectHandle::newFromRectangle(source.box));
  page.replaceKey("/Rotate", QPDFObjectHandle::newInteger(source.degrees));
  if (unit == 1) page.removeKey("/UserUnit");
}

SourcePage SourceOf(QPDFPageObjectHelper page, const SheetOrder& order) {
  SourcePage source{page, BoxOf(page), DegreesOf(page)};
  const double unit = source.unit = UserUnitOf(page);
  source.bare = BareAnnotationsOf(page);
  Simplify(source, unit);
  Extent seen{(source.box.urx - source.box.llx) * unit,
              (source.box.ury - source.box.lly) * unit};
  if (source.degrees % 180 != 0) std::swap(seen.width, seen.height);
  if (!IsLength(seen.width) || !IsLength(seen.height)) {
    throw std::runtime_error("a page has no size");
  }
  source.placed = Place(seen, order.paper, order.fit, order.turns);
  const Extent& size = source.placed.size;
  source.keeps_contents =
      !source.bare.isNull() || (source.placed.scale == 1 && unit == 1 &&
                                IsNear(size.width, order.paper.size.width) &&
                                IsNear(size.height, order.paper.size.height));
  return source;
}

// Clips the page's contents to its box, as a form would.
void Clip(QPDF& document, SourcePage& source) {
  const Rectangle& box = source.box;
  std::string contents;
  for (const double number :
       {box.llx, box.lly, box.urx - box.llx, box.ury - box.lly}) {
    contents += QUtil::double_to_string(number, 6) + " ";
  }
  source.page.addPageContents(
      QPDFObjectHandle::newStream(&document, contents + "re W n\n"), true);
}

// Makes the page as large as the paper, and draws it there at its scale.
void SetBoxes(const SourcePage& source, const SheetPaper& paper) {
  const int degrees = (source.degrees + 360 - 90 * source.placed.turns) % 360;
  const double unit = source.unit * source.placed.scale;
  const double left = source.placed.left / unit, top = source.placed.top / unit;
  const double width = paper.size.width / unit;
  const double height = paper.size.height / unit;
  Rectangle box = source.box;
  if (degrees == 0) {
    box.llx -= left, box.ury += top;
    box.urx = box.llx + width, box.lly = box.ury - height;
  } else if (degrees == 90) {
    box.lly -= left, box.llx -= top;
    box.ury = box.lly + width, box.urx = box.llx + height;
  } else if (degrees == 180) {
    box.urx += left, box.lly -= top;
    box.llx = box.urx - width, box.ury = box.lly + height;
  } else {
    box.ury += left, box.urx += top;
    box.lly = box.ury - width, box.llx = box.urx - height;
  }
  QPDFObjectHandle page = source.page.getObjectHandle();
  page.replaceKey("/MediaBox", QPDFObjectHandle::newFromRectangle(box));
  page.replaceKey("/Rotate", QPDFObjectHandle::newInteger(degrees));
  if (unit == 1) {
    page.removeKey("/UserUnit");
  } else {
    page.replaceKey("/UserUnit", QPDFObjectHandle::newReal(unit, 9));
  }
}

// The numbers of an array, or `otherwise`.
template <size_t size>
std::array<double, size> NumbersOf(QPDFObjectHandle array,
                                   std::array<double, size> otherwise) {
  if (!array.isArray() || array.getArrayNItems() != int(size)) return otherwise;
  std::array<double, size> numbers;
  for (size_t i = 0; i < size; ++i) {
    numbers[i] = array.getArrayItem(int(i)).getNumericValue();
  }
  return numbers;
}

// The rectangle of a form, in the coordinates in which it is drawn.
Rectangle PlaceOf(QPDFObjectHandle form) {
  const auto m =
      NumbersOf<6>(form.getDict().getKey("/Matrix"), {1, 0, 0, 1, 0, 0});
  const auto b = NumbersOf<4>(form.getDict().getKey("/BBox"), {0, 0, 1, 1});
  const std::pair<double, double> corners[] = {
      {b[0], b[1]}, {b[2], b[1]}, {b[0], b[3]}, {b[2], b[3]}};
  Rectangle place{1e300, 1e300, -1e300, -1e300};
  for (const auto& [x, y] : corners) {
    const double at_x = m[0] * x + m[2] * y + m[4];
    const double at_y = m[1] * x + m[3] * y + m[5];
    place.llx = std::min(place.llx, at_x);
    place.urx = std::max(place.urx, at_x);
    place.lly = std::min(place.lly, at_y);
    place.ury = std::max(place.ury, at_y);
  }
  return place;
}

std::array<double, 6> MatrixOf(const Rectangle& form, const SheetPlace& placed,
                               const SheetPaper& paper) {
  const double s = placed.scale;
  const double x = placed.left;
  const double y = paper.size.height - placed.top - placed.size.height;
  switch (placed.turns) {
    case 0:
      return {s, 0, 0, s, x - s * form.llx, y - s * form.lly};
    case 1:
      return {0, s, -s, 0, x + s * form.ury, y - s * form.llx};
    case 2:
      return {-s, 0, 0, -s, x + s * form.urx, y + s * form.ury};
    default:
      return {0, -s, s, 0, x - s * form.lly, y + s * form.urx};
  }
}

// Makes the page a sheet, on which the page is drawn as a form. The page keeps
// its place in the document: libqpdf would move all later pages for each page
// that it adds or removes.
void DrawOnSheet(QPDF& document, SourcePage& source, const SheetPaper& paper) {
  QPDFObjectHandle sheet = source.page.getObjectHandle();
  // The form reads the contents of its page when it is written.
  QPDFPageObjectHelper page(document.makeIndirectObject(sheet.shallowCopy()));
  QPDFObjectHandle form =
      document.makeIndirectObject(page.getFormXObjectForPage());
  std::string contents = "q\n";
  for (const double number : MatrixOf(PlaceOf(form), source.placed, paper)) {
    contents += QUtil::double_to_string(number, 6) + " ";
  }
  contents += "cm\n/Page Do\nQ\n";
  for (const std::string& key : sheet.getKeys()) {
    if (key != "/Type" && key != "/Parent") sheet.removeKey(key);
  }
  QPDFObjectHandle resources = QPDFObjectHandle::parse("<< /XObject << >> >>");
  resources.getKey("/XObject").replaceKey("/Page", form);
  sheet.replaceKey("/Resources", resources);
  sheet.replaceKey("/MediaBox",
                   QPDFObjectHandle::newFromRectangle(
                       {0, 0, paper.size.width, paper.size.height}));
  sheet.replaceKey("/Contents",
                   QPDFObjectHandle::newStream(&document, contents));
}

// Drops objects that refer to pages but draw nothing: they would keep pages
// that are left out. Ghostscript does not read documents whose Info is wrong.
void DropNavigation(QPDF& document) {
  document.getTrailer().removeKey("/Info");
  for (const char* key : {"/Outlines", "/Dests", "/Names", "/OpenAction",
                          "/StructTreeRoot", "/Threads", "/PageLabels"}) {
    document.getRoot().removeKey(key);
  }
}

void LimitContents(QPDFPageObjectHelper page) {
  size_t left = kMostOfPage;
  for (QPDFObjectHandle& stream : page.getPageContents()) {
    if (!UnpacksWithin(stream, left)) {
      throw std::runtime_error("a page has more than 256 MiB of contents");
    }
  }
}

// Removes all other pages, in one step.
void Keep(const std::vector<SourcePage>& sources, QPDF& document) {
  QPDFObjectHandle tree = document.getRoot().getKey("/Pages");
  QPDFObjectHandle kids = QPDFObjectHandle::newArray();
  for (const SourcePage& source : sources) {
    QPDFObjectHandle page = source.page.getObjectHandle();
    page.replaceKey("/Parent", tree);
    kids.appendItem(page);
  }
  tree.replaceKey("/Kids", kids);
  tree.replaceKey("/Count", QPDFObjectHandle::newInteger(
                                static_cast<long long>(sources.size())));
  document.updateAllPagesCache();
}

// Draws annotations as contents, except those without an appearance, which
// libqpdf would remove with the form that may describe them.
void Flatten(std::vector<SourcePage>& sources, QPDF& document) {
  for (SourcePage& source : sources) LimitContents(source.page);
  QPDFObjectHandle form = document.getRoot().getKey("/AcroForm");
  QPDFPageDocumentHelper(document).flattenAnnotations(an_print);
  for (SourcePage& source : sources) {
    if (source.bare.isNull()) continue;
    source.page.getObjectHandle().replaceKey("/Annots", source.bare);
    if (form.isDictionary()) document.getRoot().replaceKey("/AcroForm", form);
  }
}

void MakeSheets(QPDF& document, const SheetOrder& order) {
  // Otherwise, sheets would inherit what their pages inherit.
  QPDFPageDocumentHelper(document).pushInheritedAttributesToPage();
  std::vector<SourcePage> sources;
  const std::vector<QPDFObjectHandle>& pages = document.getAllPages();
  for (size_t number = order.first_page;
       number <= std::min<size_t>(order.last_page, pages.size()); ++number) {
    sources.push_back(SourceOf(QPDFPageObjectHelper(pages[number - 1]), order));
  }
  if (sources.size() < pages.size()) Keep(sources, document);
  // A form cannot have annotations, so the page draws them.
  if (!std::ranges::all_of(sources, &SourcePage::keeps_contents)) {
    Flatten(sources, document);
  }
  for (SourcePage& source : sources) {
    if (source.keeps_contents) {
      if (!source.bare.isNull()) Clip(document, source);
      SetBoxes(source, order.paper);
    } else {
      DrawOnSheet(document, source, order.paper);
    }
  }
  DropNavigation(document);
  std::vector<QPDFObjectHandle> sheets;
  for (SourcePage& source : sources) {
    sheets.push_back(source.page.getObjectHandle());
  }
  AvoidRendererBugs(std::move(sheets));
}

}  // namespace

Result<std::unique_ptr<PdfSheets>> PdfSheets::Open(const std::string& path) {
  return Guarded([&]() -> Result<std::unique_ptr<PdfSheets>> {
    std::unique_ptr<PdfSheets> opened(new PdfSheets);
    HALFTONED_TRY(opened->file_.Read(path));
    opened->pages_ =
        static_cast<unsigned>(opened->file_.pages().getAllPages().size());
    if (opened->pages_ == 0) return BadInput("the document has no page");
    return opened;
  });
}

Result<void> PdfSheets::Write(const SheetOrder& order,
                              const std::string& path) {
  std::FILE* const file = std::fopen(path.c_str(), "wbe");
  if (!file) return ErrnoError(ErrorCode::kIo, "cannot make a file");
  // Buffered, because libqpdf writes a few bytes at a time.
  std::setvbuf(file, nullptr, _IOFBF, kFileBuffer);
  const Result<void> written = Guarded([&]() -> Result<void> {
    MakeSheets(file_.pages(), order);
    QPDFWriter writer(file_.pages());
    writer.setOutputFile(path.c_str(), file, false);
    writer.setPreserveEncryption(false);
    writer.setStreamDataMode(qpdf_s_preserve);
    // Ghostscript reads a number before it as one word.
    writer.setNewlineBeforeEndstream(true);
    writer.write();
    return {};
  });
  // libqpdf does not notice that a buffer cannot be written, or takes that for
  // damage of the document.
  const bool has_failed = std::fflush(file) != 0 || std::ferror(file) != 0;
  if (std::fclose(file) != 0 || has_failed) {
    return IoError(
        "the document's sheets cannot be written; is the disk full?");
  }
  return written;
}

}  // namespace halftoned
