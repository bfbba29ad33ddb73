/** Thrown for a wrong command line. Its message has one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** Thrown if a command fails. Its message is for people and may have several lines. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

/** Thrown if a command whose exit code is an answer can't find it out. Its message is for people and may have several lines. */
export class NoAnswer extends Error {
  override readonly name = "NoAnswer";
}

/** Thrown if the user interrupted the command. Its message says what continues, and how to see it. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
