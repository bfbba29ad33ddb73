/** A file of members or wallets that can't be read any further. */
export class ParticipantFileError extends Error {
  /** The line, from 1. */
  readonly line: number;

  constructor(line: number, message: string) {
    super(`line ${line}: ${message}`);
    this.name = "ParticipantFileError";
    this.line = line;
  }
}
