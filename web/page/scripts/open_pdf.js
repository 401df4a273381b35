// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Pages of PDF files, by pdf.js, which is loaded when it is first needed.

const FOLDER = new URL('../pdfjs/', import.meta.url);
const at = (name) => new URL(name, FOLDER).href;
let library; // a promise

function loadLibrary() {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = at('pdf.js');
    script.onload = () => {
      const pdf = window['pdfjs-dist/build/pdf'];
      pdf.GlobalWorkerOptions.workerSrc = at('pdf.worker.js');
      resolve(pdf);
    };
    script.onerror = () => {
      library = undefined;
      script.remove();
      reject(new Error('The part of this page that reads PDF files did not load. Try again.'));
    };
    document.head.append(script);
  });
}

function messageFor(error) {
  return error.name === 'PasswordException'
    ? 'This PDF file needs a password. Save it without one.'
    : 'This PDF file is damaged.';
}

async function openDocument(bytes) {
  const pdf = await (library ??= loadLibrary());
  const task = pdf.getDocument({
    data: bytes,
    cMapUrl: at('cmaps/'),
    cMapPacked: true,
    standardFontDataUrl: at('standard_fonts/'),
    isEvalSupported: false,
    enableXfa: false,
  });
  try {
    return await task.promise;
  } catch (error) {
    throw new Error(messageFor(error));
  }
}

// Draws a page on white, `width` pixels wide.
async function draw(page, width, height) {
  const size = page.getViewport({ scale: 1 });
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const viewport = page.getViewport({ scale: width / size.width });
  const canvasContext = canvas.getContext('2d', { alpha: false });
  await page.render({ canvasContext, viewport, intent: 'print' }).promise;
  return createImageBitmap(canvas);
}

// A picture as in picture.js, with pages, and drawn(width, height) of the chosen one.
export async function openPdf(bytes, name) {
  const document = await openDocument(bytes);
  const choose = async (number) => {
    const page = await document.getPage(number);
    const { width, height } = page.getViewport({ scale: 1 });
    return {
      name, isFile: false, width, height, pages: document.numPages, number, choose,
      drawn: (columns, rows) => draw(page, columns, rows),
    };
  };
  return choose(1);
}
