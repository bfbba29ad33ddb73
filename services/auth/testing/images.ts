import { crc32, deflateSync } from "node:zlib";

export const PNG_SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");

/** A PNG chunk. @param crc replaces the correct checksum */
export function pngChunk(type: string, data: Uint8Array = new Uint8Array(), crc?: number): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([uint32(data.length), typed, uint32(crc ?? crc32(typed))]);
}

/** The header of a PNG: 8 bits a sample. */
export function pngHeader(
  width: number,
  height: number,
  { colourType = 0, bitDepth = 8, tail = [0, 0, 0] } = {},
): Buffer {
  return pngChunk("IHDR", Buffer.concat([uint32(width), uint32(height), Buffer.from([bitDepth, colourType, ...tail])]));
}

/** A PNG of a signature and these chunks. */
export function pngOf(...chunks: readonly Uint8Array[]): Buffer {
  return Buffer.concat([PNG_SIGNATURE, ...chunks]);
}

/** A complete grey PNG, which every reader shows. */
export function pngImage(width: number, height: number): Buffer {
  const pixels = deflateSync(Buffer.alloc((width + 1) * height, 0));
  return pngOf(pngHeader(width, height), pngChunk("IDAT", pixels), pngChunk("IEND"));
}

/** A JPEG segment. */
export function jpegSegment(marker: number, data: readonly number[] = []): Buffer {
  const length = data.length + 2;
  return Buffer.from([0xff, marker, length >> 8, length & 0xff, ...data]);
}

/** A frame header of three components. */
export function jpegFrame(width: number, height: number, marker = 0xc0): Buffer {
  const components = [1, 2, 3].flatMap((id) => [id, 0x11, 0]);
  return jpegSegment(marker, [8, height >> 8, height & 0xff, width >> 8, width & 0xff, 3, ...components]);
}

/** A scan whose data contain a stuffed 0xff and a restart marker. */
export function jpegScan(): Buffer {
  return Buffer.concat([jpegSegment(0xda, [1, 1, 0, 0, 63, 0]), Buffer.from([0x12, 0xff, 0x00, 0xff, 0xd0, 0x34])]);
}

export function jpegOf(...parts: readonly Uint8Array[]): Buffer {
  return Buffer.concat([Buffer.from([0xff, 0xd8]), ...parts, Buffer.from([0xff, 0xd9])]);
}

/** The segments of a JPEG, without coded pixels. */
export function jpegImage(width: number, height: number): Buffer {
  const tables = [jpegSegment(0xe0, [...Buffer.from("JFIF\0")]), jpegSegment(0xdb, [0]), jpegSegment(0xc4, [0])];
  return jpegOf(...tables, jpegFrame(width, height), jpegScan());
}

/** A RIFF chunk, padded to an even length. */
export function webpChunk(type: string, data: Uint8Array): Buffer {
  const padding = Buffer.alloc(data.length % 2);
  return Buffer.concat([Buffer.from(type, "latin1"), uint32LittleEndian(data.length), data, padding]);
}

export function webpOf(...chunks: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat([Buffer.from("WEBP", "latin1"), ...chunks]);
  return Buffer.concat([Buffer.from("RIFF", "latin1"), uint32LittleEndian(content.length), content]);
}

export function webpLossy(width: number, height: number): Buffer {
  const frame = Buffer.from([0x10, 0, 0, 0x9d, 0x01, 0x2a, 0, 0, 0, 0, 0, 0]);
  frame.writeUInt16LE(width, 6);
  frame.writeUInt16LE(height, 8);
  return webpChunk("VP8 ", frame);
}

export function webpLossless(width: number, height: number): Buffer {
  const data = Buffer.alloc(7);
  data.writeUInt8(0x2f, 0);
  data.writeUInt32LE(((height - 1) << 14) | (width - 1), 1);
  return webpChunk("VP8L", data);
}

/** The header of an extended WebP. */
export function webpExtended(width: number, height: number, flags = 0): Buffer {
  const data = Buffer.alloc(10);
  data.writeUInt8(flags, 0);
  data.writeUIntLE(width - 1, 4, 3);
  data.writeUIntLE(height - 1, 7, 3);
  return webpChunk("VP8X", data);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

function uint32LittleEndian(value: number): Buffer {
  return uint32(value).reverse();
}
