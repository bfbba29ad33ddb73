/**
 * Length that a log keeps, in UTF-16 code units; older lines are dropped first. Tests read what processes said at the start of a run, also
 * on a slow machine, where 300 sales with faults are more than a million.
 */
const KEPT_LENGTH = 10_000_000;

type LineListener = (line: string) => void;

/** The lines that a process has printed so far, and who waits for the next ones. Bounded to about 10 MB. */
export class LineLog {
  readonly #lines: string[] = [];
  readonly #listeners = new Set<LineListener>();
  #length = 0;

  /** Adds a finished line and wakes those who listen. */
  add(line: string): void {
    this.#lines.push(line);
    this.#length += line.length + 1;
    while (this.#length > KEPT_LENGTH) this.#length -= (this.#lines.shift()?.length ?? 0) + 1;
    for (const listener of this.#listeners) listener(line);
  }

  /** The kept lines as one text. */
  text(): string {
    return this.#lines.join("\n");
  }

  /** The first match among the kept lines, or in a line still to come; waits for as long as `signal` lets it. */
  match(pattern: RegExp, signal: AbortSignal): Promise<RegExpExecArray> {
    for (const line of this.#lines) {
      const match = pattern.exec(line);
      if (match) return Promise.resolve(match);
    }
    return this.#nextMatch(pattern, signal);
  }

  #nextMatch(pattern: RegExp, signal: AbortSignal): Promise<RegExpExecArray> {
    return new Promise((resolve, reject) => {
      const done = () => {
        this.#listeners.delete(listener);
        signal.removeEventListener("abort", onAbort);
      };
      const listener = (line: string) => {
        const match = pattern.exec(line);
        if (!match) return;
        done();
        resolve(match);
      };
      const onAbort = () => {
        done();
        reject(signal.reason);
      };
      if (signal.aborted) return reject(signal.reason);
      this.#listeners.add(listener);
      signal.addEventListener("abort", onAbort);
    });
  }
}
