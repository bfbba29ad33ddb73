/** A wrong configuration. Its message is one line: the variable, a colon, the expected value. */
export class ConfigError extends Error {
  /** The name of the wrong environment variable. */
  readonly variable: string;

  constructor(variable: string, expected: string) {
    super(`${variable}: ${expected}`);
    this.name = "ConfigError";
    this.variable = variable;
  }
}
