import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

const deflateAsync = promisify(deflate);

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS = 8;
/** Colour type of a PNG whose pixels are numbers of a palette. */
const INDEXED = 3;

/** A picture as numbers of a palette. */
export interface IndexedPicture {
  readonly width: number;
  readonly height: number;
  /** A number for each pixel, row by row. */
  readonly pixels: Uint8Array;
  /** Red, green, blue, red, …: 256 colours at most. */
  readonly palette: Uint8Array;
}

/** Returns a picture as a PNG (ISO/IEC 15948). It is compressed in a thread of Node's pool. */
export async function encodePng({ width, height, pixels, palette }: IndexedPicture): Promise<Buffer> {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, INDEXED], 8);
  const data = await deflateAsync(filtered(pixels, width, height));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    chunk("PLTE", palette),
    chunk("IDAT", data),
    chunk("IEND", new Uint8Array()),
  ]);
}

/** Returns the rows, each after a byte that says that it isn't filtered. */
function filtered(pixels: Uint8Array, width: number, height: number): Buffer {
  const rows = Buffer.alloc((width + 1) * height);
  for (let y = 0; y < height; y++) rows.set(pixels.subarray(y * width, (y + 1) * width), y * (width + 1) + 1);
  return rows;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}
