// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/settings/setting_sources.h"

#include <strings.h>

#include <utility>

namespace halftoned {
namespace {

bool IsAuto(const std::string& text) {
  return ::strcasecmp(text.c_str(), "auto") == 0;
}

}  // namespace

std::optional<std::string> SettingSources::Job(std::string_view name) const {
  auto text = queue_.Job(std::string(name));
  if (text && IsAuto(*text)) return std::nullopt;
  return text;
}

void SettingSources::Warn(std::string text) {
  warnings_.push_back(std::move(text));
}

void SettingSources::Inform(std::string text) {
  notes_.push_back(std::move(text));
}

void SettingSources::AddProblem(std::string text) {
  problems_.push_back(std::move(text));
}

void SettingSources::WarnOfJob(std::string_view name,
                               const std::string& values) {
  Warn(std::string(name) + " of the job is ignored: it is not " + values);
}

bool SettingSources::SetByJob(const PrintSetting& setting, Look& look) {
  if (!setting.MayBeSetBy(kJobOption)) return false;
  for (const auto name : {setting.job_option, setting.short_job_option}) {
    const auto text = name.empty() ? std::nullopt : Job(name);
    if (!text) continue;
    if (setting.SetFromCups(*text, look)) return true;
    WarnOfJob(name, setting.Values() + setting.HintOn(*text));
  }
  return false;
}

Result<bool> SettingSources::SetByPpd(const PrintSetting& setting,
                                      Look& look) const {
  const std::string keyword(setting.keyword);
  const auto text = queue_.Ppd(keyword);
  if (!text || IsAuto(*text)) return false;
  if (setting.SetFromCups(*text, look)) return true;
  return InPpd("*" + keyword + " is not " + setting.Values());
}

bool SettingSources::SetByConfiguration(const PrintSetting& setting,
                                        Look& look) const {
  const LookConfig* config = Configured(setting);
  if (!config) return false;
  setting.Copy(config->look(), look);
  return true;
}

Result<bool> SettingSources::Set(const PrintSetting& setting, Look& look) {
  if (SetByJob(setting, look)) return true;
  HALFTONED_TRY_ASSIGN(const bool is_set, SetByPpd(setting, look));
  return is_set || SetByConfiguration(setting, look);
}

const std::string* SettingSources::WhereConfigured(
    const PrintSetting& setting) const {
  const LookConfig* config = Configured(setting);
  return config ? config->Where(setting) : nullptr;
}

const LookConfig* SettingSources::Configured(
    const PrintSetting& setting) const {
  if (queue_config_ && queue_config_->Where(setting)) return queue_config_;
  return config_.Where(setting) ? &config_ : nullptr;
}

}  // namespace halftoned
