import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { codeSpans, onlyCodeBlock, tableRows } from "../../test/support/repository/markdown.ts";
import { readRepository } from "../../test/support/repository/repository.ts";
import { Env } from "../platform/config/env.ts";
import type { Chain } from "./base/chain.ts";
import { chainsConfig } from "./chains-config.ts";

const KINDS = ["evm", "svm"] as const;
type Kind = (typeof KINDS)[number];

const section =
  readRepository("docs/operating.md")
    .split(/^#### Chains$/m)[1]
    ?.split(/^##/m)[0] ?? "";

interface Field {
  readonly name: string;
  readonly kind: Kind;
  /** The default in JSON; undefined if there is none. */
  readonly standard: unknown;
  readonly isRequired: boolean;
  readonly range: string;
}

const fields: readonly Field[] = tableRows(section, "chain field").flatMap(
  ([name = "", kinds = "", standard = "", range = ""]) =>
    KINDS.filter((kind) => kinds === "both" || kinds === kind).map((kind) => ({
      name: codeSpans(name).join(),
      kind,
      standard: jsonOf(codeSpans(standard)[0]),
      isRequired: standard === "required",
      range,
    })),
);
const bounded = fields.flatMap((field) => {
  const [, min, max, unit = ""] = /^(\d+)(?:ms)? to (\d+)(ms)?(?:,|$)/.exec(field.range) ?? [];
  return min === undefined || max === undefined ? [] : [{ ...field, min: Number(min), max: Number(max), unit }];
});

function jsonOf(text: string | undefined): unknown {
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : text;
}

function chainOf(kind: Kind, change: object = {}): Chain | undefined {
  const least = kind === "evm" ? { kind, chainId: 1 } : { kind };
  const chain = { ...least, urls: ["https://node.example"], ...change };
  return chainsConfig(new Env({ CHAINS: JSON.stringify({ chain }) }))[0];
}

function refuses(kind: Kind, change: object): boolean {
  try {
    chainOf(kind, change);
    return false;
  } catch {
    return true;
  }
}

it("documents every field that the code reads, for the kinds that have it, and no other", () => {
  const source = readFileSync(new URL("./chains-config.ts", import.meta.url), "utf8");
  const names = new Set([...source.matchAll(/\bfields\.\w+\("(\w+)"/g)].map(([, name = ""]) => name));
  const known = KINDS.flatMap((kind) =>
    [...names].filter((name) => knows(kind, name)).map((name) => `${kind} ${name}`),
  );
  expect(fields.map(({ kind, name }) => `${kind} ${name}`).toSorted()).toEqual(known.toSorted());
});

/** Whether a kind of chain has a field. One that it doesn't have is refused whatever its value. */
function knows(kind: Kind, name: string): boolean {
  try {
    chainOf(kind, { [name]: null });
    return true;
  } catch (error) {
    return !String(error).includes("no such field");
  }
}

it("gives each its default", () => {
  for (const { kind, name, standard } of fields.filter(({ standard }) => standard !== undefined)) {
    expect(chainOf(kind, { [name]: standard }), name).toEqual(chainOf(kind));
  }
});

it("says which are required", () => {
  for (const { kind, name, isRequired } of fields) {
    expect(refuses(kind, { [name]: undefined }), `${kind} ${name}`).toBe(isRequired);
  }
});

it("gives each its range", () => {
  expect(bounded.length).toBeGreaterThan(10);
  for (const { kind, name, min, max, unit } of bounded) {
    const refused = [min - 1, min, max, max + 1].map((value) =>
      refuses(kind, { [name]: unit === "" ? value : `${value}${unit}` }),
    );
    expect(refused, `${kind} ${name}`).toEqual([true, false, false, true]);
  }
});

it("shows a valid example", () => {
  const chains = chainsConfig(new Env({ CHAINS: onlyCodeBlock(section, "json") }));
  expect(chains.map(({ family }) => family)).toEqual(["evm", "svm"]);
});
