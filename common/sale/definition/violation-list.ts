import { invalidArgument, type Violation } from "../../platform/errors/service-error.ts";

const MAX_VIOLATIONS = 20;

/** Collects the violations of a request, so that the caller learns of up to 20 at once. */
export class ViolationList {
  readonly #violations: Violation[] = [];

  /** Adds a violation. The 20th throws `invalid_argument` with all of them, which bounds both the work and the error. */
  add(field: string, rule: string, message: string): void {
    this.#violations.push({ field, rule, message });
    if (this.#violations.length === MAX_VIOLATIONS) throw invalidArgument(this.#violations);
  }

  /** Throws `invalid_argument` if there is any violation. */
  throwIfAny(): void {
    if (this.#violations.length > 0) throw invalidArgument(this.#violations);
  }
}
