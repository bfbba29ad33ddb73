type CleanUp = () => unknown;

/** Registers what is done at the end of a test; nothing is where no test runs, as in scripts that use helpers of tests. */
let register: (cleanUp: CleanUp) => void = () => {};

/** Takes the test runner's own function, which this file can't import: scripts use it, too. */
export function takeRegister(runners: typeof register): void {
  register = runners;
}

/** Does something at the end of the running unit test. */
export function atTestEnd(cleanUp: CleanUp): void {
  register(cleanUp);
}
