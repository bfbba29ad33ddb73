import { createReadStream } from "node:fs";

/** Yields the bytes of a file, each chunk after `onBytes` was called with it. @throws the error of a file that can't be read */
export async function* fileChunks(
  path: string,
  onBytes: (bytes: Uint8Array) => void,
): AsyncGenerator<Uint8Array, void> {
  for await (const chunk of createReadStream(path)) {
    onBytes(chunk);
    yield chunk;
  }
}
