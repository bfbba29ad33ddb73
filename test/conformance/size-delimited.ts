import { readSync, writeSync } from "node:fs";

/** Bytes of a message's size, which precedes it as a big-endian number. */
const SIZE_BYTES = 4;

/** Reads one message from a file descriptor. @throws Error if the input ends before the message does */
export function readSizeDelimited(descriptor: number): Uint8Array {
  return readExactly(descriptor, readExactly(descriptor, SIZE_BYTES).readUInt32BE());
}

/** Writes one message to a file descriptor. */
export function writeSizeDelimited(descriptor: number, message: Uint8Array): void {
  const size = Buffer.alloc(SIZE_BYTES);
  size.writeUInt32BE(message.length);
  writeSync(descriptor, Buffer.concat([size, message]));
}

function readExactly(descriptor: number, length: number): Buffer {
  const bytes = Buffer.alloc(length);
  let filled = 0;
  while (filled < length) {
    const read = readSync(descriptor, bytes, filled, length - filled, null);
    if (read === 0) throw new Error("the input ended within a message");
    filled += read;
  }
  return bytes;
}
