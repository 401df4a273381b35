// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "printer_app/devices/device_program.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/text.h"
#include "base/unix_socket.h"
#include "print/process/child.h"
#include "print/process/pipe.h"
#include "printer_app/devices/handed_connection.h"
#include "printer_app/devices/host_connection.h"
#include "printer_app/devices/own_server.h"
#include "printer_app/devices/shared_search.h"
#include "printer_app/front/rules/request_values.h"
#include "printer_app/matching/device_id_text.h"
#include "printer_app/server/service_user.h"

namespace halftoned {
namespace {

constexpr std::string_view kList = "device-list";
constexpr std::string_view kId = "device-id";
constexpr std::string_view kConnect = "device-connect";
constexpr std::string_view kWrite = "device-write";

// PAPPL waits up to 32 s for replies of SNMP printers, and lists them then.
constexpr std::chrono::seconds kMostOfList{40};
constexpr std::chrono::seconds kMostOfOpening{60};
constexpr std::chrono::seconds kMostOfLook{1};
// PAPPL connects in 30 s and gets an answer in 10 s, unless the printer sends
// useless packets. Clients wait 60 s, and then get no reason for the failure.
constexpr std::chrono::seconds kMostOfId{45};
constexpr size_t kMostOfLine = 8192;
constexpr size_t kMostOfInfo = 255;
constexpr size_t kMostDevices = 1000;

// The output of a program of ours, line by line.
class ProgramLines {
 public:
  ProgramLines(int file, std::chrono::steady_clock::time_point end)
      : file_(file), end_(end) {}

  // Nothing at the end, or once it takes too long.
  std::optional<std::string> Next();

