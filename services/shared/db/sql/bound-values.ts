import type { SqlDialect } from "./dialect.ts";

/**
 * The values of a statement whose text is put together by hand: each as it stands in the text, with the parameters that leaves
 * open. To be asked for in the order in which they stand there.
 */
export class BoundValues {
  readonly parameters: unknown[] = [];
  readonly #literalOf: SqlDialect["literalOf"];

  constructor({ literalOf }: Pick<SqlDialect, "literalOf">) {
    this.#literalOf = literalOf;
  }

  one(value: unknown): string {
    if (this.#literalOf !== undefined) return this.#literalOf(value);
    this.parameters.push(value);
    return "?";
  }

  /** At least one value, in parentheses. */
  list(values: readonly unknown[]): string {
    return `(${values.map((value) => this.one(value)).join(",")})`;
  }

  /** What a `values` clause lists. */
  rows(rows: readonly (readonly unknown[])[]): string {
    return rows.map((row) => this.list(row)).join(",");
  }
}
