// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "config/queue_table.h"

#include <algorithm>
#include <filesystem>
#include <system_error>
#include <vector>

#define TOML_EXCEPTIONS 0
#define TOML_ENABLE_FORMATTERS 0
#include <toml++/toml.h>

#include "base/text.h"
#include "config/config.h"
#include "config/name_less.h"
#include "config/toml_text.h"

namespace halftoned {
namespace {

constexpr std::string_view kByteOrderMark = "\xef\xbb\xbf";

std::string QuotedToml(std::string_view text) {
  std::string quoted = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') quoted += '\\';
    quoted += c;
  }
  return quoted + "\"";
}

bool IsBareKey(std::string_view name) {
  return !name.empty() &&
         name.find_first_not_of(
             "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
             "_-") == name.npos;
}

// Each line with its end.
std::vector<std::string> LinesOf(std::string_view text) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return lines;
}

bool IsBlank(std::string_view line) {
  return line.find_first_not_of(" \t\r\n") == line.npos;
}

// For people.
std::string NameOf(std::string_view queue) {
  return queue.empty() ? "all queues" : std::string(queue);
}

bool IsHeader(std::string_view line) {
  const size_t begin = line.find_first_not_of(" \t");
  return begin != line.npos && line[begin] == '[';
}

// The lines of a text, and one table among them: a queue's, or [filter]. Lifted
// text has a character for each byte, so the columns of toml++ are bytes.
class TableLines {
 public:
  // queue: empty for [filter].
  TableLines(std::string_view text, std::string_view queue)
      : lines_(LinesOf(text)), queue_(queue) {
    const bool is_dos = !lines_.empty() && lines_[0].ends_with("\r\n");
    eol_ = is_dos ? "\r\n" : "\n";
  }

  // The caller parses the result, and adds the line to an error.
  Result<void> Make(const SettingChange& change) {
    HALFTONED_TRY_ASSIGN(const toml::table root, Parse());
    const toml::table* table = Find(root);
    if (!table) {
      if (!change.value.empty()) Append(change);
      return {};
    }
    const toml::node* old = table->get(change.setting->name);
    if (!old) {
      return change.value.empty() ? Result<void>() : Insert(change, *table);
    }
    if (!change.value.empty()) return Replace(old->source(), change.value);
    return Remove(old->source(), *table);
  }

  std::string Text() const {
    std::string text;
    for (const std::string& line : lines_) text += line;
    return text;
  }

 private:
  Result<toml::table> Parse() const {
    const std::string text = Text();
    toml::parse_result parsed = toml::parse(LiftedToml(text));
    if (parsed) return std::move(parsed).table();
    return BadInput(ExplainToml(parsed.error().description(), text));
  }

  // Names of queues are not case-sensitive.
  const toml::table* Find(const toml::table& root) const {
    if (queue_.empty()) return root["filter"].as_table();
    const toml::table* queues = root["queue"].as_table();
    if (!queues) return nullptr;
    const NameLess less;
    for (const auto& [key, value] : *queues) {
      const std::string name = LoweredToml(key.str());
      if (!less(name, queue_) && !less(queue_, name)) return value.as_table();
    }
    return nullptr;
  }

  void EndLastLine() {
    if (!lines_.empty() && !lines_.back().ends_with('\n')) {
      lines_.back() += eol_;
    }
  }

  std::string LineOf(const SettingChange& change) const {
    return std::string(change.setting->name) + " = " + change.value + eol_;
  }

  std::string Header() const {
    if (queue_.empty()) return "[filter]";
    return "[queue." + (IsBareKey(queue_) ? queue_ : QuotedToml(queue_)) + "]";
  }

  void Append(const SettingChange& change) {
    EndLastLine();
    if (!lines_.empty() && !IsBlank(lines_.back())) lines_.push_back(eol_);
    lines_.push_back(Header() + eol_);
    lines_.push_back(LineOf(change));
  }

  // Whether the table begins with its own header, which every insertion needs.
  bool HasHeader(const toml::table& table) const {
    const size_t line = table.source().begin.line;
    return line > 0 && line <= lines_.size() && IsHeader(lines_[line - 1]);
  }

  Error CannotEdit() const {
    return BadInput("the settings of " + NameOf(queue_) +
                    " are not below a line " +
                    (queue_.empty() ? "[filter]" : "[queue.NAME]") +
                    "; put them there, or change them with an editor");
  }

