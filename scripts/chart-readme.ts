import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { isMap, isScalar, type Pair, parseDocument, type Scalar } from "yaml";
import { codeSpans, tableRows } from "../test/support/repository/markdown.ts";
import { ROOT } from "./test/run-command.ts";

const CHART = join(ROOT, "deploy/helm/tidemark");
export const README = join(CHART, "README.md");
/** The settings that the chart knows, one a line: a misspelt one would change nothing, and nobody would notice. */
export const SETTINGS = join(CHART, "files/settings.txt");

/** A value of the chart, as the README documents it. */
interface DocumentedValue {
  readonly name: string;
  readonly standard: string;
  readonly meaning: string;
}

/** Generates the chart's README: a table of all values, from their comments that begin with `--`. */
export async function chartReadme(): Promise<string> {
  const values = documentedValues(await readFile(join(CHART, "values.yaml"), "utf8"));
  const rows = values.map(({ name, standard, meaning }) => `| \`${name}\` | ${standard} | ${meaning} |`);
  return `# Helm chart of Tidemark

Generated from the comments of [values.yaml](values.yaml) by \`npm run chart-readme\`. To install the chart, see
[docs/kubernetes.md](../../../docs/kubernetes.md); to upgrade it, [UPGRADING.md](UPGRADING.md).

- [values-ha.yaml](values-ha.yaml): for production, together with your own values
- [values-evaluation.yaml](values-evaluation.yaml): everything in one pod, **never for production**

\`values.schema.json\` refuses values that don't exist.

| value | default | meaning |
| --- | --- | --- |
${rows.join("\n")}
`;
}

/** Lists the settings of docs/operating.md, in its order. */
export async function chartSettings(): Promise<string> {
  const rows = tableRows(await readFile(join(ROOT, "docs/operating.md"), "utf8"), "variable");
  return rows.flatMap(([name = ""]) => codeSpans(name)).join("\n");
}

/** Reads the values with their comments. @throws Error for a value without a comment that begins with `--` */
export function documentedValues(text: string): readonly DocumentedValue[] {
  return valuesOf(parseDocument(text).contents, "");
}

function valuesOf(node: unknown, prefix: string): DocumentedValue[] {
  if (!isMap(node)) return [];
  return node.items.flatMap((pair, index) => {
    const { key, value } = pair as Pair<Scalar<string>, unknown>;
    const name = `${prefix}${key.value}`;
    // A comment before the first key belongs to the map.
    const comment = key.commentBefore ?? (index === 0 ? node.commentBefore : undefined) ?? "";
    const meaning = /(?:^|\n) -- ([\s\S]*)$/.exec(comment)?.[1];
    if (meaning !== undefined)
      return [{ name, standard: standardOf(value), meaning: meaning.replaceAll(/\n\s*/g, " ") }];
    if (isMap(value) && value.items.length > 0) return valuesOf(value, `${name}.`);
    throw new Error(`values.yaml: ${name} has no comment that begins with --`);
  });
}

function standardOf(value: unknown): string {
  const json = isScalar(value) ? value.value : (value as { toJSON(): unknown }).toJSON();
  return json === "" ? "" : `\`${JSON.stringify(json)}\``;
}

if (process.argv[1] === import.meta.filename) {
  await writeFile(README, await chartReadme());
  await writeFile(SETTINGS, await chartSettings());
}
