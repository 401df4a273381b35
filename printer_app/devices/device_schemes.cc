// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/device_schemes.h"

#include <cups/http.h>
#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <utility>

#include "printer_app/devices/device_program.h"
#include "printer_app/devices/device_stream.h"
#include "printer_app/devices/host_connection.h"
#include "printer_app/devices/kept_streams.h"
#include "printer_app/front/pappl/kept_shares.h"
#include "printer_app/handover/spooled_document.h"
#include "printer_app/jobs/job_log.h"

namespace halftoned {
namespace {

using namespace std::chrono_literals;

constexpr std::chrono::milliseconds kLookAtJob{200};
constexpr std::chrono::seconds kTryAgain{5};
constexpr size_t kMostOfName = 200;  // of a file's
// Numbered files per title; further files get random numbers.
constexpr int kMostOfTitle = 99;

using Opened = Result<std::unique_ptr<DeviceStream>>;

// Data that PAPPL keeps for us per device.
struct OpenDevice {
  std::string uri;
  Opened (*open)(const char* uri, const char* title,
                 const std::function<bool()>& is_canceled);
  std::unique_ptr<DeviceStream> stream;  // null: between jobs
};

OpenDevice& DataOf(pappl_device_t* device) {
  return *static_cast<OpenDevice*>(papplDeviceGetData(device));
}

// PAPPL closes a device only once its printer has no jobs at all, not even held
// ones. Threads of jobs use it until the process ends.
KeptStreams& Kept() {
  static KeptStreams& kept = *new KeptStreams;
  return kept;
}

struct DeviceUri {
  char host[256] = "";
  char path[1024] = "";  // without the options
  int port = 0;
  std::string options;
};

Result<DeviceUri> ParseUri(const char* text) {
  DeviceUri uri;
  char scheme[32];
  char user[256];
  if (httpSeparateURI(HTTP_URI_CODING_ALL, text, scheme, sizeof(scheme), user,
                      sizeof(user), uri.host, sizeof(uri.host), &uri.port,
                      uri.path, sizeof(uri.path)) < HTTP_URI_STATUS_OK) {
    return BadInput(std::string(text) + " is not a URI");
  }
  std::string_view path = uri.path;
  const size_t end = path.find('?');
  if (end != path.npos) {
    uri.options = path.substr(end + 1);
    uri.path[end] = '\0';
  }
  return uri;
}

Opened OpenSocket(const char* text, const char* /*title*/,
                  const std::function<bool()>& is_canceled) {
  HALFTONED_TRY_ASSIGN(const DeviceUri uri, ParseUri(text));
  HALFTONED_TRY_ASSIGN(Descriptor socket,
                       ConnectToHost(uri.host, uri.port, is_canceled));
  return std::make_unique<DeviceStream>(std::move(socket));
}

// suffix: distinguishes files of the same title.
std::string FileIn(const DeviceUri& uri, std::string name,
                   const std::string& suffix) {
  name.resize(std::min(name.size(), kMostOfName));
  std::ranges::replace_if(
      name, [](unsigned char c) { return c <= ' ' || c >= 0x7f || c == '/'; },
      '_');
  constexpr std::string_view kEnding = "ext=";
  const bool has_ending = uri.options.starts_with(kEnding) &&
                          uri.options.find('/') == std::string::npos;
  return std::string(uri.path) + '/' + name + suffix + '.' +
         (has_ending ? uri.options.substr(kEnding.size()) : "prn");
}

// In a directory, each job gets its own file, even if titles repeat.
Result<Descriptor> OpenNewFile(const DeviceUri& uri, const char* title) {
  const std::string name = title ? title : "job";
  std::string suffix;
  for (int number = 2; true; ++number) {
    const std::string path = FileIn(uri, name, suffix);
    Result<Descriptor> file =
        Descriptor::Open(path, O_WRONLY | O_CREAT | O_EXCL);
    struct stat other;
    if (file.ok() || lstat(path.c_str(), &other) != 0 ||
        number > kMostOfTitle + 1) {
      return file;
    }
    suffix = '-' + (number <= kMostOfTitle ? std::to_string(number)
                                           : NewDocumentNumber());
  }
}

Opened OpenFile(const char* text, const char* title,
                const std::function<bool()>& /*is_canceled*/) {
  HALFTONED_TRY_ASSIGN(const DeviceUri uri, ParseUri(text));
  struct stat status;
  const bool is_there = stat(uri.path, &status) == 0;
  if (is_there && S_ISDIR(status.st_mode)) {
    HALFTONED_TRY_ASSIGN(Descriptor file, OpenNewFile(uri, title));
    return std::make_unique<DeviceStream>(std::move(file));
  }
  if (is_there && !S_ISREG(status.st_mode) && !S_ISCHR(status.st_mode)) {
    return BadInput(std::string(uri.path) + " is neither a file nor a printer");
  }
  HALFTONED_TRY_ASSIGN(
      Descriptor file,
      Descriptor::Open(uri.path, is_there && S_ISCHR(status.st_mode)
                                     ? O_WRONLY | O_EXCL
                                     : O_WRONLY | O_APPEND | O_CREAT));
  return std::make_unique<DeviceStream>(std::move(file));
}

Opened OpenFound(const char* text, const char* /*title*/,
                 const std::function<bool()>& is_canceled) {
  HALFTONED_TRY_ASSIGN(Descriptor socket, ConnectByProgram(text, is_canceled));
  return std::make_unique<DeviceStream>(std::move(socket));
}

Opened OpenUsb(const char* text, const char* /*title*/,
               const std::function<bool()>& is_canceled) {
  return OpenByProgram(text, is_canceled);
}

// Each job opens its stream later (BeginOnDevice). If Open failed, PAPPL would
// retry while it locks the printer, and other printers would wait.
template <auto kOpen>
bool Open(pappl_device_t* device, const char* uri, const char* /*title*/) {
  try {
    papplDeviceSetData(device, new OpenDevice{uri, kOpen, nullptr});
    return true;
  } catch (const std::exception& error) {
    papplDeviceError(device, "%s", error.what());
    return false;
  }
}

void Close(pappl_device_t* device) {
  delete &DataOf(device);
  papplDeviceSetData(device, nullptr);
}

ssize_t Read(pappl_device_t* /*device*/, void* /*bytes*/, size_t /*size*/) {
  return -1;
}

// Only for data from PAPPL itself, which sends none.
ssize_t Write(pappl_device_t* device, const void* bytes, size_t size) {
  DeviceStream* stream = DataOf(device).stream.get();
  return stream && stream->Send({static_cast<const char*>(bytes), size},
                                [] { return false; })
             ? static_cast<ssize_t>(size)
             : -1;
}

char* Id(pappl_device_t* device, char* buffer, size_t size) {
  OpenDevice& data = DataOf(device);
  // Many printers accept only one connection at a time.
  data.stream.reset();
  const std::string id = IdByProgram(data.uri);
  if (id.empty()) return nullptr;
  papplCopyString(buffer, id.c_str(), size);
  return buffer;
}

// Null: the job is canceled. closed: connections of the job that the printer
// closed at once; the log has a line about the first.
std::unique_ptr<DeviceStream> Await(pappl_job_t* job, const OpenDevice& device,
                                    int closed) {
  pappl_printer_t* printer = papplJobGetPrinter(job);
  const auto is_canceled = [job] { return papplJobIsCanceled(job); };
  bool is_offline = false;
  const auto wait = [&](const std::string& why) {
    if (!std::exchange(is_offline, true)) {
      if (closed <= 1) LogJob(job, FrontLog::kError, why);
      papplPrinterSetReasons(printer, PAPPL_PREASON_OFFLINE,
                             PAPPL_PREASON_NONE);
    }
    for (auto waited = 0ms; waited < kTryAgain && !is_canceled();
         waited += kLookAtJob) {
      std::this_thread::sleep_for(kLookAtJob);
    }
  };
  if (closed > 0) {
    wait(
        "The printer closed the connection at once; it may be printing for "
        "another computer.");
  }
  std::unique_ptr<DeviceStream> stream;
  while (!stream && !is_canceled()) {
    Opened opened =
        device.open(device.uri.c_str(), papplJobGetName(job), is_canceled);
    if (opened.ok()) {
      stream = std::move(*opened);
    } else if (!is_canceled()) {
      wait(opened.error().message);
    }
  }
  if (is_offline) {
    papplPrinterSetReasons(printer, PAPPL_PREASON_NONE, PAPPL_PREASON_OFFLINE);
  }
  return stream;
}

template <pappl_devtype_e kType>
bool List(pappl_device_cb_t take, void* data, pappl_deverror_cb_t /*error*/,
          void* /*error_data*/) {
  return ListByProgram(kType, [&](const FoundDevice& found) {
    return take(found.info.c_str(), found.uri.c_str(), found.id.c_str(), data);
  });
}

}  // namespace

void BeginOnDevice(pappl_job_t* job, pappl_device_t* device) {
  OpenDevice& data = DataOf(device);
  pappl_printer_t* printer = papplJobGetPrinter(job);
  const auto is_canceled = [job] { return papplJobIsCanceled(job); };
  if (std::unique_ptr<DeviceStream> kept = Kept().Take(printer)) {
    kept->SendRest(is_canceled);
    if (is_canceled() && kept->has_rest()) {
      Kept().Keep(printer, std::move(kept));
    }
  }
  if (!data.stream) {
    data.stream = Await(job, data, 0);
    if (data.stream) {
      data.stream->ReopenBy([job, &data, closed = 0]() mutable {
        return Await(job, data, ++closed);
      });
    }
  }
  const char* file = papplJobGetFilename(job);
  const auto user = UserOf(file ? file : "");
  if (data.stream && user) data.stream->BeginJobOf(*user);
}

bool DrainDevice(pappl_job_t* job, pappl_device_t* device,
                 std::string_view last,
                 const std::function<void(bool is_sent)>& tell) {
  DeviceStream* stream = DataOf(device).stream.get();
  if (!stream) return true;
  return stream->Drain([job] { return papplJobIsCanceled(job); }, tell, last);
}

void EndOnDevice(pappl_job_t* job, pappl_device_t* device,
                 bool completes_pages) {
  std::unique_ptr<DeviceStream> stream = std::move(DataOf(device).stream);
  if (completes_pages && stream && stream->has_rest()) {
    stream->ReopenBy(nullptr);
    Kept().Keep(papplJobGetPrinter(job), std::move(stream));
  }
}

void EndKeptConnection(pappl_printer_t* printer) {
  Kept().EndConnection(printer);
}

void EndKeptStream(pappl_printer_t* printer) { Kept().End(printer); }

bool SendToDevice(pappl_job_t* job, pappl_device_t* device,
                  std::string_view bytes) {
  DeviceStream* stream = DataOf(device).stream.get();
  if (!stream) return papplJobIsCanceled(job);
  return stream->Send(bytes, [job] { return papplJobIsCanceled(job); });
}

void AddDeviceSchemes() {
  const auto add = [](const char* scheme, pappl_devtype_t type,
                      pappl_devlist_cb_t list, pappl_devopen_cb_t open,
                      pappl_devid_cb_t id) {
    papplDeviceAddScheme(scheme, type, list, open, Close, Read, Write, nullptr,
                         id);
  };
  add("socket", PAPPL_DEVTYPE_SOCKET, nullptr, Open<OpenSocket>, Id);
  add("file", PAPPL_DEVTYPE_FILE, nullptr, Open<OpenFile>, nullptr);
  add("usb", PAPPL_DEVTYPE_USB, List<PAPPL_DEVTYPE_USB>, Open<OpenUsb>, Id);
  add("snmp", PAPPL_DEVTYPE_SNMP, List<PAPPL_DEVTYPE_SNMP>, Open<OpenFound>,
      Id);
  add("dnssd", PAPPL_DEVTYPE_DNS_SD, List<PAPPL_DEVTYPE_DNS_SD>,
      Open<OpenFound>, Id);
}

}  // namespace halftoned