  // Inserts after the last existing setting.
  Result<void> Insert(const SettingChange& change, const toml::table& table) {
    if (!HasHeader(table)) return CannotEdit();
    size_t last = table.source().begin.line;
    for (const auto& [key, value] : table) {
      last = std::max<size_t>(last, value.source().end.line);
    }
    EndLastLine();
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(last),
                  LineOf(change));
    return {};
  }

  Result<void> Replace(const toml::source_region& old,
                       const std::string& value) {
    std::string& line = lines_.at(old.begin.line - 1);
    if (old.begin.line != old.end.line || old.end.column > line.size() + 1) {
      return CannotEdit();
    }
    const size_t begin = old.begin.column - 1;
    line.replace(begin, old.end.column - 1 - begin, value);
    return {};
  }

  Result<void> Remove(const toml::source_region& old,
                      const toml::table& table) {
    if (!HasHeader(table)) return CannotEdit();
    const auto first =
        lines_.begin() + static_cast<std::ptrdiff_t>(old.begin.line - 1);
    lines_.erase(first, first + (old.end.line - old.begin.line + 1));
    if (table.size() == 1) RemoveHeader(table.source().begin.line - 1);
    return {};
  }

  // Keeps the header if comments follow: they would seem to belong to another
  // table.
  void RemoveHeader(size_t header) {
    const size_t next = header + 1;
    const bool is_alone = next >= lines_.size() || IsBlank(lines_[next]) ||
                          IsHeader(lines_[next]);
    if (!is_alone) return;
    const auto at = lines_.begin() + static_cast<std::ptrdiff_t>(header);
    const bool takes_blank = header > 0 && IsBlank(lines_[header - 1]);
    lines_.erase(takes_blank ? at - 1 : at, at + 1);
  }

  std::vector<std::string> lines_;
  std::string queue_;
  std::string eol_;
};

const LookConfig* TableOf(const Config& config, std::string_view queue) {
  if (queue.empty()) return &config.look;
  const auto found = config.queues.find(queue);
  return found == config.queues.end() ? nullptr : &found->second;
}

// Whether the configuration now says what was wanted.
bool HasChanges(const Config& config, std::string_view queue,
                std::span<const SettingChange> changes) {
  const LookConfig* table = TableOf(config, queue);
  return std::ranges::all_of(changes, [&](const SettingChange& change) {
    const bool is_said = table && table->Where(*change.setting) != nullptr;
    return is_said == !change.value.empty() || change.value == "\"auto\"";
  });
}

}  // namespace

Result<std::string> TomlValueOf(const PrintSetting& setting,
                                const std::string& text) {
  const Error wrong =
      BadInput(std::string(setting.name) + " must be " + setting.Values() +
               ", not '" + text + "'" + setting.HintOn(text));
  if (setting.is_file()) {
    std::error_code error;
    const auto path = std::filesystem::absolute(text, error);
    if (text.empty() || error) return wrong;
    return QuotedToml(path.lexically_normal().string());
  }
  Look look;
  const std::string name = LowerCase(text);
  if (!setting.Set(name, look)) return wrong;
  if (setting.is_number() || setting.is_choice_of_numbers()) {
    return setting.TextOf(look);
  }
  return QuotedToml(name);
}

Result<std::string> WithChanges(std::string_view text, const std::string& path,
                                std::string_view queue,
                                std::span<const SettingChange> changes) {
  std::string_view mark = text.substr(0, kByteOrderMark.size());
  if (mark != kByteOrderMark) mark = {};
  text.remove_prefix(mark.size());
  if (LineThatIsNotUtf8(text) > 0) {
    const auto config = ParseConfig(text, path);
    return config.ok() ? Bug(path + ": is not UTF-8") : config.error();
  }
  TableLines lines(text, queue);
  for (const SettingChange& change : changes) {
    const Result<void> made = lines.Make(change);
    if (made.ok()) continue;
    const auto config = ParseConfig(text, path);
    if (!config.ok()) return config.error();
    return BadInput(path + ": " + made.error().message);
  }
  std::string changed = std::string(mark) + lines.Text();
  HALFTONED_TRY_ASSIGN(const Config config, ParseConfig(changed, path));
  if (!HasChanges(config, queue, changes)) {
    return BadInput(path + ": the table of " + NameOf(queue) +
                    " cannot be changed; change it with an editor");
  }
  return changed;
}

}  // namespace halftoned
