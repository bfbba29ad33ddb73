/** An event as a browser gets it, or a part of the stream that isn't an event (`retry`). */
export interface StreamPart {
  readonly event?: string;
  readonly id?: string;
  readonly data?: string;
  readonly retry?: string;
}

/** Reads a stream of server-sent events part by part, in the form in which the gateway writes them. */
export class StreamReader {
  readonly response: Response;
  readonly #chunks: ReadableStreamDefaultReader<string>;
  readonly #aborting: AbortController;
  #text = "";

  private constructor(response: Response, chunks: ReadableStreamDefaultReader<string>, aborting: AbortController) {
    this.response = response;
    this.#chunks = chunks;
    this.#aborting = aborting;
  }

  static async open(url: string, headers: Readonly<Record<string, string>> = {}): Promise<StreamReader> {
    const aborting = new AbortController();
    const response = await fetch(url, { headers, signal: aborting.signal });
    if (response.body === null) throw new Error("the answer has no body");
    const chunks = response.body.pipeThrough(new TextDecoderStream()).getReader();
    return new StreamReader(response, chunks, aborting);
  }

  /** Returns the next part; undefined at the end of the stream. */
  async part(): Promise<StreamPart | undefined> {
    for (;;) {
      const end = this.#text.indexOf("\n\n");
      if (end !== -1) {
        const block = this.#text.slice(0, end);
        this.#text = this.#text.slice(end + 2);
        return parsePart(block);
      }
      const { done, value } = await this.#chunks.read();
      if (done) return undefined;
      this.#text += value;
    }
  }

  /** Returns the next event with figures: `body` or `difference`. @throws Error at the end of the stream */
  event(): Promise<StreamPart> {
    return this.#next(({ id }) => id !== undefined);
  }

  /** Returns the next event about the feed: `state` or `heartbeat`. @throws Error at the end of the stream */
  feedEvent(): Promise<StreamPart> {
    return this.#next(({ event }) => event === "state" || event === "heartbeat");
  }

  /** Returns the next event that says what the sale is. @throws Error at the end of the stream */
  saleEvent(): Promise<StreamPart> {
    return this.#next(({ event }) => event === "sale");
  }

  async #next(isWanted: (part: StreamPart) => boolean): Promise<StreamPart> {
    for (;;) {
      const part = await this.part();
      if (part === undefined) throw new Error("the stream has ended");
      if (isWanted(part)) return part;
    }
  }

  close(): void {
    this.#aborting.abort();
    this.#chunks.closed.catch(() => {});
  }
}

function parsePart(block: string): StreamPart {
  const part: { event?: string; id?: string; data?: string; retry?: string } = {};
  for (const line of block.split("\n")) {
    const [, name, value] = /^([a-z]*):? ?(.*)$/.exec(line) ?? [];
    if (name === "event" || name === "id" || name === "data" || name === "retry") part[name] = value ?? "";
    else throw new Error(`a line that no stream has: ${line}`);
  }
  return part;
}
