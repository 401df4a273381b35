// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/kept/printers_text.h"

#include <cups/pwg.h>

#include <span>
#include <utility>

#include "printer_app/front/rules/message.h"
#include "printer_app/kept/state_file.h"

namespace halftoned {
namespace {

// Names of the bits of PAPPL's values.
constexpr const char* kColorModes[] = {"auto",       "auto-monochrome",
                                       "bi-level",   "color",
                                       "monochrome", "process-monochrome"};
constexpr const char* kContents[] = {"auto", "graphic", "photo", "text",
                                     "text-and-graphic"};
constexpr const char* kScalings[] = {"auto", "auto-fit", "fill", "fit", "none"};
constexpr const char* kSides[] = {"one-sided", "two-sided-long-edge",
                                  "two-sided-short-edge"};
constexpr const char* kTrackings[] = {"continuous", "gap", "mark", "web"};

// Empty if no bit with a name is set.
std::string NameOf(unsigned value, std::span<const char* const> names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if ((value & (1U << i)) != 0) return names[i];
  }
  return "";
}

class Lines {
 public:
  // Nothing if the value is empty.
  void Add(const char* name, const std::string& value) {
    if (value.empty()) return;
    text_ += std::string(name) + ' ';
    for (const char c : value) text_ += c == '\n' || c == '\r' ? ' ' : c;
    text_ += '\n';
  }
  void Add(const char* name, int value) { Add(name, std::to_string(value)); }
  void AddIfSet(const char* name, int value) {
    if (value != 0) Add(name, value);
  }
  void AddEnum(const char* name, const char* of, int value) {
    if (value != 0) Add(name, ippEnumString(of, value));
  }
  void AddOptions(const char* word, const StateLine& options) {
    text_ += word + options.Text() + '\n';
  }
  void AddWord(const std::string& word) { text_ += word + '\n'; }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

template <typename Object>
std::string SettingOf(char* (*get)(Object*, char*, size_t), Object* object) {
  char text[1024] = "";
  get(object, text, sizeof(text));
  return text;
}

const char* OrNothing(const char* text) { return text ? text : ""; }

void SetIfAny(const char* name, const char* value, StateLine& line) {
  if (*value) line.Set(name, value);
}

void SetIfAny(const char* name, int value, StateLine& line) {
  if (value) line.Set(name, value);
}

template <typename Object>
void AddContact(pappl_contact_t* (*get)(Object*, pappl_contact_t*),
                Object* object, Lines& lines) {
  pappl_contact_t contact = {};
  get(object, &contact);
  StateLine line;
  SetIfAny("name", contact.name, line);
  SetIfAny("email", contact.email, line);
  SetIfAny("telephone", contact.telephone, line);
  lines.AddOptions("Contact", line);
}

void AddMedia(const std::string& name, const pappl_media_col_t& media,
              Lines& lines) {
  StateLine line;
  SetIfAny("bottom", media.bottom_margin, line);
  SetIfAny("left", media.left_margin, line);
  SetIfAny("left-offset", media.left_offset, line);
  SetIfAny("right", media.right_margin, line);
  SetIfAny("name", media.size_name, line);
  SetIfAny("width", media.size_width, line);
  SetIfAny("length", media.size_length, line);
  SetIfAny("source", media.source, line);
  SetIfAny("top", media.top_margin, line);
  SetIfAny("top-offset", media.top_offset, line);
  SetIfAny("tracking", NameOf(media.tracking, kTrackings).c_str(), line);
  SetIfAny("type", media.type, line);
  lines.AddOptions(name.c_str(), line);
}

void AddAllMedia(const pappl_pr_driver_data_t& data, Lines& lines) {
  AddMedia("media-col-default", data.media_default, lines);
  for (int i = 0; i < data.num_source; ++i) {
    const pappl_media_col_t& ready = data.media_ready[i];
    if (!ready.size_name[0]) continue;
    AddMedia("media-col-ready" + std::to_string(i), ready, lines);
  }
}

// The values that our drivers have, and that web pages and requests can change.
void AddDefaults(const pappl_pr_driver_data_t& data, Lines& lines) {
  AddAllMedia(data, lines);
  lines.AddEnum("orientation-requested-default", "orientation-requested",
                data.orient_default);
  if (data.bin_default > 0 && data.bin_default < data.num_bin) {
    lines.Add("output-bin-default", data.bin[data.bin_default]);
  }
  lines.Add("print-color-mode-default",
            NameOf(data.color_default, kColorModes));
  lines.Add("print-content-optimize-default",
            NameOf(data.content_default, kContents));
  lines.AddIfSet("print-darkness-default", data.darkness_default);
  lines.AddEnum("print-quality-default", "print-quality", data.quality_default);
  lines.Add("print-scaling-default", NameOf(data.scaling_default, kScalings));
  // PAPPL reads this value, but never writes it.
  lines.AddIfSet("print-speed-default", data.speed_default);
  lines.AddIfSet("printer-darkness-configured", data.darkness_configured);
  lines.Add("sides-default", NameOf(data.sides_default, kSides));
  if (data.x_default > 0) {
    lines.Add("printer-resolution-default",
              std::to_string(data.x_default) + 'x' +
                  std::to_string(data.y_default) + "dpi");
  }
}

void AddOptionDefaults(pappl_printer_t* printer,
                       const pappl_pr_driver_data_t& data, Lines& lines) {
  const Ipp attributes(papplPrinterGetDriverAttributes(printer));
  for (int i = 0; i < data.num_vendor; ++i) {
    const std::string name = std::string(data.vendor[i]) + "-default";
    char value[1024] = "";
    ippAttributeString(
        ippFindAttribute(attributes.get(), name.c_str(), IPP_TAG_ZERO), value,
        sizeof(value));
    lines.Add(name.c_str(), value);
  }
}

void AddPlace(pappl_printer_t* printer, Lines& lines) {
  lines.Add("DNSSDName", SettingOf(papplPrinterGetDNSSDName, printer));
  lines.Add("Location", SettingOf(papplPrinterGetLocation, printer));
  lines.Add("Geolocation", SettingOf(papplPrinterGetGeoLocation, printer));
  lines.Add("Organization", SettingOf(papplPrinterGetOrganization, printer));
  lines.Add("OrganizationalUnit",
            SettingOf(papplPrinterGetOrganizationalUnit, printer));
  AddContact(papplPrinterGetContact, printer, lines);
}

void AddPrinterLines(pappl_printer_t* printer, Lines& lines) {
  StateLine name;
  name.Set("id", papplPrinterGetID(printer));
  name.Set("name", OrNothing(papplPrinterGetName(printer)));
  name.Set("did", OrNothing(papplPrinterGetDeviceID(printer)));
  name.Set("uri", OrNothing(papplPrinterGetDeviceURI(printer)));
  name.Set("driver", OrNothing(papplPrinterGetDriverName(printer)));
  lines.AddWord(PrinterLine(name));
  AddPlace(printer, lines);
  if (papplPrinterIsHoldingNewJobs(printer)) lines.AddWord("HoldNewJobs");
  lines.Add("PrintGroup", SettingOf(papplPrinterGetPrintGroup, printer));
  lines.Add("MaxActiveJobs", papplPrinterGetMaxActiveJobs(printer));
  lines.Add("MaxCompletedJobs", papplPrinterGetMaxCompletedJobs(printer));
  lines.Add("NextJobId", papplPrinterGetNextJobID(printer));
  lines.Add("ImpressionsCompleted",
            papplPrinterGetImpressionsCompleted(printer));
  pappl_pr_driver_data_t data;
  if (papplPrinterGetDriverData(printer, &data)) {
    AddDefaults(data, lines);
    AddOptionDefaults(printer, data, lines);
  }
  lines.AddWord("</Printer>");
}

void AddSystem(pappl_system_t* system, Lines& lines) {
  lines.Add("DNSSDName", SettingOf(papplSystemGetDNSSDName, system));
  lines.Add("Location", SettingOf(papplSystemGetLocation, system));
  lines.Add("Geolocation", SettingOf(papplSystemGetGeoLocation, system));
  lines.Add("Organization", SettingOf(papplSystemGetOrganization, system));
  lines.Add("OrganizationalUnit",
            SettingOf(papplSystemGetOrganizationalUnit, system));
  AddContact(papplSystemGetContact, system, lines);
  lines.Add("AdminGroup", SettingOf(papplSystemGetAdminGroup, system));
  lines.Add("DefaultPrintGroup",
            SettingOf(papplSystemGetDefaultPrintGroup, system));
  lines.Add("Password", SettingOf(papplSystemGetPassword, system));
  lines.Add("DefaultPrinterID", papplSystemGetDefaultPrinterID(system));
  int width = 0;
  int height = 0;
  const size_t size = papplSystemGetMaxImageSize(system, &width, &height);
  lines.Add("MaxImageSize", std::to_string(size) + ' ' + std::to_string(width) +
                                ' ' + std::to_string(height));
  lines.Add("NextPrinterID", papplSystemGetNextPrinterID(system));
  lines.Add("UUID", OrNothing(papplSystemGetUUID(system)));
}

}  // namespace

std::string PrintersText(pappl_system_t* system, LivePrinters& printers) {
  Lines lines;
  AddSystem(system, lines);
  printers.ForEach(
      [&](pappl_printer_t* printer) { AddPrinterLines(printer, lines); });
  return lines.Take();
}

}  // namespace halftoned
