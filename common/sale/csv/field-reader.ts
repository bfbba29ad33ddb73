import { messageBytes } from "../../platform/encoding/hex.ts";
import { ImportError } from "./import-error.ts";

export const MAX_UINT256 = 2n ** 256n - 1n;
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/** Reads the fields of a record. Each method throws an `ImportError` that names the field and the rule that it breaks. */
export class FieldReader {
  readonly #line: number;

  constructor(line: number) {
    this.#line = line;
  }

  bytes(field: string, text: string, length?: number): Uint8Array<ArrayBuffer> {
    const [, hex] = /^0x((?:[0-9a-fA-F]{2})*)$/.exec(text) ?? [];
    const isValid = hex !== undefined && (length === undefined || hex.length === 2 * length);
    return isValid ? messageBytes(hex) : this.#fail(field, `0x and ${length ?? "any number of"} bytes in hex`, text);
  }

  /** A time to the second, or seconds since 1970. */
  time(field: string, text: string): bigint {
    if (/^\d{1,12}$/.test(text)) return BigInt(text);
    const millis = TIME.test(text) ? Date.parse(text) : Number.NaN;
    return Number.isNaN(millis)
      ? this.#fail(field, "a time such as 2026-01-31T12:00:00Z", text)
      : BigInt(millis / 1_000);
  }

  integer(field: string, text: string, largest: bigint): bigint {
    const value = /^(0|[1-9]\d{0,77})$/.test(text) ? BigInt(text) : -1n;
    return value < 0n || value > largest ? this.#fail(field, `a whole number up to ${largest}`, text) : value;
  }

  boolean(field: string, text: string): boolean {
    return text === "true" || text === "false" ? text === "true" : this.#fail(field, "true or false", text);
  }

  text(field: string, text: string): string {
    return text === "" ? this.#fail(field, "an address", text) : text;
  }

  #fail(field: string, expected: string, text: string): never {
    throw new ImportError(this.#line, `must be ${expected}, not ${JSON.stringify(text.slice(0, 100))}`, field);
  }
}
