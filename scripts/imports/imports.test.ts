import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../../test/support/repository/repository.ts";
import { ALLOWED_IMPORTS, UNRESTRICTED } from "./allowed-imports.ts";
import { importCycles } from "./import-cycles.ts";
import { type ImportGraph, importedFiles, readImportGraph } from "./import-graph.ts";
import { checkImports, isTestHelper } from "./import-violations.ts";

function readSources(): ImportGraph {
  const graph = readImportGraph(REPOSITORY_ROOT, ["common", "services", "gateway", "client"]);
  const isSource = (file: string) => !file.endsWith(".test.ts") && !isTestHelper(file);
  return new Map([...graph].filter(([file]) => isSource(file) && !UNRESTRICTED.some((path) => file.startsWith(path))));
}

const sources = readSources();

it("reads the sources of every service and of the gateway", () => {
  for (const zone of Object.keys(ALLOWED_IMPORTS).filter((zone) => zone !== "proto/gen")) {
    expect([...sources.keys()].some((file) => file.startsWith(zone))).toBe(true);
  }
});

it("finds no import that the table doesn't allow, no file without a zone, and no allowed edge that nothing uses", () => {
  const { violations, unplaced, unused } = checkImports(sources, ALLOWED_IMPORTS);
  expect(violations).toEqual([]);
  expect(unplaced).toEqual([]);
  expect(unused).toEqual([]);
});

it("finds no import cycle, types included", () => {
  expect(importCycles(sources)).toEqual([]);
});

it("allows no cycle between zones", () => {
  expect(importCycles(new Map(Object.entries(ALLOWED_IMPORTS)))).toEqual([]);
});

const planted = (file: string, source: string): ImportGraph => new Map([[file, importedFiles(file, source)]]);
const findViolations = (graph: ImportGraph) => checkImports(graph, ALLOWED_IMPORTS).violations;

it.each([
  ["another service's inside", "services/cli/main.ts", "../auth/config.ts"],
  ["a type of another service", "services/indexer/main.ts", "../commitments/config.ts"],
  ["a service, by the gateway", "gateway/main.ts", "../services/auth/config.ts"],
  ["a service, by shared code", "common/platform/log/log.ts", "../../auth/config.ts"],
  ["a helper of tests", "services/auth/main.ts", "./testing/fake-clock.ts"],
  ["the demo", "services/cli/main.ts", "../demo/demo.ts"],
  ["an RPC, by the store", "services/commitments/changing/sale-changes.ts", "../../rpc/routes.ts"],
  ["messages, by the domain", "services/commitments/base/domain/sale-state.ts", "../../messages/sale-message.ts"],
  ["a use case, by the store", "services/commitments/base/sale-snapshot.ts", "../../use-cases/open-sale.ts"],
  ["authorization, by tokens", "services/auth/tokens/access-tokens.ts", "../authorization/grant-code.ts"],
  ["the gateway, by the client", "client/follow.ts", "../gateway/streams/difference.ts"],
  ["a page, by what pages share", "gateway/web/pages/page.ts", "../../account/account-page.ts"],
])("catches an import of %s", (_case, file, path) => {
  const sources = [`import { a } from "${path}";`, `export type { A } from "${path}";`, `await import("${path}");`];
  for (const source of sources) {
    const report = checkImports(planted(file, source), ALLOWED_IMPORTS);
    expect([...report.violations, ...report.unplaced]).toHaveLength(1);
  }
});

it("allows imports that the table names, and imports within a zone", () => {
  expect(
    findViolations(planted("services/cli/main.ts", 'import "../shared/config/env.ts"; import "./config.ts";')),
  ).toEqual([]);
});

it("finds a cycle through types", () => {
  const graph = new Map([
    ...planted("services/a/one.ts", 'import type { Two } from "./two.ts";'),
    ...planted("services/a/two.ts", 'export type { One } from "./one.ts";'),
  ]);
  expect(importCycles(graph)).toEqual([["services/a/one.ts", "services/a/two.ts"]]);
});

it("finds cycles of any length, and a file that imports itself", () => {
  const graph = new Map([
    ["a", ["b"]],
    ["b", ["c", "d"]],
    ["c", ["a"]],
    ["d", ["e"]],
    ["e", []],
    ["f", ["f"]],
  ]);
  expect(importCycles(graph)).toEqual([["a", "b", "c"], ["f"]]);
});
