import type { Writable } from "node:stream";

/** Writes and waits until the data is accepted, so that nothing is lost when the process ends. */
export function write(output: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    output.write(text, (error) => (error ? reject(error) : resolve()));
  });
}
