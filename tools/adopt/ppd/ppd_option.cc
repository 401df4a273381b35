// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "adopt/ppd/ppd_option.h"

#include <algorithm>
#include <cctype>

namespace halftoned {

std::string ChoiceOf(const std::string& keyword) {
  std::string choice;
  bool begins = true;
  for (const char c : keyword) {
    if (c == '-') {
      begins = true;
      continue;
    }
    choice += begins ? static_cast<char>(std::toupper(c)) : c;
    begins = false;
  }
  return choice;
}

std::string WordsOf(std::string keyword) {
  std::replace(keyword.begin(), keyword.end(), '-', ' ');
  keyword[0] = static_cast<char>(std::toupper(keyword[0]));
  return keyword;
}

void PpdOption::AddChoice(const std::string& name, const std::string& words,
                          const std::string& dictionary) {
  const std::string code =
      dictionary.empty() ? "" : "<<" + dictionary + ">>setpagedevice";
  choices += "*" + keyword + " " + name + "/" + words + ": \"" + code + "\"\n";
}

std::string PpdOption::Lines() const {
  return "*OpenUI *" + keyword + "/" + text + ": PickOne\n" +
         "*OrderDependency: " + std::to_string(order) + " AnySetup *" +
         keyword + "\n*Default" + keyword + ": " + usual + "\n" + choices +
         "*CloseUI: *" + keyword + "\n";
}

}  // namespace halftoned
