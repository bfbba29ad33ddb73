/** The command line isn't one that there is; told in one line. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

/** A command couldn't do what it was asked for; the message is for people and may have several lines. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";
}

/** The user broke the command off; the message says what that leaves behind. */
export class Interrupted extends Error {
  override readonly name = "Interrupted";
}
