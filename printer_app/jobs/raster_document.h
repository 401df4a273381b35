// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PWG and URF raster from a file, of which more pages may still arrive. PAPPL
// 1.3 has no filter for raster: it prints raster while it comes, past all jobs
// that wait. Under other names it keeps raster in a file.

#pragma once

#include <pappl/pappl.h>

#include <string_view>

namespace halftoned {

inline constexpr char kSpooledPwg[] = "image/x-pwg-raster";
inline constexpr char kSpooledUrf[] = "image/x-urf";

// By any of its names.
bool IsRasterFormat(std::string_view format);

// A filter of PAPPL; data: the Application.
bool PrintRaster(pappl_job_t* job, pappl_device_t* device, void* data);

}  // namespace halftoned
