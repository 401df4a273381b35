// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for programs that parse their command line with CLI11: options with
// checked values, and errors in our own words.

#pragma once

#include <CLI/CLI.hpp>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "halftone/look/settings.h"

namespace halftoned {

// Checks the value of an option. values: the allowed values, such as "a number
// in 0.1 … 10". hint_on: returns a hint about a wrong value. Every option with
// a value needs such a check, because MessageOf uses it.
CLI::Validator MustBe(
    std::string values, std::function<bool(const std::string&)> is_value,
    std::function<std::string(const std::string&)> hint_on = nullptr);

// A value of a setting. Names in any case.
CLI::Validator MustBeOf(const PrintSetting& setting);

// One of some names, in any case.
CLI::Validator MustBeOneOf(std::vector<std::string_view> names);

// The command-line option that sets `setting`.
std::string OptionOf(const PrintSetting& setting);

// A value that is not empty.
CLI::Validator MustBeSaid(std::string what);

// A whole number from `least` to `most`.
CLI::Validator MustBeWhole(int least, int most);

// Options that several commands share.
//
// --config FILE, for this process and its children.
void AddConfig(CLI::App& command);
// --json. what: "for each queue".
CLI::Option* AddJson(CLI::App& command, bool& json, const std::string& what);
// --no-clobber.
CLI::Option* AddNoClobber(CLI::App& command, bool& no_clobber);

// The error message, one line, for an exception that app.parse has thrown.
std::string MessageOf(const CLI::ParseError& error, CLI::App& app);

}  // namespace halftoned
