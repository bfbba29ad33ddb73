/** Thrown for a file that can't be imported. Nothing of it is applied. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  /** The line on which the wrong record begins, from 1. */
  readonly line: number;

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.line = line;
  }
}