 private:
  const int file_;
  const std::chrono::steady_clock::time_point end_;
  std::string text_;
};

std::optional<std::string> ProgramLines::Next() {
  while (true) {
    const size_t end = text_.find('\n');
    if (end != text_.npos) {
      std::string line = text_.substr(0, end);
      text_.erase(0, end + 1);
      return line;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        end_ - std::chrono::steady_clock::now());
    pollfd wait = {file_, POLLIN, 0};
    char bytes[4096];
    if (text_.size() > kMostOfLine || left.count() <= 0 ||
        poll(&wait, 1, static_cast<int>(left.count())) <= 0) {
      return std::nullopt;
    }
    const ssize_t size = read(file_, bytes, sizeof(bytes));
    if (size <= 0) return std::nullopt;
    text_.append(bytes, static_cast<size_t>(size));
  }
}

Result<Child> StartProgram(std::string_view what, const std::string& about,
                           int input, int output) {
  HALFTONED_TRY_ASSIGN(const Descriptor nowhere,
                       Descriptor::Open("/dev/null", O_WRONLY));
  std::vector<std::string> environment =
      EnvironmentWithout({"DBUS_SYSTEM_BUS_ADDRESS", kSystemBus});
  if (const char* address = std::getenv(kSystemBus)) {
    environment.push_back(std::string("DBUS_SYSTEM_BUS_ADDRESS=") + address);
  }
  return Child::Start({.name = "the device",
                       .words = {"/proc/self/exe", std::string(what), about},
                       .environment = std::move(environment),
                       .input = input,
                       .output = output,
                       .messages = nowhere.get(),
                       .confinement = Confinement{},
                       .ends_with_thread = false});
}

// Calls `take` with each line until it returns true, which is the result.
bool ReadLines(std::string_view what, const std::string& about,
               std::chrono::seconds most,
               const std::function<bool(std::string_view)>& take) {
  auto pipe = Pipe::Make();
  const auto nothing = Descriptor::Open("/dev/null", O_RDONLY);
  if (!pipe.ok() || !nothing.ok()) return false;
  const auto end = std::chrono::steady_clock::now() + most;
  const auto program =
      StartProgram(what, about, nothing->get(), pipe->writing.get());
  if (!program.ok()) return false;
  pipe->writing.Close();
  ProgramLines lines(pipe->reading.get(), end);
  for (size_t count = 0; count < kMostDevices; ++count) {
    const auto line = lines.Next();
    if (!line) return false;
    if (take(*line)) return true;
  }
  return false;
}

// False if nothing comes, or the job is canceled.
bool IsReadable(int file, const std::function<bool()>& is_canceled) {
  constexpr std::chrono::milliseconds kBetweenLooks{200};
  pollfd wait = {file, POLLIN, 0};
  const auto end = std::chrono::steady_clock::now() + kMostOfOpening;
  while (std::chrono::steady_clock::now() < end && !is_canceled()) {
    if (poll(&wait, 1, static_cast<int>(kBetweenLooks.count())) > 0) {
      return true;
    }
  }
  return false;
}

Error CannotReach(const std::string& uri) {
  return IoError("the printer " + uri + " cannot be reached");
}

FoundDevice ParseLine(std::string_view line) {
  std::string fields[3];
  for (std::string& field : fields) {
    const size_t end = std::min(line.find('\t'), line.size());
    field = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
  }
  return {fields[0], fields[1], fields[2]};
}

Result<std::unique_ptr<DeviceStream>> TryToOpen(
    const std::string& uri, const std::function<bool()>& is_canceled) {
  // PAPPL looks for a USB printer in each in turn, and none can be looked at
  // twice at a time. One that hangs does not delay others for long.
  static std::timed_mutex looking;
  const std::unique_lock lock(looking, kMostOfLook);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0) {
    return ErrnoError(ErrorCode::kIo, uri);
  }
  Descriptor ours(ends[0]);
  Descriptor theirs(ends[1]);
  HALFTONED_TRY_ASSIGN(auto answers, Pipe::Make());
  HALFTONED_TRY_ASSIGN(auto program, StartProgram(kWrite, uri, theirs.get(),
                                                  answers.writing.get()));
  theirs.Close();
  answers.writing.Close();
  uint64_t none = 0;
  if (!IsReadable(answers.reading.get(), is_canceled) ||
      read(answers.reading.get(), &none, sizeof(none)) != sizeof(none)) {
    return CannotReach(uri);
  }
  return std::make_unique<DeviceStream>(
      std::move(ours), std::move(answers.reading), std::move(program));
}

// In the program.

// A server that is killed closes its end of our stdout. A transfer that waits
// for the printer would hold it meanwhile, and reach it before the next job.
void EndWithServer() {
  // Runs until the process exits.
  std::thread([] {
    pollfd server = {STDOUT_FILENO, 0, 0};  // POLLERR is always reported
    while (poll(&server, 1, -1) < 0 && errno == EINTR) {
    }
    _exit(EXIT_FAILURE);
  }).detach();
}

// These texts come from printers, or from any machine that answers for them.
std::string OneField(const char* text, size_t most = std::string::npos) {
  std::string field = text ? text : "";
  std::ranges::replace_if(
      field, [](unsigned char c) { return c < ' ' || c == 0x7f; }, ' ');
  return Printable(field, most);
}

// Omits a device if its URI would have to be changed, because PAPPL could not
// open the device.
bool PrintDevice(const char* info, const char* uri, const char* id,
                 void* /*data*/) {
  if (OneField(uri) != uri || IsTooLongUri(uri)) return false;
  std::printf("%s\t%s\t%s\n", OneField(info, kMostOfInfo).c_str(), uri,
              CleanDeviceId(OneField(id)).c_str());
  std::fflush(stdout);
  return false;
}

int PrintId(const char* uri) {
  pappl_device_t* device = papplDeviceOpen(uri, "id", nullptr, nullptr);
  char id[1024] = "";
  if (!device || !papplDeviceGetID(device, id, sizeof(id))) return 1;
  PrintDevice("", uri, id, nullptr);
  return 0;
}

int Connect(const char* uri) {
  const bool is_open = papplDeviceOpen(uri, "print", nullptr, nullptr);
  return is_open && HandOverConnection(STDIN_FILENO) ? 0 : 1;
}

bool Acknowledge(uint64_t done) {
  return write(STDOUT_FILENO, &done, sizeof(done)) == sizeof(done);
}

// papplDeviceFlush reports no failure, and papplDeviceWrite can send a part and
// report success.
bool WriteAll(pappl_device_t* device, const char* bytes, size_t size) {
  pappl_devmetrics_t before;
  pappl_devmetrics_t after;
  papplDeviceGetMetrics(device, &before);
  papplDeviceWrite(device, bytes, size);
  papplDeviceFlush(device);
  papplDeviceGetMetrics(device, &after);
  return after.write_bytes - before.write_bytes == size;
}

int CopyTo(const char* uri) {
  pappl_device_t* device = papplDeviceOpen(uri, "print", nullptr, nullptr);
  uint64_t done = 0;
  if (!device || !Acknowledge(done)) return 1;
  static char bytes[1 << 16];
  ssize_t size = 0;
  while ((size = read(STDIN_FILENO, bytes, sizeof(bytes))) > 0) {
    if (!WriteAll(device, bytes, static_cast<size_t>(size))) return 1;
    done += static_cast<uint64_t>(size);
    if (!Acknowledge(done)) return 1;
  }
  papplDeviceClose(device);
  return 0;
}

}  // namespace

