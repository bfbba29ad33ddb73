import { type ImageBytes, ImageError, type ImageSize, type ParsedImage } from "./image.ts";

export const WEBP_SIGNATURE = "RIFF";

const RIFF_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const ANIMATION_FLAG = 0x02;
const ANIMATION_CHUNKS = new Set(["ANIM", "ANMF"]);
/** Chunks beside the image in an extended file. */
const EXTENDED_CHUNKS = new Set(["ICCP", "ALPH", "EXIF", "XMP "]);
const SIZE_BITS = 0x3fff;
/** The minimum length of each kind of header. */
const HEADER_BYTES = { extended: 10, lossy: 10, lossless: 5 } as const;

interface Chunk {
  readonly type: string;
  readonly data: number;
  readonly length: number;
  /** The offset of the next chunk. A chunk of odd length has a byte of padding. */
  readonly end: number;
}

/**
 * Checks the chunks of a still WebP (RFC 9649).
 *
 * @param bytes an image that begins with the signature
 * @throws ImageError
 */
export function parseWebp(bytes: ImageBytes): ParsedImage {
  const end = bytes.uint32LittleEndian(4) + CHUNK_HEADER_BYTES;
  if (bytes.text(8, 4) !== "WEBP" || end > bytes.length) throw new ImageError("has no WebP header, or ends too early");
  const chunks = chunksUntil(bytes, end);
  const [first] = chunks;
  if (first === undefined) throw new ImageError("has no image data");
  const size = first.type === "VP8X" ? extendedSize(bytes, first, chunks.slice(1)) : simpleSize(bytes, chunks);
  return { mediaType: "image/webp", ...size, length: end };
}

function chunksUntil(bytes: ImageBytes, end: number): readonly Chunk[] {
  const chunks: Chunk[] = [];
  let at = RIFF_HEADER_BYTES;
  while (at < end) {
    const length = bytes.uint32LittleEndian(at + 4);
    const data = at + CHUNK_HEADER_BYTES;
    chunks.push({ type: bytes.text(at, 4), data, length, end: data + length + (length % 2) });
    at = data + length + (length % 2);
  }
  if (at !== end) throw new ImageError("has a WebP chunk that goes beyond the end");
  return chunks;
}

function simpleSize(bytes: ImageBytes, chunks: readonly Chunk[]): ImageSize {
  const [image, ...rest] = chunks;
  const size = image === undefined ? undefined : imageSize(bytes, image);
  if (size === undefined || rest.length > 0) throw new ImageError("has a WebP chunk of an unknown kind");
  return size;
}

/** The size of the canvas, which must be that of its only image. */
function extendedSize(bytes: ImageBytes, header: Chunk, chunks: readonly Chunk[]): ImageSize {
  requireLength(header, HEADER_BYTES.extended);
  const isAnimated =
    (bytes.uint8(header.data) & ANIMATION_FLAG) !== 0 || chunks.some(({ type }) => ANIMATION_CHUNKS.has(type));
  if (isAnimated) throw new ImageError("is animated");
  const canvas = {
    width: bytes.uint24LittleEndian(header.data + 4) + 1,
    height: bytes.uint24LittleEndian(header.data + 7) + 1,
  };
  const images = chunks.filter(({ type }) => !EXTENDED_CHUNKS.has(type)).map((chunk) => imageSize(bytes, chunk));
  const [image] = images;
  if (image === undefined || images.length > 1)
    throw new ImageError("has no image data, or a chunk of an unknown kind");
  if (image.width !== canvas.width || image.height !== canvas.height) throw new ImageError("has two sizes");
  return canvas;
}

/** The size of the image in a chunk; undefined for a chunk that is no image. */
function imageSize(bytes: ImageBytes, chunk: Chunk): ImageSize | undefined {
  if (chunk.type === "VP8 ") return lossySize(bytes, chunk);
  if (chunk.type === "VP8L") return losslessSize(bytes, chunk);
  return undefined;
}

/** RFC 6386 section 9.1: a key frame begins with three bytes, its start code, and two sizes of 14 bits. */
function lossySize(bytes: ImageBytes, chunk: Chunk): ImageSize {
  requireLength(chunk, HEADER_BYTES.lossy);
  const { data } = chunk;
  const isKeyFrame = (bytes.uint8(data) & 1) === 0;
  if (!isKeyFrame || bytes.text(data + 3, 3) !== "\x9d\x01\x2a") throw new ImageError("has WebP data that are wrong");
  return {
    width: bytes.uint16LittleEndian(data + 6) & SIZE_BITS,
    height: bytes.uint16LittleEndian(data + 8) & SIZE_BITS,
  };
}

/** RFC 9649 section 3.4: a byte 0x2f, two sizes minus one of 14 bits each, a bit for alpha, and three for the version 0. */
function losslessSize(bytes: ImageBytes, chunk: Chunk): ImageSize {
  requireLength(chunk, HEADER_BYTES.lossless);
  const { data } = chunk;
  const bits = bytes.uint32LittleEndian(data + 1);
  if (bytes.uint8(data) !== 0x2f || bits >>> 29 !== 0) throw new ImageError("has WebP data that are wrong");
  return { width: (bits & SIZE_BITS) + 1, height: ((bits >>> 14) & SIZE_BITS) + 1 };
}

function requireLength({ length }: Chunk, least: number): void {
  if (length < least) throw new ImageError("has a WebP chunk that is too short");
}
