import type { SqlDialect } from "./dialect.ts";

/** The values of a statement whose text is put together by hand: each as it stands in the text, with the parameters that leaves open. */
export class BoundValues {
  readonly parameters: unknown[] = [];
  readonly #dialect: SqlDialect;

  constructor(dialect: SqlDialect) {
    this.#dialect = dialect;
  }

  /** At least one value in parentheses. To be called in the order in which they stand in the text. */
  list(values: readonly unknown[]): string {
    const { text, parameters } = this.#dialect.valuesOf([values]);
    this.parameters.push(...parameters);
    return text;
  }
}
