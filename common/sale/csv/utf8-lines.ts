import { Buffer } from "node:buffer";
import { ListFileError } from "./list-file-error.ts";

/** The longest line, in bytes: more than the longest e-mail address, wallet, entity ID, group and two amounts take. */
export const MAX_LINE_BYTES = 4_096;

const [LINE_FEED, CARRIAGE_RETURN] = [0x0a, 0x0d];
const HINT = "save the file as “CSV UTF-8”";
const NOTHING = Buffer.alloc(0);

/**
 * Decodes UTF-8 strictly, in texts of whole lines, without a byte order mark. It holds a chunk and one line at most, whatever
 * comes.
 *
 * @throws ListFileError for another encoding, and for a line of more than `MAX_LINE_BYTES`
 */
export async function* utf8Lines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void> {
  const decoder = new LineDecoder();
  for await (const chunk of chunks) {
    const text = decoder.decode(chunk);
    if (text !== "") yield text;
  }
  const rest = decoder.end();
  if (rest !== "") yield rest;
}

class LineDecoder {
  readonly #decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  /** The number of the line that `#begun` is of. */
  #line = 1;
  #begun = NOTHING;
  #endedByReturn = false;

  /** Returns the lines that end in a chunk. */
  decode(chunk: Uint8Array): string {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let text = "";
    let from = 0;
    for (let end = endOfLine(bytes, 0); end >= 0; end = endOfLine(bytes, from)) {
      text += this.#endLine(bytes.subarray(from, end + 1));
      from = end + 1;
    }
    // Copied, as whoever gave the chunk may use its memory again.
    this.#begun = Buffer.from(this.#joined(bytes.subarray(from)));
    return text;
  }

  /** Returns the last line, which may lack its end. */
  end(): string {
    return this.#text(this.#begun);
  }

  /** @param rest the bytes up to the end of a line */
  #endLine(rest: Buffer): string {
    const text = this.#text(this.#joined(rest));
    // CR and LF together end one line.
    const isSecondHalf = this.#endedByReturn && text === "\n";
    if (!isSecondHalf) this.#line += 1;
    this.#endedByReturn = text.endsWith("\r");
    this.#begun = NOTHING;
    return text;
  }

  #joined(bytes: Buffer): Buffer {
    if (this.#begun.length + bytes.length > MAX_LINE_BYTES) {
      throw new ListFileError(this.#line, `a line may have at most ${MAX_LINE_BYTES} bytes`);
    }
    return this.#begun.length === 0 ? bytes : Buffer.concat([this.#begun, bytes]);
  }

  #text(line: Buffer): string {
    if (isUtf16(line, this.#line)) throw new ListFileError(undefined, `the file is UTF-16: ${HINT}`);
    if (line.includes(0)) throw new ListFileError(this.#line, `a zero byte, so the file is no text: ${HINT}`);
    try {
      const text = this.#decoder.decode(line);
      return this.#line === 1 ? text.replace(/^\ufeff/, "") : text;
    } catch {
      throw new ListFileError(this.#line, `the file isn’t UTF-8 text: ${HINT}`);
    }
  }
}

/** Returns where the next line ends; -1 if none does. */
function endOfLine(bytes: Buffer, from: number): number {
  const feed = bytes.indexOf(LINE_FEED, from);
  const before = feed < 0 ? bytes : bytes.subarray(0, feed);
  const carriage = before.indexOf(CARRIAGE_RETURN, from);
  return carriage < 0 ? feed : carriage;
}

/** Whether the first line begins with the byte order mark of UTF-16. */
function isUtf16(line: Buffer, number: number): boolean {
  const [first, second] = line;
  return number === 1 && ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff));
}
