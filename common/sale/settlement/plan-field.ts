/** Thrown for a file that isn't a settlement plan. The message names the field and its rule. */
export class PlanError extends Error {
  override readonly name = "PlanError";
}

const INTEGER = /^(0|[1-9]\d{0,199})$/;
const MAX_TEXT = 1_000;

/** A field of a plan that somebody has sent, with its path. Each method throws a `PlanError` that names it. */
export class PlanField {
  readonly #value: unknown;
  readonly #path: string;

  constructor(value: unknown, path = "plan") {
    this.#value = value;
    this.#path = path;
  }

  /** The member of an object; a later method fails where it is absent. */
  at(name: string): PlanField {
    const value = this.#value;
    if (typeof value !== "object" || value === null || Array.isArray(value)) return this.#fail("an object");
    const own = Object.hasOwn(value, name) ? (value as Readonly<Record<string, unknown>>)[name] : undefined;
    return new PlanField(own, `${this.#path}.${name}`);
  }

  /** The member of an object; undefined where it is absent. */
  optional(name: string): PlanField | undefined {
    const field = this.at(name);
    return field.#value === undefined ? undefined : field;
  }

  list(): readonly PlanField[] {
    if (!Array.isArray(this.#value)) return this.#fail("a list");
    return this.#value.map((value, index) => new PlanField(value, `${this.#path}[${index}]`));
  }

  text(): string {
    const value = this.#value;
    return typeof value === "string" && value.length <= MAX_TEXT ? value : this.#fail("a text");
  }

  /** An integer of 0 or more, as a decimal text. */
  integer(): bigint {
    const value = this.#value;
    return typeof value === "string" && INTEGER.test(value) ? BigInt(value) : this.#fail("a decimal integer in quotes");
  }

  /** A number of decimals, 0 to 36. */
  decimals(): number {
    const value = this.#value;
    const isValid = typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 36;
    return isValid ? value : this.#fail("an integer from 0 to 36");
  }

  /** Bytes as `0x` and lower-case hex digits. @returns the digits */
  hex(bytes: number): string {
    const value = this.#value;
    const isValid = typeof value === "string" && value.length === 2 + 2 * bytes && /^0x[0-9a-f]*$/.test(value);
    return isValid ? value.slice(2) : this.#fail(`0x and ${bytes} bytes in lower-case hex`);
  }

  oneOf<Choice extends string>(choices: readonly Choice[]): Choice {
    const found = choices.find((choice) => choice === this.#value);
    return found ?? this.#fail(`one of ${choices.join(", ")}`);
  }

  #fail(rule: string): never {
    throw new PlanError(`${this.#path} must be ${rule}`);
  }
}
