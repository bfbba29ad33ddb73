import { crc32, deflateSync } from "node:zlib";

/** Pixels of an image, four bytes each: red, green, blue, opacity. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const SIGNATURE = Buffer.from("\x89PNG\r\n\x1a\n", "latin1");
const BYTES_PER_PIXEL = 4;
/** Bit depth 8, colour type 6 (colour with alpha), and the only methods that PNG defines (W3C PNG section 11.2.1). */
const HEADER_TAIL = [8, 6, 0, 0, 0];

/** Encodes a picture as PNG. */
export function encodePng({ width, height, pixels }: Picture): Buffer {
  const header = Buffer.concat([uint32(width), uint32(height), Buffer.from(HEADER_TAIL)]);
  const rows = deflateSync(filteredRows(width, height, pixels), { level: 9 });
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("IDAT", rows), chunk("IEND", Buffer.alloc(0))]);
}

/** The rows of pixels, each preceded by the filter type 0 (none). */
function filteredRows(width: number, height: number, pixels: Uint8Array): Buffer {
  const bytes = width * BYTES_PER_PIXEL;
  const rows = Buffer.alloc((bytes + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * bytes, (y + 1) * bytes), y * (bytes + 1) + 1);
  return rows;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const typed = Buffer.concat([Buffer.from(type, "latin1"), data]);
  return Buffer.concat([uint32(data.length), typed, uint32(crc32(typed))]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}
