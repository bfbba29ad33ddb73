import { type ImageBytes, ImageError, type ImageSize, type ParsedImage } from "./image.ts";

export const JPEG_SIGNATURE = "\xff\xd8\xff";

/** Markers of ITU-T T.81 table B.1, without the leading 0xff. */
const MARKER = { endOfImage: 0xd9, startOfScan: 0xda, restart: 0xd0, lastRestart: 0xd7 } as const;
/** The frames that browsers show: baseline, extended sequential and progressive, each with Huffman coding. */
const SHOWN_FRAMES = new Set([0xc0, 0xc1, 0xc2]);
/** Markers of tables and comments. */
const TABLES = new Set([0xc4, 0xdb, 0xdd, 0xfe]);
const COMPONENTS = new Set([1, 3, 4]);
const FRAME_HEADER_BYTES = 8;
/** The limit for progressive images, in which each scan is a pass over all pixels. Encoders make about ten. */
const MAX_SCANS = 64;

interface Segment {
  readonly marker: number;
  /** The offset of its data, behind its length. */
  readonly data: number;
  readonly end: number;
}

/** The findings about an image so far. */
interface Progress {
  size?: ImageSize;
  scans: number;
}

/**
 * Checks the segments of a JPEG (ITU-T T.81 annex B) up to the end of the image.
 *
 * @param bytes an image that begins with the signature
 * @throws ImageError
 */
export function parseJpeg(bytes: ImageBytes): ParsedImage {
  const progress: Progress = { scans: 0 };
  let markerAt = skipFill(bytes, 2);
  while (bytes.uint8(markerAt) !== MARKER.endOfImage) {
    markerAt = skipFill(bytes, checkSegment(bytes, segmentAt(bytes, markerAt), progress));
  }
  const { size, scans } = progress;
  if (size === undefined || scans === 0) throw new ImageError("has no image data");
  return { mediaType: "image/jpeg", ...size, length: markerAt + 1 };
}

/** Checks a segment. @returns the offset of the next one. */
function checkSegment(bytes: ImageBytes, segment: Segment, progress: Progress): number {
  const { marker, end } = segment;
  if (isFrame(marker)) {
    if (progress.size !== undefined) throw new ImageError("has more than one frame");
    progress.size = parseFrame(bytes, segment);
    return end;
  }
  if (marker === MARKER.startOfScan) {
    progress.scans += 1;
    if (progress.size === undefined) throw new ImageError("has a scan without a frame");
    if (progress.scans > MAX_SCANS) throw new ImageError(`has more than ${MAX_SCANS} scans`);
    return endOfScan(bytes, end);
  }
  if (!isKnown(marker)) throw new ImageError("has a JPEG segment of an unknown kind");
  return end;
}

/** Skips any number of 0xff bytes in front of a marker. @returns the offset of the marker's own byte. */
function skipFill(bytes: ImageBytes, at: number): number {
  if (bytes.uint8(at) !== 0xff) throw new ImageError("has something between its JPEG segments");
  let next = at + 1;
  while (bytes.uint8(next) === 0xff) next += 1;
  return next;
}

function segmentAt(bytes: ImageBytes, markerAt: number): Segment {
  const length = bytes.uint16(markerAt + 1);
  if (length < 2) throw new ImageError("has a JPEG segment without a length");
  return { marker: bytes.uint8(markerAt), data: markerAt + 3, end: markerAt + 1 + length };
}

/** Whether a marker is one of SOF0 to SOF15; DHT, JPG and DAC have numbers in the same range. */
function isFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc;
}

function isKnown(marker: number): boolean {
  return TABLES.has(marker) || (marker >= 0xe0 && marker <= 0xef);
}

function parseFrame(bytes: ImageBytes, { marker, data, end }: Segment): ImageSize {
  if (!SHOWN_FRAMES.has(marker)) throw new ImageError("is a JPEG of a kind that browsers don't show");
  const components = bytes.uint8(data + 5);
  const hasItsLength = end - data === FRAME_HEADER_BYTES - 2 + 3 * components;
  if (!COMPONENTS.has(components) || !hasItsLength) throw new ImageError("has a JPEG header that is wrong");
  return { width: bytes.uint16(data + 3), height: bytes.uint16(data + 1) };
}

/** Finds the first marker behind entropy-coded data. In the data, 0xff 0x00 and restart markers aren't the end. */
function endOfScan(bytes: ImageBytes, from: number): number {
  for (let at = from; ; at += 1) {
    if (bytes.uint8(at) !== 0xff) continue;
    const next = bytes.uint8(at + 1);
    const isData = next === 0x00 || (next >= MARKER.restart && next <= MARKER.lastRestart);
    if (!isData && next !== 0xff) return at;
  }
}
