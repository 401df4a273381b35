// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/config.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <filesystem>

#include "base/text.h"
#include "base/text_file.h"
#include "config/known_keys.h"
#include "config/toml_text.h"
#include "config/toml_values.h"
#include "halftone/run/pool.h"

namespace halftoned {
namespace {

class Parser {
 public:
  explicit Parser(const std::string& path) : path_(path), values_(path) {}

  // Parses the whole file. Call it once.
  void Parse(std::string_view text);

  const Config& config() const { return config_; }
  const std::vector<Error>& problems() const { return problems_; }

 private:
  // Sets the key's setting in `look`; false if the table has no such key.
  Result<bool> TakeLook(const toml::key& key, const toml::node& value,
                        LookConfig& look);
  Result<bool> TakeFilter(const toml::key& key, const toml::node& value);
  Result<bool> TakeUse(const toml::key& key, const toml::node& value);
  // The same for the integers of `table`, such as kDaemonIntegers.
  template <typename Known, size_t count, typename Values>
  Result<bool> TakeInteger(const Known (&table)[count], const toml::key& key,
                           const toml::node& value, Values& values);
  Result<bool> TakeDaemon(const toml::key& key, const toml::node& value);
  Result<bool> TakeQueue(const toml::key& name, const toml::node& value);
  Result<bool> TakeTopLevel(const toml::key& name, const toml::node& value);

  // The error for a key or table that no Take above takes in `table`.
  Error Unknown(const std::string& table, const toml::key& key,
                const toml::node& value) const;
  // The tables that have such a key, such as "[filter] or [daemon]", or "".
  std::string TablesWith(const toml::key& key, const toml::node& value) const;

  // Takes each key of the table `name` with `take`, line by line, and notes its
  // problems.
  template <typename Take>
  void TakeEach(const std::string& name, const toml::table& table,
                const Take& take);
  template <typename Take>
  Result<bool> TakeTable(const std::string& name, const toml::key& key,
                         const toml::node& value, const Take& take);

