// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Writes PNG files of 1 … 8 bits per pixel: gray, RGB, or indices of a palette.

const SIGNATURE = [137, 80, 78, 71, 13, 10, 26, 10];
const GRAY = 0;
const RGB = 2;
const INDEXED = 3;
const METER = 1000 / 25.4; // inches

const CRCS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; ++bit) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function chunk(name, data) {
  const bytes = new Uint8Array(12 + data.length);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, data.length);
  bytes.set([...name].map((letter) => letter.charCodeAt(0)), 4);
  bytes.set(data, 8);
  let crc = 0xffffffff;
  for (let i = 4; i < bytes.length - 4; ++i) crc = (crc >>> 8) ^ CRCS[(crc ^ bytes[i]) & 255];
  view.setUint32(bytes.length - 4, ~crc >>> 0);
  return bytes;
}

const words = (...numbers) => {
  const view = new DataView(new ArrayBuffer(4 * numbers.length));
  numbers.forEach((number, i) => view.setUint32(4 * i, number));
  return new Uint8Array(view.buffer);
};

// Rows with a filter byte each; `None` suits dots, and `Sub` gray and colors.
function filteredRows({ samples, width, height, bits, channels }) {
  const length = Math.ceil((width * channels * bits) / 8);
  const rows = new Uint8Array((length + 1) * height);
  for (let y = 0; y < height; ++y) {
    const from = y * width * channels;
    const to = y * (length + 1) + 1;
    if (bits === 8) {
      rows[to - 1] = 1;
      for (let i = 0; i < length; ++i) {
        rows[to + i] = samples[from + i] - (i < channels ? 0 : samples[from + i - channels]);
      }
      continue;
    }
    for (let x = 0; x < width; ++x) {
      const place = x * bits;
      rows[to + (place >> 3)] |= samples[from + x] << (8 - bits - (place & 7));
    }
  }
  return rows;
}

async function deflated(bytes) {
  const stream = new Blob([bytes]).stream().pipeThrough(new CompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

// image: {samples (one number each), width, height, bits, channels: 1 or 3, palette:
// [[red, green, blue], …] or none, dpi: or none}. Returns a Blob.
export async function encodePng(image) {
  const { width, height, bits, channels, palette, dpi } = image;
  const type = palette ? INDEXED : channels === 3 ? RGB : GRAY;
  const parts = [Uint8Array.from(SIGNATURE),
    chunk('IHDR', Uint8Array.from([...words(width, height), bits, type, 0, 0, 0]))];
  if (dpi) {
    const perMeter = Math.round(dpi * METER);
    parts.push(chunk('pHYs', Uint8Array.from([...words(perMeter, perMeter), 1])));
  }
  if (palette) parts.push(chunk('PLTE', Uint8Array.from(palette.flat())));
  parts.push(chunk('IDAT', await deflated(filteredRows(image))));
  parts.push(chunk('IEND', new Uint8Array(0)));
  return new Blob(parts, { type: 'image/png' });
}
