// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// PWG and URF raster from a file to which pages may still be added. PAPPL 1.3
// does not filter raster: it prints raster as it arrives, ahead of all waiting
// jobs. If the format has another name, PAPPL keeps the raster in a file.

#pragma once

#include <pappl/pappl.h>

#include <string_view>

namespace halftoned {

inline constexpr char kSpooledPwg[] = "image/x-pwg-raster";
inline constexpr char kSpooledUrf[] = "image/x-urf";

// Accepts all names of the formats.
bool IsRasterFormat(std::string_view format);

// A PAPPL filter. data: the Application.
bool PrintRaster(pappl_job_t* job, pappl_device_t* device, void* data);

}  // namespace halftoned
