import { createHash } from "node:crypto";
import { crc32, deflateSync } from "node:zlib";

export interface SampleLogo {
  /** SHA-256 of its content, in hex. */
  readonly hash: string;
  readonly image: Uint8Array<ArrayBuffer>;
}

type Rgb = readonly [red: number, green: number, blue: number];

const SEA: Rgb = [14, 116, 144];
const SUN: Rgb = [245, 158, 11];
const NIGHT: Rgb = [30, 41, 59];
const PAPER: Rgb = [255, 255, 255];

export const SQUARE_LOGO = logo(128, 128, (x, y) => mark(x - 64, y - 64, 56));
/** 4 : 1 */
export const WIDE_LOGO = logo(512, 128, (x, y) => (x < 128 ? mark(x - 64, y - 64, 48) : letters(x - 150, y)));

/** A sun over a sea, in a disc. */
function mark(x: number, y: number, radius: number): Rgb {
  if (Math.hypot(x, y) > radius) return PAPER;
  if (y > Math.sin(x / 9) * 4 + 6) return SEA;
  return Math.hypot(x, y + 8) < radius / 2.4 ? SUN : NIGHT;
}

/** Bars in the place of a name. */
function letters(x: number, y: number): Rgb {
  const isName = y >= 40 && y < 64 && x >= 0 && x < 320 && x % 40 < 30;
  const isLine = y >= 80 && y < 88 && x >= 0 && x < 230;
  return isName ? NIGHT : isLine ? SEA : PAPER;
}

function logo(width: number, height: number, pixel: (x: number, y: number) => Rgb): SampleLogo {
  const rows = Array.from({ length: height }, (_, y) => [
    0,
    ...Array.from({ length: width }, (_, x) => pixel(x, y)).flat(),
  ]);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // 8 bits a channel, RGB.
  header.set([8, 2], 8);
  const signature = Buffer.from("89504e470d0a1a0a", "hex");
  const data = deflateSync(Buffer.from(rows.flat()));
  const image = Buffer.concat([signature, chunk("IHDR", header), chunk("IDAT", data), chunk("IEND", Buffer.alloc(0))]);
  return { hash: createHash("sha256").update(image).digest("hex"), image: new Uint8Array(image) };
}

/** A chunk of the PNG specification, section 5.3. */
function chunk(type: string, data: Buffer): Buffer {
  const content = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const frame = Buffer.alloc(8);
  frame.writeUInt32BE(data.length, 0);
  frame.writeUInt32BE(crc32(content), 4);
  return Buffer.concat([frame.subarray(0, 4), content, frame.subarray(4)]);
}