  const std::string& path_;
  const TomlValues values_;
  Config config_;
  std::vector<Error> problems_;
};

Result<bool> Parser::TakeLook(const toml::key& key, const toml::node& value,
                              LookConfig& look) {
  const PrintSetting* setting = FindSetting(key.str());
  if (!setting || !setting->MayBeSetBy(kConfiguration)) return false;
  bool is_set = false;
  const std::string where = values_.Where(value.source());
  if (setting->is_file()) {
    HALFTONED_TRY_ASSIGN(const auto file, values_.TextOf(key, value));
    const auto folder = std::filesystem::path(path_).parent_path();
    is_set = look.Set(*setting, (folder / file.value).string(), where);
  } else if (setting->is_number()) {
    const auto number = value.value<double>();
    is_set = number && look.Set(*setting, *number, where);
  } else if (setting->is_choice_of_numbers()) {
    const auto number = value.value_exact<int64_t>();
    is_set = number && look.Set(*setting, double(*number), where);
  } else {
    const auto name = StringIn(value).value_or("");
    if (setting->has_auto() && name == "auto") return true;
    is_set = look.Set(*setting, name, where);
  }
  if (!is_set) {
    const bool is_numeric =
        setting->is_number() || setting->is_choice_of_numbers();
    const std::string hint =
        is_numeric && value.is_string()
            ? ", without quotes"
            : setting->HintOn(StringIn(value).value_or(""));
    return values_.MustBe(key, value, setting->Values("\"") + hint);
  }
  return true;
}

Result<bool> Parser::TakeFilter(const toml::key& key, const toml::node& value) {
  if (key == "engine") {
    HALFTONED_TRY_ASSIGN(config_.engine, values_.TextOf(key, value));
  } else if (key == "threads") {
    HALFTONED_TRY_ASSIGN(config_.threads,
                         values_.IntegerOf(key, value, 0, Pool::kMaxThreads));
  } else if (key == "machine-threads") {
    HALFTONED_TRY_ASSIGN(const auto threads,
                         values_.IntegerOf(key, value, 0, Pool::kMaxThreads));
    config_.machine_threads = threads.value;
  } else if (key == "max-page-length") {
    HALFTONED_TRY_ASSIGN(
        const auto metres,
        values_.NumberOf(key, value, 0.01, 1000, "a number from 0.01 to 1000"));
    config_.max_page_length = metres.value;
  } else if (key == "parallel-memory") {
    HALFTONED_TRY_ASSIGN(const auto memory,
                         values_.IntegerOf(key, value, 0, 65536));
    config_.parallel_memory = memory.value;
  } else if (key == kParallelPages) {
    HALFTONED_TRY_ASSIGN(config_.parallel_pages,
                         values_.ParallelPagesOf(key, value));
  } else if (key == "renderer") {
    // Earlier versions had a filter of CUPS render pages; files may name it.
  } else {
    HALFTONED_TRY_ASSIGN(
        const bool is_limit,
        TakeInteger(kRenderIntegers, key, value, config_.render));
    if (is_limit) return true;
    HALFTONED_TRY_ASSIGN(const bool taken, TakeUse(key, value));
    return taken ? taken : TakeLook(key, value, config_.look);
  }
  return true;
}

Result<bool> Parser::TakeUse(const toml::key& key, const toml::node& value) {
  UseOfDaemon& use = config_.use_of_daemon;
  if (key == "use-daemon") {
    HALFTONED_TRY_ASSIGN(use.use, values_.BoolOf(key, value));
  } else if (key == "use-ring") {
    HALFTONED_TRY_ASSIGN(use.ring, values_.BoolOf(key, value));
  } else if (key == "daemon-timeout") {
    HALFTONED_TRY_ASSIGN(
        const auto seconds,
        values_.NumberOf(key, value, 0.05, 3600, "a number from 0.05 to 3600"));
    use.timeout = seconds.value;
  } else {
    return false;
  }
  return true;
}

Result<bool> Parser::TakeDaemon(const toml::key& key, const toml::node& value) {
  DaemonConfig& daemon = config_.daemon;
  if (key == "socket") {
    HALFTONED_TRY_ASSIGN(daemon.socket, values_.SocketOf(key, value));
  } else if (key == "status-socket") {
    HALFTONED_TRY_ASSIGN(daemon.status_socket, values_.SocketOf(key, value));
  } else if (key == "user" || key == "worker-user") {
    HALFTONED_TRY_ASSIGN(const auto name, values_.TextOf(key, value));
    if (name.value == "root" || name.value == "0") {
      return values_.MustBe(key, value, "a user other than root");
    }
    (key == "user" ? daemon.user : daemon.worker_user) = name;
  } else if (key == "group") {
    HALFTONED_TRY_ASSIGN(daemon.group, values_.TextOf(key, value));
  } else if (key == "log-level") {
    HALFTONED_TRY_ASSIGN(daemon.log_level, values_.LogLevelOf(key, value));
  } else if (key == "gpus") {
    HALFTONED_TRY_ASSIGN(daemon.gpus, values_.GpusOf(key, value));
  } else {
    return TakeInteger(kDaemonIntegers, key, value, daemon);
  }
  return true;
}

template <typename Known, size_t count, typename Values>
Result<bool> Parser::TakeInteger(const Known (&table)[count],
                                 const toml::key& key, const toml::node& value,
                                 Values& values) {
  for (const Known& known : table) {
    if (key != known.name) continue;
    HALFTONED_TRY_ASSIGN(
        const auto number,
        values_.IntegerOf(key, value, known.least, known.most));
    values.*known.member = number.value;
    return true;
  }
  return false;
}

// CUPS' queues have no spaces, but printers of halftone-printer-app may.
bool MayBeInName(char c) {
  return c != '/' && static_cast<unsigned char>(c) >= ' ' && c != 0x7F;
}

Result<bool> Parser::TakeQueue(const toml::key& name, const toml::node& value) {
  if (!value.is_table()) {
    return values_.At(name.source(),
                      "[queue] needs a name, such as [queue.office]");
  }
  if (name.str().empty() || !std::ranges::all_of(name.str(), MayBeInName)) {
    return values_.At(name.source(),
                      Quoted(name) +
                          " is not the name of a queue or printer, "
                          "which has no / and no control character");
  }
  const auto [queue, is_new] = config_.queues.try_emplace(NameOf(name));
  if (!is_new) {
    return values_.At(name.source(), "there is another table for the queue " +
                                         Quoted(name) +
                                         ": names are not case-sensitive");
  }
  LookConfig& look = queue->second;
  return TakeTable("queue." + NameOf(name), name, value,
                   [&](auto& key, auto& node) -> Result<bool> {
                     if (key != kParallelPages)
                       return TakeLook(key, node, look);
                     HALFTONED_TRY_ASSIGN(const int pages,
                                          values_.ParallelPagesOf(key, node));
                     config_.parallel_pages_of_queues[NameOf(name)] = pages;
                     return true;
                   });
}

std::string Parser::TablesWith(const toml::key& key,
                               const toml::node& value) const {
  // A key that is taken with an error is known too.
  const auto knows = [](const Result<bool>& taken) {
    return !taken.ok() || *taken;
  };
  Parser tried(path_);
  LookConfig look;
  std::string tables;
  const auto add = [&](std::string_view table, const Result<bool>& taken) {
    if (!knows(taken)) return;
    tables.append(tables.empty() ? "" : " or ").append(table);
  };
  add("[filter]", tried.TakeFilter(key, value));
  add("[queue.NAME]", key == kParallelPages ? Result<bool>(true)
                                            : tried.TakeLook(key, value, look));
  add("[daemon]", tried.TakeDaemon(key, value));
  return tables;
}

Error Parser::Unknown(const std::string& table, const toml::key& key,
                      const toml::node& value) const {
  const std::string tables = TablesWith(key, value);
  if (!tables.empty()) {
    return values_.At(key.source(), Quoted(key) + " belongs in " + tables);
  }
  const std::string lower = LowerCase(key.str());
  const bool is_table = value.is_table();
  const bool is_known = is_table ? std::ranges::count(kConfigTables, lower) > 0
                                 : !TablesWith(toml::key(lower), value).empty();
  if (lower != key.str() && is_known) {
    return values_.At(key.source(),
                      Quoted(key) + " must be written '" + lower + "'");
  }
  if (!is_table) {
    const std::string_view meant = NearestKey(table, key.str());
    return values_.At(
        key.source(),
        "unknown key " + Quoted(key) +
            (table.empty() ? "" : " in [" + table + "]") +
            (meant.empty() ? ""
                           : "; did you mean '" + std::string(meant) + "'?"));
  }
  return values_.At(key.source(), "unknown table '" +
                                      (table.empty() ? "" : table + ".") +
                                      NameOf(key) +
                                      "'; there are [filter], [queue.NAME] and "
                                      "[daemon]");
}

template <typename Take>
void Parser::TakeEach(const std::string& name, const toml::table& table,
                      const Take& take) {
  std::vector<std::pair<const toml::key*, const toml::node*>> entries;
  for (const auto& [key, value] : table) entries.emplace_back(&key, &value);
  std::ranges::stable_sort(entries, {}, [](const auto& entry) {
    return entry.first->source().begin.line;
  });
  for (const auto& [key, value] : entries) {
    const Result<bool> taken = take(*key, *value);
    if (!taken.ok()) {
      problems_.push_back(taken.error());
    } else if (!*taken) {
      problems_.push_back(Unknown(name, *key, *value));
    }
  }
}

template <typename Take>
Result<bool> Parser::TakeTable(const std::string& name, const toml::key& key,
                               const toml::node& value, const Take& take) {
  const toml::table* table = value.as_table();
  if (!table) return values_.MustBe(key, value, "a table");
  TakeEach(name, *table, take);
  return true;
}

Result<bool> Parser::TakeTopLevel(const toml::key& name,
                                  const toml::node& value) {
  if (name == "filter") {
    return TakeTable("filter", name, value, [&](auto& key, auto& node) {
      return TakeFilter(key, node);
    });
  }
  if (name == "daemon") {
    return TakeTable("daemon", name, value, [&](auto& key, auto& node) {
      return TakeDaemon(key, node);
    });
  }
  if (name != "queue") return false;
  return TakeTable("queue", name, value, [&](auto& queue, auto& node) {
    return TakeQueue(queue, node);
  });
}

void Parser::Parse(std::string_view text) {
  config_.is_said = true;
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  if (const int line = LineThatIsNotUtf8(text)) {
    problems_.push_back(BadInput(path_ + ", line " + std::to_string(line) +
                                 ": this is not UTF-8"));
    return;
  }
  const toml::parse_result parsed = toml::parse(LiftedToml(text));
  if (!parsed) {
    problems_.push_back(
        values_.At(parsed.error().source(),
                   ExplainToml(parsed.error().description(), text)));
    return;
  }
  TakeEach("", parsed.table(),
           [&](auto& name, auto& value) { return TakeTopLevel(name, value); });
  if (config_.daemon.socket == config_.daemon.status_socket) {
    const toml::table* daemon = parsed.table()["daemon"].as_table();
    const toml::node* socket = daemon->get("status-socket");
    if (!socket) socket = daemon->get("socket");
    problems_.push_back(values_.At(
        socket->source(), "'socket' and 'status-socket' are the same"));
  }
}

}  // namespace

Result<Config> ParseConfig(std::string_view text, const std::string& path) {
  Parser parser(path);
  parser.Parse(text);
  if (!parser.problems().empty()) return parser.problems().front();
  return parser.config();
}

CheckedConfig CheckConfig(std::string_view text, const std::string& path) {
  Parser parser(path);
  parser.Parse(text);
  CheckedConfig checked{parser.config(), {}};
  for (const Error& problem : parser.problems()) {
    checked.problems.push_back(problem.message);
  }
  return checked;
}

std::string ConfPath() {
  const char* path = std::getenv("HALFTONED_CONF");
  return path ? path : HALFTONED_CONF_PATH;
}

Result<Config> ReadConfig(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) return Config();
  HALFTONED_TRY_ASSIGN(const std::string text, ReadTextFile(path));
  return ParseConfig(text, path);
}

CheckedConfig ReadWhatIsRight(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) return {};
  const Result<std::string> text = ReadTextFile(path);
  if (!text.ok()) return {{}, {text.error().message}};
  return CheckConfig(*text, path);
}

}  // namespace halftoned
