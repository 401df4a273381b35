// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The readers and writers of image files. Each has its own source file, which
// says what it reads or writes. The files outlive them.

#pragma once

#include <memory>

#include "base/result.h"
#include "print/file/input_file.h"
#include "print/file/output_file.h"
#include "print/image/image.h"

namespace halftoned {

// Whether a file may be a JPEG image, by its first bytes.
Result<bool> IsJpeg(InputFile& file);
Result<std::unique_ptr<ImageReader>> OpenJpeg(InputFile& file,
                                              const ImageTrust& trust,
                                              Pixels pixels = Pixels::kGray);
Result<std::unique_ptr<ImageReader>> OpenPng(InputFile& file,
                                             const ImageTrust& trust,
                                             Pixels pixels = Pixels::kGray);
std::unique_ptr<ImageReader> OpenPnm(InputFile& file,
                                     Pixels pixels = Pixels::kGray);
// A pipe is copied to a temporary file first.
Result<std::unique_ptr<ImageReader>> OpenTiff(InputFile& file,
                                              const ImageTrust& trust);

std::unique_ptr<ImageWriter> MakeBmpWriter(OutputFile& file,
                                           const OutputOptions& options);
// Compressed unless the options forbid it.
std::unique_ptr<ImageWriter> MakePngWriter(OutputFile& file,
                                           const OutputOptions& options = {});
std::unique_ptr<ImageWriter> MakePnmWriter(OutputFile& file,
                                           const OutputOptions& options);
// Not compressed unless the options ask for it.
std::unique_ptr<ImageWriter> MakeTiffWriter(OutputFile& file,
                                            const OutputOptions& options);

}  // namespace halftoned
