// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints of dots on the simulated printers: the whole page with 600 cells per inch, or
// one per dot; and a part of it, as fine as a view shows it.

import { LASERS, laserLight } from './laser.js';
import { Raster } from './raster.js';
import { THERMAL, thermalLight } from './thermal.js';

const CELLS_PER_INCH = 600;
const PARTS_PER_INCH = 1200; // of toner, on whole pages
const FINE_PARTS_PER_INCH = 2400; // in details, as in bench/paper/lasers.py
const THERMAL_PARTS = 8; // per dot
const BAND_CELLS = 1 << 18;

const isLaser = (device) => device.technology === 'laser';

// Pixels of the page per pixel of the map.
export const mapScale = (device) => (isLaser(device) ? device.dpi / CELLS_PER_INCH : 1);

const pageOf = ({ page, device, dots }) =>
  ({ dots, width: page.width, height: page.height, dpi: device.dpi });

function lightOf(made, rectangle, parts, group) {
  const { device } = made;
  return isLaser(device)
    ? laserLight(pageOf(made), rectangle, LASERS[device.laser], parts, group)
    : thermalLight(pageOf(made), rectangle, THERMAL[device.dpi], parts, group);
}

// The light of a whole page.
export async function printedMap(made, pause) {
  const { page, device } = made;
  const scale = mapScale(device);
  const laser = isLaser(device);
  const parts = laser ? PARTS_PER_INCH / device.dpi : THERMAL_PARTS;
  const group = laser ? PARTS_PER_INCH / CELLS_PER_INCH : THERMAL_PARTS;
  const width = Math.ceil(page.width / scale);
  const map = new Raster(width, Math.ceil(page.height / scale), 1, scale);
  const rows = Math.max(16, Math.floor((BAND_CELLS / width) * scale / 2) * 2);
  for (let y = 0; y < page.height; y += rows) {
    // The last rectangle may exceed a laser's page, by a part of a cell.
    const high = Math.min(rows, page.height - y);
    const light = lightOf(made, {
      x: 0, y,
      width: Math.ceil(width * scale),
      height: Math.ceil(Math.ceil(high / scale) * scale),
    }, parts, group);
    map.put(light, 0, y / scale);
    await pause(Math.min(1, (y + rows) / page.height));
  }
  return map;
}

// The part of a page that a view shows, with at least as many cells as the view has
// pixels, as far as the simulation goes.
export function printedDetail(made, view) {
  const { page, device } = made;
  const fine = isLaser(device) ? FINE_PARTS_PER_INCH / device.dpi : THERMAL_PARTS;
  const parts = view.step * fine >= 2 && fine % 2 === 0 ? fine / 2 : fine;
  const clip = (at, most) => Math.max(0, Math.min(most, at));
  const x = clip(Math.floor(view.x) - 1, page.width);
  const y = clip(Math.floor(view.y) - 1, page.height);
  const right = clip(Math.ceil(view.x + view.width * view.step) + 1, page.width);
  const bottom = clip(Math.ceil(view.y + view.height * view.step) + 1, page.height);
  const width = Math.max(1, right - x);
  const height = Math.max(1, bottom - y);
  const light = lightOf(made, { x: Math.min(x, page.width - 1), y: Math.min(y, page.height - 1),
    width, height }, parts, 1);
  const raster = new Raster(light.width, light.height, 1, 1 / parts);
  raster.put(light, 0, 0);
  return { raster, offset: [x, y] };
}
