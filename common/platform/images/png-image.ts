import { crc32 } from "node:zlib";
import { type ImageBytes, ImageError, type ParsedImage } from "./image.ts";

export const PNG_SIGNATURE = "\x89PNG\r\n\x1a\n";

const HEADER_BYTES = 13;
const MAX_PALETTE_ENTRIES = 256;
/** Bit depths by colour type: grey, RGB, palette, grey with alpha, RGB with alpha. */
const BIT_DEPTHS: ReadonlyMap<number, readonly number[]> = new Map([
  [0, [1, 2, 4, 8, 16]],
  [2, [8, 16]],
  [3, [1, 2, 4, 8]],
  [4, [8, 16]],
  [6, [8, 16]],
]);
const PALETTE_COLOURS = 3;
const GREY_COLOURS = new Set([0, 4]);
/** Chunks of animated images. */
const ANIMATION_CHUNKS = new Set(["acTL", "fcTL", "fdAT"]);
/** Four letters, the third of which is upper-case in every chunk type that is defined. */
const CHUNK_TYPE = /^[A-Za-z]{2}[A-Z][A-Za-z]$/;

interface Chunk {
  readonly type: string;
  readonly data: number;
  readonly length: number;
  /** The offset of the next chunk. */
  readonly end: number;
}

/** The findings about an image so far. */
interface Progress {
  readonly colourType: number;
  hasPalette: boolean;
  hasData: boolean;
  /** Whether the last chunk was image data. All chunks of image data must follow each other. */
  inData: boolean;
}

/**
 * Checks the chunks of a still PNG (W3C PNG, third edition): their types, order, lengths and checksums.
 *
 * @param bytes an image that begins with the signature
 * @throws ImageError
 */
export function parsePng(bytes: ImageBytes): ParsedImage {
  const header = chunkAt(bytes, PNG_SIGNATURE.length);
  const { width, height, colourType } = parseHeader(bytes, header);
  const progress: Progress = { colourType, hasPalette: false, hasData: false, inData: false };
  let chunk = chunkAt(bytes, header.end);
  while (chunk.type !== "IEND") {
    checkChunk(chunk, progress);
    chunk = chunkAt(bytes, chunk.end);
  }
  if (chunk.length !== 0 || !progress.hasData) throw new ImageError("has no image data");
  return { mediaType: "image/png", width, height, length: chunk.end };
}

function chunkAt(bytes: ImageBytes, at: number): Chunk {
  const length = bytes.uint32(at);
  const type = bytes.text(at + 4, 4);
  if (!CHUNK_TYPE.test(type)) throw new ImageError("has a chunk without a type");
  if (crc32(bytes.slice(at + 4, length + 4)) !== bytes.uint32(at + 8 + length)) {
    throw new ImageError(`has a damaged ${type} chunk`);
  }
  return { type, data: at + 8, length, end: at + 12 + length };
}

function parseHeader(bytes: ImageBytes, { type, data, length }: Chunk) {
  if (type !== "IHDR" || length !== HEADER_BYTES) throw new ImageError("has no PNG header");
  const colourType = bytes.uint8(data + 9);
  const isKnown =
    BIT_DEPTHS.get(colourType)?.includes(bytes.uint8(data + 8)) === true &&
    bytes.uint8(data + 10) === 0 &&
    bytes.uint8(data + 11) === 0 &&
    bytes.uint8(data + 12) <= 1;
  if (!isKnown) throw new ImageError("has a PNG header of an unknown kind");
  return { width: bytes.uint32(data), height: bytes.uint32(data + 4), colourType };
}

function checkChunk(chunk: Chunk, progress: Progress): void {
  if (ANIMATION_CHUNKS.has(chunk.type)) throw new ImageError("is animated");
  const isData = chunk.type === "IDAT";
  if (isData) checkData(progress);
  else if (chunk.type === "PLTE") checkPalette(chunk, progress);
  else if (isCritical(chunk)) throw new ImageError(`has a ${chunk.type} chunk, which isn't one of a PNG image`);
  progress.inData = isData;
}

function checkData(progress: Progress): void {
  if (progress.hasData && !progress.inData) throw new ImageError("has image data in two places");
  if (progress.colourType === PALETTE_COLOURS && !progress.hasPalette) throw new ImageError("has no palette");
  progress.hasData = true;
}

function checkPalette({ length }: Chunk, progress: Progress): void {
  const isMisplaced = progress.hasPalette || progress.hasData || GREY_COLOURS.has(progress.colourType);
  if (isMisplaced || length === 0 || length % 3 !== 0 || length > 3 * MAX_PALETTE_ENTRIES) {
    throw new ImageError("has a palette that is wrong");
  }
  progress.hasPalette = true;
}

/** Whether a chunk is critical: a reader that doesn't know its type can't show the image. */
function isCritical({ type }: Chunk): boolean {
  return /^[A-Z]/.test(type);
}
