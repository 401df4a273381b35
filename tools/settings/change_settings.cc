// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "settings/change_settings.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <filesystem>
#include <span>
#include <thread>

#include "base/text.h"
#include "base/text_file.h"
#include "config/tone_check.h"
#include "print/file/last_words.h"
#include "print/file/output_file.h"

namespace halftoned {
namespace {

Error UnknownSetting(const std::string& key) {
  std::vector<std::string_view> names;
  for (const PrintSetting& setting : kPrintSettings) {
    if (key == setting.job_option || key == setting.short_job_option ||
        setting.name.ends_with("-" + key)) {
      return BadInput("unknown setting '" + key + "'; did you mean '" +
                      std::string(setting.name) + "'?");
    }
    if (setting.MayBeSetBy(kConfiguration)) names.push_back(setting.name);
  }
  const std::string_view meant = NearestOf(key, names);
  return BadInput("unknown setting '" + key + "'" +
                  (meant.empty()
                       ? "; there are " + Listed(names)
                       : "; did you mean '" + std::string(meant) + "'?"));
}

Result<const PrintSetting*> SettingOf(const std::string& key) {
  const PrintSetting* setting = FindSetting(key);
  if (setting && setting->MayBeSetBy(kConfiguration)) return setting;
  return UnknownSetting(key);
}

Result<SettingChange> ChangeOf(const std::string& word, bool is_set) {
  const size_t equals = word.find('=');
  if (equals == 0) return BadInput("'" + word + "' has no key before the =");
  if (is_set && equals == word.npos) {
    return BadInput("'" + word +
                    (FindSetting(word)
                         ? "' has no value; write " + word + "=VALUE"
                         : "' is not KEY=VALUE; name queues before "
                           "settings, or none with --all"));
  }
  if (!is_set && equals != word.npos) {
    return BadInput("'" + word + "' has a value; write " +
                    word.substr(0, equals));
  }
  HALFTONED_TRY_ASSIGN(const PrintSetting* setting,
                       SettingOf(word.substr(0, equals)));
  SettingChange change{setting, ""};
  if (is_set) {
    HALFTONED_TRY_ASSIGN(change.value,
                         TomlValueOf(*setting, word.substr(equals + 1)));
  }
  return change;
}

// The text of the file; nothing if it does not exist.
Result<std::string> TextAt(const std::string& path) {
  if (::access(path.c_str(), F_OK) != 0 && errno == ENOENT) {
    return std::string();
  }
  return ReadTextFile(path);
}

Result<Config> Checked(const std::string& text, const std::string& path) {
  HALFTONED_TRY_ASSIGN(Config config, ParseConfig(text, path));
  const auto problems = ToneProblems(config, ReadTextFile);
  if (problems.empty()) return config;
  return BadInput(problems.front());
}

// Filters run as another user, who must be able to read a new file.
Result<void> LetAllRead(int fd) {
  struct stat status;
  if (::fstat(fd, &status) == 0 &&
      ::fchmod(fd, (status.st_mode & 0777) | 0444) == 0) {
    return {};
  }
  return ErrnoError(ErrorCode::kIo, "cannot be made readable for filters");
}

// Prevents other changes while it is open. Any user can hold the lock, so
// waiting for it has a limit.
Result<Descriptor> Lock(const std::string& path) {
  constexpr int kTries = 100;
  const auto folder = std::filesystem::path(path).parent_path().string();
  Descriptor lock(::open(folder.empty() ? "." : folder.c_str(),
                         O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!lock.open()) {
    return ErrnoError(ErrorCode::kIo, "cannot open its directory");
  }
  for (int i = 0; i < kTries; ++i) {
    if (::flock(lock.get(), LOCK_EX | LOCK_NB) == 0) return lock;
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  return IoError("another program is changing it; try again");
}

// The text with the changes for each queue.
Result<std::string> WithAllChanges(std::string text, const std::string& path,
                                   const std::vector<std::string>& queues,
                                   const std::vector<SettingChange>& changes) {
  for (const std::string& queue : queues) {
    HALFTONED_TRY_ASSIGN(text, WithChanges(text, path, queue, changes));
  }
  return text;
}

}  // namespace

Result<std::vector<SettingChange>> ChangesOf(const SettingsOptions& options,
                                             bool is_set) {
  std::vector<SettingChange> changes;
  if (options.all_settings) {
    for (const PrintSetting& setting : kPrintSettings) {
      if (setting.MayBeSetBy(kConfiguration)) changes.push_back({&setting, ""});
    }
    return changes;
  }
  for (const std::string& word : options.words) {
    HALFTONED_TRY_ASSIGN(SettingChange change, ChangeOf(word, is_set));
    const bool is_again =
        std::ranges::any_of(changes, [&](const SettingChange& other) {
          return other.setting == change.setting;
        });
    if (is_again) {
      return BadInput(std::string(change.setting->name) +
                      " is given more than once");
    }
    changes.push_back(std::move(change));
  }
  return changes;
}

Result<Config> TryChanges(const std::string& path,
                          const std::vector<std::string>& queues,
                          const std::vector<SettingChange>& changes) {
  HALFTONED_TRY_ASSIGN(const std::string text, TextAt(path));
  HALFTONED_TRY_ASSIGN(const std::string changed,
                       WithAllChanges(text, path, queues, changes));
  return Checked(changed, path);
}

Result<void> ChangeSettings(const std::string& path,
                            const std::vector<std::string>& queues,
                            const std::vector<SettingChange>& changes) {
  const auto in_file = [&](const Error& error) {
    return Error{error.code, path + ": " + error.message};
  };
  const Result<Descriptor> lock = Lock(path);
  if (!lock.ok()) return in_file(lock.error());
  PendingFiles pending;
  const LastWordsFiles last_words(pending);
  // Before the text is read, so that a replacement by an editor is noticed.
  const bool is_new = ::access(path.c_str(), F_OK) != 0 && errno == ENOENT;
  auto file = OutputFile::Create(path, pending);
  if (!file.ok()) return in_file(file.error());
  HALFTONED_TRY_ASSIGN(const std::string text, TextAt(path));
  HALFTONED_TRY_ASSIGN(const std::string changed,
                       WithAllChanges(text, path, queues, changes));
  HALFTONED_TRY(Checked(changed, path));
  if (changed == text) return {};
  if (is_new) HALFTONED_TRY(LetAllRead((*file)->fd()));
  const Result<void> written =
      (*file)->Write(std::as_bytes(std::span(changed)));
  if (!written.ok()) return in_file(written.error());
  const Result<void> done = (*file)->Commit();
  return done.ok() ? done : in_file(done.error());
}

}  // namespace halftoned
