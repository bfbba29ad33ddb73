/** Thrown for a file that can't be imported. Nothing of it is applied. */
export class ImportError extends Error {
  override readonly name = "ImportError";
  /** The line on which the wrong record begins, from 1. */
  readonly line: number;
  /** The field that breaks a rule; empty where it isn't a single one. */
  readonly field: string;
  /** The rule that is broken, for people: of a field, such as `must be true or false`. */
  readonly problem: string;

  constructor(line: number, problem: string, field = "") {
    super(`line ${line}: ${field === "" ? "" : `${field} `}${problem}`);
    this.line = line;
    this.field = field;
    this.problem = problem;
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