bool ListByProgram(pappl_devtype_t types,
                   const std::function<bool(const FoundDevice&)>& take) {
  using Devices = std::vector<FoundDevice>;
  static std::mutex mutex;
  static auto& searches = *new std::map<int, SharedSearch<Devices>>;
  SharedSearch<Devices>* search = nullptr;
  {
    const std::lock_guard lock(mutex);
    search = &searches[types];
  }
  return std::ranges::any_of(search->Get([types] {
    Devices found;
    ReadLines(kList, std::to_string(types), kMostOfList,
              [&](std::string_view line) {
                found.push_back(ParseLine(line));
                return false;
              });
    return found;
  }),
                             take);
}

std::string IdByProgram(const std::string& uri) {
  std::string id;
  ReadLines(kId, uri, kMostOfId, [&](std::string_view line) {
    id = ParseLine(line).id;
    return true;
  });
  return id;
}

Result<Descriptor> ConnectByProgram(const std::string& uri,
                                    const std::function<bool()>& is_canceled) {
  HALFTONED_TRY_ASSIGN(auto ends, MakeSocketPair(SOCK_STREAM));
  auto& [ours, theirs] = ends;
  HALFTONED_TRY_ASSIGN(const Child program,
                       StartProgram(kConnect, uri, theirs.get(), theirs.get()));
  theirs.Close();
  Descriptor connection;
  if (IsReadable(ours.get(), is_canceled)) {
    connection = TakeConnection(ours.get());
  }
  if (!connection.open()) return CannotReach(uri);
  if (IsToThisMachine(connection.get())) {
    return IoError(uri + " leads to this machine, not to a printer");
  }
  SetPrinterOptions(connection.get());
  return connection;
}

// Another program that looks for printers, such as CUPS's backend, holds each
// for a moment.
Result<std::unique_ptr<DeviceStream>> OpenByProgram(
    const std::string& uri, const std::function<bool()>& is_canceled) {
  constexpr std::chrono::milliseconds kMoment{500};
  constexpr std::chrono::milliseconds kBetween{50};
  auto opened = TryToOpen(uri, is_canceled);
  // Not counting how long it waited for its turn.
  const auto end = std::chrono::steady_clock::now() + kMoment;
  while (!opened.ok() && !is_canceled() &&
         std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(kBetween);
    opened = TryToOpen(uri, is_canceled);
  }
  return opened;
}

std::optional<int> RunDeviceProgram(int argc, char* argv[]) {
  const std::string_view what = argc == 3 ? argv[1] : "";
  if (what != kList && what != kId && what != kConnect && what != kWrite) {
    return std::nullopt;
  }
  signal(SIGPIPE, SIG_IGN);
  // Root's `devices`: answers of the network are not parsed as root.
  if (!LeaveRoot().ok()) return 1;
  EndWithServer();
  if (what == kId) return PrintId(argv[2]);
  if (what == kConnect) return Connect(argv[2]);
  if (what == kWrite) return CopyTo(argv[2]);
  papplDeviceList(static_cast<pappl_devtype_t>(std::atoi(argv[2])), PrintDevice,
                  nullptr, nullptr, nullptr);
  return 0;
}

}  // namespace halftoned
