/** A wrong configuration. Its message is one line: the variable, a colon, the expected value. */
export class ConfigError extends Error {
  /** The name of the wrong environment variable. */
  readonly variable: string;

  constructor(variable: string, expected: string, options?: ErrorOptions) {
    super(`${variable}: ${expected}`, options);
    this.name = "ConfigError";
    this.variable = variable;
  }
}
