import { promisify } from "node:util";
import { crc32, deflate } from "node:zlib";

const deflateAsync = promisify(deflate);

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const BITS = 8;
/** Colour types of PNG, and the bytes that a pixel of each takes. */
const INDEXED = { type: 3, bytes: 1 };
const RED_GREEN_BLUE_OPACITY = { type: 6, bytes: 4 };

/** A picture, in colours of a palette if it has one. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  /** Row by row: a number of the palette for each pixel; without a palette red, green, blue and opacity. */
  readonly pixels: Uint8Array;
  /** Red, green, blue, red, …: 256 colours at most. */
  readonly palette?: Uint8Array;
}

/** Returns a picture as a PNG (ISO/IEC 15948). It is compressed in a thread of Node's pool. */
export async function encodePng({ width, height, pixels, palette }: Picture): Promise<Buffer> {
  const colours = palette === undefined ? RED_GREEN_BLUE_OPACITY : INDEXED;
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  header.set([BITS, colours.type], 8);
  const data = await deflateAsync(filtered(pixels, width * colours.bytes, height));
  return Buffer.concat([
    SIGNATURE,
    chunk("IHDR", header),
    ...(palette === undefined ? [] : [chunk("PLTE", palette)]),
    chunk("IDAT", data),
    chunk("IEND", new Uint8Array()),
  ]);
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
