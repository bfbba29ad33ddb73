import type { JsonObject } from "./json.ts";

/** A rule that a field breaks. */
export interface Violation {
  readonly field: string;
  readonly rule: string;
  readonly message: string;
}

/** An answer other than the wanted one. */
export class MockError extends Error {
  readonly status: number;
  /** The body; an empty text for none. */
  readonly body: JsonObject | string;

  constructor(status: number, body: JsonObject | string) {
    super(`${status}`);
    this.name = "MockError";
    this.status = status;
    this.body = body;
  }
}

/** Returns an error in the shape that all calls share. */
export function callError(status: number, code: string, message: string, details: JsonObject = {}): MockError {
  return new MockError(status, { code, message, details });
}

/** Returns a refusal that names every field with the rule that it breaks. */
export function invalidFields(violations: readonly Violation[]): MockError {
  const message = violations.map(({ field, message }) => `${field}: ${message}`).join("; ");
  return callError(400, "invalid_argument", message, { violations: violations.map((violation) => ({ ...violation })) });
}
