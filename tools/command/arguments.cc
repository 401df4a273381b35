// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "command/arguments.h"

#include <cstdio>

#include "command/command_line.h"
#include "command/tool_app.h"

namespace halftoned {
namespace {

// More about an unknown option that is a setting of queues.
std::string HintOn(const std::string& message) {
  for (const PrintSetting& setting : kPrintSettings) {
    if (setting.MayBeSetBy(kCommandLine)) continue;
    if (message.starts_with("unknown option '--" + std::string(setting.name) +
                            "'")) {
      return ", a setting of queues; for a file set --dot-gain";
    }
  }
  return "";
}

}  // namespace

Command ParseArguments(int argc, char** argv) {
  ToolApp tool;
  CLI::App& app = tool.app;
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) return Ended{app.exit(error)};
    const std::string message = MessageOf(error, app);
    std::fprintf(stderr, "halftone: %s%s\n", message.c_str(),
                 HintOn(message).c_str());
    return Ended{kUsageStatus};
  }
  if (tool.engines_app->parsed()) return ListEngines{};
  if (tool.status_app->parsed()) return tool.status;
  if (tool.convert_app->parsed()) return tool.convert;
  if (tool.check_app->parsed() && tool.check.queue.empty()) return tool.check;
  if (tool.calibrate_app->parsed() && !tool.calibrate.prints()) {
    return tool.calibrate;
  }
  if (tool.preview_app->parsed()) return tool.preview;
  if (!app.get_subcommands().empty()) return PrinterCommand{argv};
  std::fputs(
      "halftone: missing command, such as adopt or convert; see --help\n",
      stderr);
  return Ended{kUsageStatus};
}

}  // namespace halftoned
