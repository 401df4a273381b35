// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Jobs of JPEG and PNG: a picture on a sheet, scaled in linear light. PAPPL's
// own filters would print the red of color PNG files, drop pixels when they
// scale down, and ignore the camera's orientation.

#pragma once

#include <pappl/pappl.h>

namespace halftoned {

// A PAPPL filter (pappl_mime_filter_cb_t). data: the Application.
bool PrintPicture(pappl_job_t* job, pappl_device_t* device, void* data);

}  // namespace halftoned
