// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How large a picture becomes on a device.

const MOST_PIXELS = 24e6; // of a page
const MOST_SIDE = 16384;

// Rounds as the command does: halves away from 0.
const rounded = (value) => Math.max(1, Math.floor(value + 0.5));

// For printers: the whole picture, `millimeters` wide.
export function printedSize(picture, device, millimeters) {
  const across = millimeters * (1 / 25.4);
  const down = across / (picture.width / picture.height);
  const size = { width: rounded(across * device.dpi), height: rounded(down * device.dpi) };
  const crop = { x: 0, y: 0, width: picture.width, height: picture.height };
  const scale = Math.min(1, Math.sqrt(MOST_PIXELS / (size.width * size.height)),
    MOST_SIDE / size.width, MOST_SIDE / size.height);
  if (scale === 1) return { ...size, crop };
  const most = Math.floor(millimeters * scale);
  return { ...printedSize(picture, device, Math.max(1, most)), reducedTo: most };
}

// For panels: the picture fills the panel, turned if the picture is taller than wide, and
// loses what does not fit.
export function panelSize(picture, [long, short]) {
  const isTall = picture.height > picture.width;
  const [width, height] = isTall ? [short, long] : [long, short];
  const scale = Math.min(picture.width / width, picture.height / height);
  const crop = {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  };
  crop.x = Math.floor((picture.width - crop.width) / 2);
  crop.y = Math.floor((picture.height - crop.height) / 2);
  return { width, height, crop };
}
