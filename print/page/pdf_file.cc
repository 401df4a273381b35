// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "print/page/pdf_file.h"

#include <cstddef>
#include <cstdio>

namespace halftoned {

std::string PdfNumber(double number) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.3f", number);
  return text;
}

std::string PdfNumbers(std::initializer_list<double> numbers) {
  std::string text;
  for (const double number : numbers) text += PdfNumber(number) + " ";
  return text;
}

std::string PdfStream(const std::string& dictionary, const std::string& data) {
  return "<< " + dictionary + " /Length " + std::to_string(data.size()) +
         " >>\nstream\n" + data + "\nendstream";
}

std::string PdfDocument(const std::vector<std::string>& objects) {
  std::string file = "%PDF-1.4\n";
  std::string table;
  for (size_t i = 0; i < objects.size(); ++i) {
    char entry[32];
    std::snprintf(entry, sizeof(entry), "%010zu 00000 n \n", file.size());
    table += entry;
    file += std::to_string(i + 1) + " 0 obj\n" + objects[i] + "\nendobj\n";
  }
  const std::string count = std::to_string(objects.size() + 1);
  const std::string at = std::to_string(file.size());
  return file + "xref\n0 " + count + "\n0000000000 65535 f \n" + table +
         "trailer\n<< /Size " + count + " /Root 1 0 R >>\nstartxref\n" + at +
         "\n%%EOF\n";
}

}  // namespace halftoned
