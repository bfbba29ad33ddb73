import { Buffer } from "node:buffer";
import { crc32 } from "node:zlib";

/** A file of an archive. */
export interface ArchivedFile {
  /** Path with slashes, ASCII. */
  readonly path: string;
  readonly bytes: Uint8Array;
}

const [LOCAL_HEADER, CENTRAL_HEADER, END_RECORD] = [0x04034b50, 0x02014b50, 0x06054b50];
/** The version that a reader must know at least: 2.0, which has folders. */
const VERSION = 20;
/** Midnight of the first day that the format can say, 1 January 1980, so that the same files make the same archive. */
const [TIME, DATE] = [0, (1 << 5) | 1];

/**
 * Returns files as a ZIP archive (APPNOTE 6.3), none of them compressed.
 *
 * @param files at most 65,535, 4 GiB in all
 */
export function zipArchive(files: readonly ArchivedFile[]): Uint8Array<ArrayBuffer> {
  const parts: Uint8Array[] = [];
  const central: Uint8Array[] = [];
  let at = 0;
  for (const { path, bytes } of files) {
    const name = Buffer.from(path, "ascii");
    const facts = factsOf(name, bytes);
    const local = Buffer.concat([words32(LOCAL_HEADER), words16(VERSION), facts, words16(0), name]);
    parts.push(local, bytes);
    central.push(
      Buffer.concat([words32(CENTRAL_HEADER), words16(VERSION, VERSION), facts]),
      // No comment, the first disk, no attributes, and where the file begins.
      Buffer.concat([words16(0, 0, 0, 0), words32(0, at), name]),
    );
    at += local.length + bytes.length;
  }
  const size = central.reduce((sum, { length }) => sum + length, 0);
  const end = [words32(END_RECORD), words16(0, 0, files.length, files.length), words32(size, at), words16(0)];
  return Uint8Array.from(Buffer.concat([...parts, ...central, ...end]));
}

/** Returns what both headers of a file have: no flags, stored, time, checksum, sizes, and the length of its name. */
function factsOf(name: Uint8Array, bytes: Uint8Array): Buffer {
  const { length } = bytes;
  return Buffer.concat([words16(0, 0, TIME, DATE), words32(crc32(bytes), length, length), words16(name.length)]);
}

function words16(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(2 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt16LE(number, 2 * index);
  return bytes;
}

function words32(...numbers: readonly number[]): Buffer {
  const bytes = Buffer.alloc(4 * numbers.length);
  for (const [index, number] of numbers.entries()) bytes.writeUInt32LE(number, 4 * index);
  return bytes;
}
