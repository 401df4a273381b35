/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * The raster callbacks of a PAPPL printer application that halftones with
 * libhalftone. The driver's data ask PAPPL for 8-bit gray; each line that it
 * hands over goes into a page, and finished rows go to the printer as PCL.
 *
 * Only what concerns halftoning is here: PAPPL's own documentation has the rest
 * of a printer application. In its driver callback:
 *
 *   data->raster_types = PAPPL_PWG_RASTER_TYPE_SGRAY_8;
 *   data->force_raster_type = PAPPL_PWG_RASTER_TYPE_SGRAY_8;
 *   data->rstartjob_cb = start_job;      data->rendjob_cb = end_job;
 *   data->rstartpage_cb = start_page;    data->rendpage_cb = end_page;
 *   data->rwriteline_cb = write_line;
 */
#include <halftoned/halftone.h>
#include <pappl/pappl.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct driver_job {
  ht_recipe* recipe;
  ht_page* page;
  size_t row_bytes;
  unsigned width;
} driver_job;

static bool log_error(pappl_job_t* job, const ht_error* error) {
  papplLogJob(job, PAPPL_LOGLEVEL_ERROR, "halftoning: %s", error->text);
  return false;
}

bool start_job(pappl_job_t* job, pappl_pr_options_t* options,
               pappl_device_t* device) {
  driver_job* data = (driver_job*)calloc(1, sizeof(*data));
  char text[100];
  ht_error error;
  (void)device;
  if (!data) return false;
  snprintf(text, sizeof(text),
           "print-feedback=100,text-edges=soft,tone-aim=display,dpi=%dx%d",
           options->printer_resolution[0], options->printer_resolution[1]);
  if (ht_recipe_new(text, NULL, &data->recipe, &error)) {
    free(data);
    return log_error(job, &error);
  }
  papplJobSetData(job, data);
  return true;
}

bool start_page(pappl_job_t* job, pappl_pr_options_t* options,
                pappl_device_t* device, unsigned number) {
  driver_job* data = (driver_job*)papplJobGetData(job);
  ht_layout layout = {0, 0, 0, 0, 0};
  ht_error error;
  (void)number;
  data->width = options->header.cupsWidth;
  layout.width = (int32_t)data->width;
  data->row_bytes = ht_recipe_row_bytes(data->recipe, layout.width);
  if (ht_page_open(NULL, data->recipe, &layout, NULL, 0, &data->page, &error)) {
    return log_error(job, &error);
  }
  return papplDevicePrintf(device, "\033*t%uR\033*r%uS\033*r1A\033*b0M",
                           options->header.HWResolution[0], data->width) >= 0;
}

static bool send_finished(pappl_job_t* job, pappl_device_t* device) {
  driver_job* data = (driver_job*)papplJobGetData(job);
  const unsigned char* row;
  unsigned char ink[32768];
  ht_error error;
  while (!ht_page_get(data->page, &row, &error)) {
    size_t i;
    if (!row) return true;
    for (i = 0; i < data->row_bytes; ++i) ink[i] = (unsigned char)~row[i];
    ink[data->row_bytes - 1] &=
        (unsigned char)(0xff00u >> ((data->width - 1) % 8 + 1));
    if (papplDevicePrintf(device, "\033*b%uW", (unsigned)data->row_bytes) < 0 ||
        papplDeviceWrite(device, ink, data->row_bytes) < 0) {
      return false;
    }
  }
  return log_error(job, &error);
}

bool write_line(pappl_job_t* job, pappl_pr_options_t* options,
                pappl_device_t* device, unsigned y, const unsigned char* line) {
  driver_job* data = (driver_job*)papplJobGetData(job);
  ht_error error;
  (void)options;
  (void)y;
  if (ht_page_put(data->page, line, &error)) return log_error(job, &error);
  return send_finished(job, device);
}

bool end_page(pappl_job_t* job, pappl_pr_options_t* options,
              pappl_device_t* device, unsigned number) {
  driver_job* data = (driver_job*)papplJobGetData(job);
  ht_error error;
  bool is_done;
  (void)options;
  (void)number;
  is_done = ht_page_end(data->page, &error) ? log_error(job, &error)
                                            : send_finished(job, device);
  ht_page_free(data->page);
  data->page = NULL;
  return is_done && papplDevicePuts(device, "\033*rC\f") >= 0;
}

bool end_job(pappl_job_t* job, pappl_pr_options_t* options,
             pappl_device_t* device) {
  driver_job* data = (driver_job*)papplJobGetData(job);
  (void)options;
  (void)device;
  ht_page_free(data->page);
  ht_recipe_free(data->recipe);
  free(data);
  papplJobSetData(job, NULL);
  return true;
}
