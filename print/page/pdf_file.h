// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The form of PDF documents: numbers, streams, and objects in a file.

#pragma once

#include <initializer_list>
#include <string>
#include <vector>

namespace halftoned {

std::string PdfNumber(double number);
// The numbers, each followed by a blank.
std::string PdfNumbers(std::initializer_list<double> numbers);

// An object with data. dictionary: its entries, without the length.
std::string PdfStream(const std::string& dictionary, const std::string& data);

// A document with these objects, numbered from 1; the first is the catalog.
std::string PdfDocument(const std::vector<std::string>& objects);

}  // namespace halftoned
