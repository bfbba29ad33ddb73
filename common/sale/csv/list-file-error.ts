/** A file that can't be read any further. What was read before may have been stored. */
export class ListFileError extends Error {
  /** Line at which the reading ended, from 1; undefined where the whole file is of the wrong kind. */
  readonly line: number | undefined;

  /** @param reason the rule that the file breaks, for people */
  constructor(line: number | undefined, reason: string) {
    super(reason);
    this.name = "ListFileError";
    this.line = line;
  }
}
