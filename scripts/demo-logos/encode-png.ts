import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

const deflateAsync = promisify(deflate);

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS = 8;
/** The colour type of PNG with red, green, blue and opacity, each a byte. */
const COLOUR_TYPE = 6;
const PIXEL_BYTES = 4;

/** A picture. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Row by row: red, green, blue and opacity of each pixel. */
  readonly pixels: Uint8Array;
}

/** Returns a picture as a PNG (ISO/IEC 15948). It is compressed in a thread of Node's pool. */
export async function encodePng({ width, height, pixels }: Picture): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, COLOUR_TYPE], 8);
  const data = await deflateAsync(filtered(pixels, width * PIXEL_BYTES, height));
  return Buffer.concat([SIGNATURE, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", new Uint8Array())]);
}

/** Returns the rows, each after a byte that says that it isn't filtered. */
function filtered(pixels: Uint8Array, rowBytes: number, height: number): Buffer {
  const rows = Buffer.alloc((rowBytes + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * rowBytes, (y + 1) * rowBytes), y * (rowBytes + 1) + 1);
  return rows;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
