import { Buffer } from "node:buffer";
import { ParticipantFileError } from "./participant-file-error.ts";

/** The longest line, in bytes: many times what the columns can hold. */
export const MAX_LINE_BYTES = 8_192;

const LINE_FEED = 0x0a;
const HINT = "save the file as “CSV UTF-8”";
const NOTHING = Buffer.alloc(0);

/**
 * Decodes UTF-8 strictly, in texts of whole lines. It holds a chunk and one line at most, whatever comes.
 *
 * @throws ParticipantFileError for another encoding, and for a line of more than `MAX_LINE_BYTES`
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

  /** Returns the lines that end in a chunk. */
  decode(chunk: Uint8Array): string {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    let text = "";
    let from = 0;
    for (let end = bytes.indexOf(LINE_FEED); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
      text += this.#text(this.#joined(bytes.subarray(from, end + 1)));
      this.#begun = NOTHING;
      this.#line += 1;
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

  #joined(bytes: Buffer): Buffer {
    const length = this.#begun.length + bytes.length;
    if (length > MAX_LINE_BYTES) {
      throw new ParticipantFileError(this.#line, `has more than ${MAX_LINE_BYTES} bytes: this is no list of members`);
    }
    return this.#begun.length === 0 ? bytes : Buffer.concat([this.#begun, bytes]);
  }

  #text(line: Buffer): string {
    if (isUtf16(line, this.#line)) throw new ParticipantFileError(this.#line, `is UTF-16: ${HINT}`);
    if (line.includes(0)) throw new ParticipantFileError(this.#line, `holds a zero byte, so it is no text: ${HINT}`);
    try {
      const text = this.#decoder.decode(line);
      return this.#line === 1 ? text.replace(/^\ufeff/, "") : text;
    } catch {
      throw new ParticipantFileError(this.#line, `isn’t UTF-8: ${HINT}`);
    }
  }
}

/** Whether the first line begins with the byte order mark of UTF-16. */
function isUtf16(line: Buffer, number: number): boolean {
  const [first, second] = line;
  return number === 1 && ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff));
}
