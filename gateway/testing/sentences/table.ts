import type { Language } from "../../../common/platform/language/language.ts";
import { LANGUAGES } from "../../../common/platform/language/language.ts";
import { swapWords } from "../../sale-page/browser/words.js";
import { TEXTS } from "../../web/texts/texts.ts";

/** A state of a sale, and what a page says of it in the language that is written. */
export interface Case {
  /** A value for each condition of its section. */
  readonly state: readonly string[];
  readonly say: (language: Language) => readonly string[];
}

/** The states of one subject. */
export interface Section {
  readonly title: string;
  readonly conditions: readonly string[];
  readonly cases: readonly Case[];
}

interface Row {
  /** Values of each condition for which the same is said. */
  readonly state: readonly (readonly string[])[];
  /** By language. */
  readonly said: readonly string[];
}

/** Runs something while a language is written. */
export function inLanguage<Result>(language: Language, run: (language: Language) => Result): Result {
  const before = swapWords({ language, texts: TEXTS[language].sale });
  try {
    return run(language);
  } finally {
    swapWords(before);
  }
}

/** Returns a section as a table of Markdown, in which states are one row of which the same is said. */
export function tableOf({ title, conditions, cases }: Section): string {
  const all = conditions.map((_, index) => [...new Set(cases.map(({ state }) => state[index] ?? ""))]);
  const rows = conditions.reduceRight(
    (merged, _, index) => joined(merged, index),
    cases.map(({ state, say }) => ({
      state: state.map((value) => [value]),
      said: LANGUAGES.map((language) => inLanguage(language, say).map(spaced).filter(Boolean).join(" · ")),
    })) as readonly Row[],
  );
  const lines = rows.map(({ state, said }) => [
    ...state.map((values, index) => (values.length === all[index]?.length ? "any" : values.join(", "))),
    ...said,
  ]);
  return `## ${title}\n\n${aligned([[...conditions, ...LANGUAGES], ...lines])}\n`;
}

/** Returns lines as a table whose columns are as wide as their longest cells, as the formatter wants it. */
function aligned([heads = [], ...lines]: readonly (readonly string[])[]): string {
  const widths = heads.map((head, index) =>
    Math.max(3, head.length, ...lines.map((cells) => cells[index]?.length ?? 0)),
  );
  const rule = widths.map((width) => "-".repeat(width));
  return [heads, rule, ...lines]
    .map((cells) => `| ${cells.map((cell, index) => cell.padEnd(widths[index] ?? 0)).join(" | ")} |`)
    .join("\n");
}

/** Joins the rows that differ in the value of one condition only. */
function joined(rows: readonly Row[], index: number): readonly Row[] {
  const byRest = new Map<string, Row>();
  for (const row of rows) {
    const key = JSON.stringify([row.state.with(index, []), row.said]);
    const same = byRest.get(key);
    const values = [...(same?.state[index] ?? []), ...(row.state[index] ?? [])];
    byRest.set(key, { ...row, state: row.state.with(index, values) });
  }
  return [...byRest.values()];
}

/** Returns a text with ordinary spaces, as a person types them. */
function spaced(text: string): string {
  return text.replaceAll(/[\u00a0\u202f]/g, " ");
}

/** Returns all combinations of values, the last one changing fastest. */
export function combined<Values extends readonly (readonly unknown[])[]>(
  ...values: Values
): readonly { readonly [Index in keyof Values]: Values[Index][number] }[] {
  const all = values.reduce<readonly (readonly unknown[])[]>(
    (before, each) => before.flatMap((start) => each.map((value) => [...start, value])),
    [[]],
  );
  return all as readonly { readonly [Index in keyof Values]: Values[Index][number] }[];
}
