/** Failed files that may run once more in the whole of a CI run. */
const CI_FILES = 2;

/** Allowance of files with failed tests that may run once more. A developer's run has none, so that no failure is overlooked. */
export class Reruns {
  #files: number;

  constructor(files: number) {
    this.#files = files;
  }

  /** Two files where the environment says `CI=true`, otherwise none. */
  static fromEnvironment(env: Readonly<Record<string, string | undefined>>): Reruns {
    return new Reruns(env["CI"] === "true" ? CI_FILES : 0);
  }

  /** Takes what the files need, all or nothing. */
  take(files: number): boolean {
    if (files === 0 || files > this.#files) return false;
    this.#files -= files;
    return true;
  }
}
