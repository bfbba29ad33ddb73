/** An event of a stream of server-sent events. */
export interface StreamEvent {
  readonly event: string;
  /** Empty for an event without ID. */
  readonly id: string;
  readonly data: string;
}

/** A line break; a carriage return at the end may be half of one. */
const LINE_BREAK = /\r\n|\n|\r(?!$)/;

/** Splits a stream of server-sent events into events (HTML standard, section 9.2.6). */
export class EventParser {
  readonly #decoder = new TextDecoder();
  #rest = "";
  #fields: Record<string, string> = {};

  /** Returns the events that a chunk of bytes completes. */
  push(chunk: Uint8Array): StreamEvent[] {
    const lines = (this.#rest + this.#decoder.decode(chunk, { stream: true })).split(LINE_BREAK);
    this.#rest = lines.pop() ?? "";
    return lines.flatMap((line) => this.#take(line));
  }

  #take(line: string): StreamEvent[] {
    if (line === "") return this.#complete();
    const colon = line.indexOf(":");
    const name = colon === -1 ? line : line.slice(0, colon);
    const text = colon === -1 ? "" : line.slice(colon + 1);
    const value = text.startsWith(" ") ? text.slice(1) : text;
    const before = this.#fields[name];
    this.#fields[name] = name === "data" && before !== undefined ? `${before}\n${value}` : value;
    return [];
  }

  #complete(): StreamEvent[] {
    const { event = "", id = "", data } = this.#fields;
    this.#fields = {};
    return data === undefined ? [] : [{ event: event || "message", id, data }];
  }
}
