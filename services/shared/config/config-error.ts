/** A configuration that can't be used. Its message is one line: the variable, a colon, what is expected. */
export class ConfigError extends Error {
  /** Name of the environment variable to mend. */
  readonly variable: string;

  constructor(variable: string, expected: string) {
    super(`${variable}: ${expected}`);
    this.name = "ConfigError";
    this.variable = variable;
  }
}
