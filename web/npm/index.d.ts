// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/** Amounts of light: 0 is black, and 255 (or 65535 in a Uint16Array) is white. */
export type Gray = Uint8Array | Uint8ClampedArray | Uint16Array;
/** sRGB, three bytes a pixel, or four with alpha, which is blended over white. */
export type Pixels = Uint8Array | Uint8ClampedArray;

/** Where the WebAssembly is; by default beside this module. */
export type Source = string | URL | ArrayBuffer | ArrayBufferView | WebAssembly.Module;

/**
 * The settings of the C library and of the command line, in camelCase:
 * `dotGain` is --dot-gain. Engine.settings describes them.
 */
export interface Options {
  /** The halftone type, such as 'fine'; by default 'auto'. */
  type?: string;
  /**
   * Dots per inch: 600, [1200, 600] or '1200x600'. With it, `technology`
   * determines the correction for dot gain, unless `dotGain` is given.
   */
  resolution?: number | readonly [number, number] | string;
  /** Gray levels of the output: 2, 4, 8 or 16. */
  levels?: number | string;
  clusterSize?: number | string;
  screenLpi?: number | string;
  screenAngle?: number | string;
  screenShape?: string;
  printFeedback?: number | string;
  minRun?: number | string;
  textEdges?: string;
  technology?: string;
  blackPoint?: number | string;
  contrast?: number | string;
  brightness?: number | string;
  gamma?: number | string;
  toneAim?: string;
  tonerSave?: number | string;
  dotGain?: number | string;
  /** The measured curve of the printer, which replaces `dotGain`. */
  toneCurve?: string | readonly (readonly [number, number])[];
  /** 'auto', 'wasm' or 'scalar'; all give the same output. */
  engine?: string;
}

export interface RowOptions extends Options {
  /** Bits of an input sample; by default 8. With 16, rows are Uint16Arrays. */
  bitsPerInput?: 8 | 16;
  /** Rows that are halftoned at once. */
  rowsPerBand?: number;
}

/** What the output of a page looks like. */
export interface Format {
  width: number;
  /** The halftone type. */
  type: string;
  /** Other versions of a type can give other output. */
  typeVersion: number;
  levels: number;
  /** 1 for 2 levels, 2 for 4, 4 for 8 and 16. */
  bitsPerSample: number;
  /** Bytes per row. */
  stride: number;
  /** The engine that did the work. */
  engine: string;
}

/** A halftoned page. */
export interface Page extends Format {
  height: number;
  /**
   * Rows of packed samples of light (0 is black), the first in the highest bits
   * of a byte. Many printers use 1 for ink: invert the bits for these.
   */
  data: Uint8Array;
}

export interface Color {
  /** The color that the panel shows, as '#rrggbb' in sRGB. */
  measured: string;
  /** The color that its driver expects. */
  sent: string;
}

/**
 * The name of a palette, such as 'spectra6', or its 2 … 16 colors; and, if need be,
 * 'tone-compression=0' … 100, as in 'spectra6,tone-compression=0'.
 */
export type Palette = string | readonly (string | {measured: string; sent?: string})[];

/** A page in the colors of a palette. */
export interface IndexPage {
  width: number;
  height: number;
  colors: Color[];
  /** The index of a color for each pixel. */
  data: Uint8Array;
}

export interface HalftoneType {
  name: string;
  version: number;
  help: string;
  /** Whether it can give more than 2 levels. */
  levels: boolean;
  /** Whether print dialogs offer it. */
  common: boolean;
}

export interface Setting {
  /** As on the command line, such as 'dot-gain'. */
  name: string;
  /** As in Options, such as 'dotGain'. */
  key: string;
  help: string;
  /** The values in words. */
  values: string;
  default: string;
  /** Of numbers. */
  min?: number;
  max?: number;
  integer?: boolean;
  /** Of other settings. */
  choices?: string[];
}

export interface NamedPalette {
  name: string;
  help: string;
  colors: Color[];
}

/** What an engine offers. */
export interface Facts {
  readonly version: string;
  readonly types: HalftoneType[];
  readonly settings: Setting[];
  readonly palettes: NamedPalette[];
}

/** A page that takes whole rows and returns those that are finished. */
export interface Rows {
  readonly width: number;
  put(rows: Gray): Uint8Array;
  /** Ends the page; returns the remaining rows. */
  end(): Uint8Array;
  /** Frees the page before its end; after its end, does nothing. */
  free(): void;
}

export interface GrayRows extends Rows, Readonly<Format> {}

export interface PaletteRows extends Rows {
  readonly colors: Color[];
  put(rows: Pixels): Uint8Array;
}

export interface Engine extends Facts {
  halftone(gray: Gray, width: number, height: number, options?: Options): Page;
  palette(pixels: Pixels, width: number, height: number, palette: Palette,
          options?: {engine?: string}): IndexPage;
  /** Gray of sRGB with alpha, as `halftone convert` makes it of a PNG file. */
  gray(rgba: Pixels, width: number, height: number): Uint8Array;
  /** The light, 0 … 4080, that each of 256 grays becomes. */
  tone(options?: Options): Uint16Array;
  rows(width: number, options?: RowOptions): GrayRows;
  /** channels: the bytes of a pixel, 3 (the default) or 4. */
  paletteRows(width: number, palette: Palette,
              options?: {channels?: 3 | 4; engine?: string}): PaletteRows;
}

export interface Job {
  /** Ends the job: its promise rejects with the signal's reason. */
  signal?: AbortSignal;
  /** Called with the share of the work that is done, at the end with 1. */
  progress?: (share: number) => void;
  /** Moves the memory of the pixels to the worker instead of copying it. */
  transfer?: boolean;
}

/** The engine in a worker. Its jobs run one after the other. */
export interface WorkerEngine extends Facts {
  halftone(gray: Gray, width: number, height: number, options?: Options,
           job?: Job): Promise<Page>;
  palette(pixels: Pixels, width: number, height: number, palette: Palette,
          job?: Job): Promise<IndexPage>;
  gray(rgba: Pixels, width: number, height: number, job?: Job): Promise<Uint8Array>;
  tone(options?: Options): Promise<Uint16Array>;
  /** Ends the worker; its jobs reject. */
  close(): void;
}

/** What the library refuses, in a line for people. */
export class HalftoneError extends Error {
  constructor(message: string, code?: HalftoneError['code']);
  readonly name: 'HalftoneError';
  readonly code: 'BAD_INPUT' | 'UNAVAILABLE' | 'BUG';
}

export function load(source?: Source): Promise<Engine>;
export function createWorker(source?: Source): Promise<WorkerEngine>;

/** Pixels as ImageData takes them: for TypeScript from 5.7 on, not shared. */
export type CanvasPixels = ReturnType<typeof Uint8ClampedArray.from>;

/** A page as pixels for ImageData; colors of a palette as measured or as sent. */
export function rgba(page: Page | IndexPage,
                     which?: 'measured' | 'sent'): CanvasPixels;
