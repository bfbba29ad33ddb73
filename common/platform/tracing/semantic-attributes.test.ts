import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { expect, it } from "vitest";
import { SEMANTIC_ATTRIBUTES } from "./semantic-attributes.ts";

const PACKAGE = "@opentelemetry/semantic-conventions";

/** Returns the names of attributes in declarations of the package, those that are deprecated apart. */
function namesIn(declarations: string) {
  const found = [...declarations.matchAll(/\/\*\*((?:(?!\*\/).)*)\*\/\s*declare const ATTR_\w+: "([^"]+)";/gs)];
  const names = (isDeprecated: boolean) =>
    found.filter(([, comment = ""]) => comment.includes("@deprecated") === isDeprecated).map(([, , name]) => name);
  return { current: new Set(names(false)), deprecated: new Set(names(true)) };
}

it("the names are current ones of the version of the conventions that the source names", () => {
  const folder = dirname(createRequire(import.meta.url).resolve(PACKAGE));
  const { version } = JSON.parse(readFileSync(join(folder, "../package.json"), "utf8"));
  const source = readFileSync(new URL("semantic-attributes.ts", import.meta.url), "utf8");
  expect(source).toContain(`version ${version}.`);
  const declarations = ["stable_attributes", "experimental_attributes"].map((file) =>
    readFileSync(join(folder, `${file}.d.mts`), "utf8"),
  );
  const { current, deprecated } = namesIn(declarations.join("\n"));
  expect([...deprecated]).toEqual(expect.arrayContaining(["rpc.response.status_code", "messaging.system"]));
  expect(SEMANTIC_ATTRIBUTES.filter((name) => !current.has(name))).toEqual([]);
});
