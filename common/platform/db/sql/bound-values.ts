import { Buffer } from "node:buffer";
import type { SqlDialect } from "./dialect.ts";
import { HexBytes } from "./hex-bytes.ts";

/**
 * Writes the values of a statement that is built as text: literals, or placeholders whose values it collects as
 * `parameters`. Its methods must be called in the order in which the values occur in the text.
 */
export class BoundValues {
  readonly parameters: unknown[] = [];
  readonly #literalOf: SqlDialect["literalOf"];

  constructor({ literalOf }: Pick<SqlDialect, "literalOf">) {
    this.#literalOf = literalOf;
  }

  one(value: unknown): string {
    if (this.#literalOf !== undefined) return this.#literalOf(value);
    this.parameters.push(value instanceof HexBytes ? Buffer.from(value.hex, "hex") : value);
    return "?";
  }

  /** Writes one or more values in parentheses. */
  list(values: readonly unknown[]): string {
    return `(${values.map((value) => this.one(value)).join(",")})`;
  }

  /** Writes the rows of a `values` clause. */
  rows(rows: readonly (readonly unknown[])[]): string {
    return rows.map((row) => this.list(row)).join(",");
  }
}
