// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens pictures: files that the browser can decode, and pages of PDF files.

import { openPdf } from './open_pdf.js';

const MOST_PIXELS = 36e6; // of a picture
const SAMPLE = 'sample/sample.jpg';

const startsWith = (bytes, text) =>
  [...text].every((letter, i) => bytes[i] === letter.charCodeAt(0));

export const isPdf = (bytes) => startsWith(bytes, '%PDF-');

// Whether the command reads such a file as the browser does: not files with deep colors,
// with inks, or with several frames. hasProfile: of colors.
function describePng(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const name = (at) => String.fromCharCode(...bytes.subarray(at + 4, at + 8));
  const found = { isPlain: bytes[24] <= 8, hasProfile: false };
  for (let at = 8; at + 8 <= bytes.length && name(at) !== 'IDAT'; at += 12 + view.getUint32(at)) {
    found.hasProfile ||= ['iCCP', 'cHRM', 'gAMA', 'cICP'].includes(name(at));
    found.isPlain &&= !['acTL', 'eXIf', 'tRNS'].includes(name(at));
  }
  return found;
}

function describeJpeg(bytes) {
  const found = { isPlain: false, hasProfile: false };
  for (let at = 2; at + 10 < bytes.length && bytes[at] === 0xff;) {
    const marker = bytes[at + 1];
    if (marker >= 0xc0 && marker <= 0xc2) {
      found.isPlain = bytes[at + 4] === 8 && bytes[at + 9] !== 4;
    }
    if (marker === 0xda) break;
    if (marker === 0xe2) found.hasProfile ||= startsWith(bytes.subarray(at + 4), 'ICC_PROFILE');
    at += 2 + 256 * bytes[at + 2] + bytes[at + 3];
  }
  return found;
}

function describe(bytes) {
  if (startsWith(bytes, '\x89PNG')) return describePng(bytes);
  if (startsWith(bytes, '\xff\xd8\xff')) return describeJpeg(bytes);
  return { isPlain: false, hasProfile: false };
}

async function decode(blob, options) {
  try {
    return await createImageBitmap(blob, { imageOrientation: 'from-image', ...options });
  } catch {
    throw new Error('Your browser cannot read this file. Choose a PNG, JPEG, WebP, GIF or ' +
        'PDF file that is not damaged.');
  }
}

// A picture {name, width, height, bitmaps(), isFile, note}. isFile: the command can read
// the file itself, if the worker finds that colors are the same without a profile.
async function openBitmap(blob, bytes, name) {
  const { isPlain, hasProfile } = describe(bytes);
  let bitmap = await decode(blob);
  const pixels = bitmap.width * bitmap.height;
  const picture = { name, isFile: isPlain && Boolean(name) };
  if (pixels > MOST_PIXELS) {
    const scale = Math.sqrt(MOST_PIXELS / pixels);
    const megapixels = Math.round(pixels / 1e6);
    picture.isFile = false;
    bitmap = await createImageBitmap(bitmap, {
      resizeWidth: Math.floor(bitmap.width * scale),
      resizeHeight: Math.floor(bitmap.height * scale), resizeQuality: 'high',
    });
    picture.note = `The picture has ${megapixels} megapixels; this page works with ` +
        `${bitmap.width} × ${bitmap.height} pixels of it.`;
  }
  const raw = picture.isFile && hasProfile
    ? await decode(blob, { colorSpaceConversion: 'none' }) : undefined;
  return { ...picture, width: bitmap.width, height: bitmap.height, bitmap, raw };
}

// name: of the file; none for pasted pictures.
export async function openPicture(blob, name) {
  const bytes = new Uint8Array(await blob.arrayBuffer());
  if (bytes.length === 0) throw new Error('This file is empty.');
  return isPdf(bytes) ? openPdf(bytes, name) : openBitmap(blob, bytes, name);
}

export async function openSample() {
  const response = await fetch(SAMPLE);
  if (!response.ok) throw new Error('The sample picture is missing on this server.');
  return openPicture(await response.blob(), 'sample.jpg');
}
