/** Thrown for a file that can't be imported. Nothing of it is applied. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  /** The line on which the wrong record begins, from 1. */
  readonly line: number;
  /** The rule that the record breaks, for people. */
  readonly reason: string;

  constructor(line: number, reason: string) {
    super(`line ${line}: ${reason}`);
    this.line = line;
    this.reason = reason;
  }
}

/** Called with a record that breaks a rule. */
export type OnProblem = (problem: ImportError) => void;

/** Ends the reading at the first problem. */
export const throwProblem: OnProblem = (problem) => {
  throw problem;
};

/** Returns the problem of a record with a token that the sale doesn't take. */
export function unknownToken(line: number, token: string): ImportError {
  return new ImportError(line, `the sale has no payment token ${JSON.stringify(token.slice(0, 100))}`);
}
