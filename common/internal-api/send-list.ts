/** A line that was refused. */
export interface RefusedLine {
  readonly line: number;
  /** The column. */
  readonly field: string;
  /** The problem in words, for people. */
  readonly problem: string;
}

/** State of an import, after each of its parts. */
export interface ListProgress {
  /** Lines that were looked at. */
  readonly lines: number;
  /** Lines that were stored, or would be. */
  readonly stored: number;
  /** Lines that were stored already. */
  readonly unchanged: number;
  /** Lines that were refused. */
  readonly refused: number;
  /** The first of these, `MAX_SHOWN` at most. */
  readonly problems: readonly RefusedLine[];
}

/** A line that can be sent, or one that was refused before. */
export type SentLine<Row> = { readonly line: number } & (
  | { readonly row: Row }
  | { readonly field: string; readonly problem: string }
);

/** Answer to a part. */
export interface PartAnswer {
  readonly stored: number;
  readonly unchanged: number;
  /** Problems by the index of the row in the part. */
  readonly problems: readonly { readonly row: number; readonly field: string; readonly message: string }[];
}

/** Bound of the contract. */
export const MAX_PART_ROWS = 500;
/** Problems that an import keeps. */
export const MAX_SHOWN = 200;

/**
 * Sends the lines of a file in parts, one after the other, and yields the state after each. Sending a file again stores nothing
 * twice.
 *
 * @param send sends a part
 * @throws what reading and sending throw; the parts before are stored
 */
export async function* sendList<Row>(
  lines: AsyncIterable<SentLine<Row>>,
  send: (rows: readonly Row[]) => Promise<PartAnswer>,
): AsyncGenerator<ListProgress, void> {
  const total = new Totals();
  let part: { readonly line: number; readonly row: Row }[] = [];
  for await (const line of lines) {
    if ("row" in line) part.push(line);
    else total.refuse(line);
    if (part.length < MAX_PART_ROWS) continue;
    total.add(part, await send(part.map(({ row }) => row)));
    part = [];
    yield total.progress;
  }
  if (part.length > 0) total.add(part, await send(part.map(({ row }) => row)));
  yield total.progress;
}

class Totals {
  #lines = 0;
  #stored = 0;
  #unchanged = 0;
  #refused = 0;
  readonly #problems: RefusedLine[] = [];

  get progress(): ListProgress {
    return {
      lines: this.#lines,
      stored: this.#stored,
      unchanged: this.#unchanged,
      refused: this.#refused,
      problems: this.#problems.toSorted((a, b) => a.line - b.line),
    };
  }

  refuse({ line, field, problem }: RefusedLine): void {
    this.#lines++;
    this.#note({ line, field, problem });
  }

  add(part: readonly { readonly line: number }[], { stored, unchanged, problems }: PartAnswer): void {
    this.#lines += part.length;
    this.#stored += stored;
    this.#unchanged += unchanged;
    for (const { row, field, message } of problems) {
      this.#note({ line: part[row]?.line ?? 0, field, problem: message });
    }
  }

  #note(problem: RefusedLine): void {
    this.#refused++;
    if (this.#problems.length < MAX_SHOWN) this.#problems.push(problem);
  }
}
