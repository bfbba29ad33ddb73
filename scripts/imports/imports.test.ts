import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../../test/support/repository/repository.ts";
import { filesNamingFamilies, namesFamily } from "./chain-families.ts";
import { EXCEPTIONS, FILES_NAMING_FAMILIES } from "./exceptions.ts";
import { folderCircles, importCycles } from "./import-cycles.ts";
import { folderGraph, type ImportGraph, importedFiles, readImportGraph } from "./import-graph.ts";
import { findViolations, outdatedExceptions, unexceptedViolations, withoutExceptions } from "./import-violations.ts";
import { IMPORT_RULES } from "./rules.ts";

const sources = readImportGraph(REPOSITORY_ROOT, ["common", "services", "gateway", "client"]);
const folders = folderGraph(sources);
const violations = [...findViolations(sources, IMPORT_RULES), ...folderCircles(folders)];

const planted = (file: string, source: string): ImportGraph => new Map([[file, importedFiles(file, source)]]);
const brokenRules = (file: string, source: string) =>
  findViolations(planted(file, source), IMPORT_RULES).map(({ rule }) => rule);

it("reads the sources that each rule is about", () => {
  expect(sources.size).toBeGreaterThan(1_500);
  for (const rule of IMPORT_RULES) {
    expect(findViolations(sources, [{ ...rule, only: [] }]), JSON.stringify(rule.of)).not.toEqual([]);
  }
});

it("finds every source below a folder that a rule is about", () => {
  const floors = [
    /^common\/(?:platform|chains|sale|contracts|verify|internal-api)\//,
    /^services\/(?:(?:auth|commitments|entities|indexer|cli|demo|embedded)\/|embedded\.ts$)/,
    /^(?:gateway|client)\//,
  ];
  expect([...sources.keys()].filter((file) => !floors.some((floor) => floor.test(file)))).toEqual([]);
});

it("finds no import against a rule, unless it is an exception", () => {
  expect(unexceptedViolations(findViolations(sources, IMPORT_RULES), EXCEPTIONS)).toEqual([]);
});

it("finds no exception that nothing needs any more, so that the list only shrinks", () => {
  expect(outdatedExceptions(violations, EXCEPTIONS)).toEqual([]);
});

it("finds no circle of files, types included", () => {
  expect(importCycles(sources)).toEqual([]);
});

it("finds no circle of folders, unless it is an exception", () => {
  expect(folderCircles(withoutExceptions(folders, EXCEPTIONS))).toEqual([]);
});

it("finds no more files that name a family of chains, and fewer only with a smaller number", () => {
  expect(filesNamingFamilies(REPOSITORY_ROOT, sources.keys())).toHaveLength(FILES_NAMING_FAMILIES);
});

it.each([
  [1, "a proto of a sale", "common/platform/log/log.ts", "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts"],
  [1, "a sale, by the platform", "common/platform/log/log.ts", "../../sale/definition/sale.ts"],
  [2, "a contract, by chains", "common/chains/evm/block.ts", "../../contracts/source-snapshot.ts"],
  [2, "another family", "common/chains/evm/block.ts", "../svm/svm-rpc.ts"],
  [3, "a package with I/O", "common/sale/figures/price.ts", "node:fs"],
  [3, "a database", "common/sale/figures/price.ts", "kysely"],
  [3, "what reads a chain", "common/sale/figures/price.ts", "../../chains/evm/block.ts"],
  [4, "a reader, by a family of contracts", "common/contracts/reference/evm/abi.ts", "../../reading/evm/sweep.ts"],
  [4, "a family of contracts, by a reader", "common/contracts/reading/evm/sweep.ts", "../../reference/evm/abi.ts"],
  [5, "what processes say alike, by verify", "common/verify/verify.ts", "../internal-api/sale-role.ts"],
  [6, "another service's inside", "services/cli/main.ts", "../auth/config.ts"],
  [6, "a type of another service", "services/indexer/main.ts", "../commitments/config.ts"],
  [6, "a service, by the gateway", "gateway/main.ts", "../services/auth/config.ts"],
  [6, "the gateway, by the demo", "services/demo/demo.ts", "../../gateway/config.ts"],
  [6, "the demo", "services/cli/main.ts", "../demo/demo.ts"],
  [7, "a subject, by the base", "services/entities/base/schema.ts", "../permits/permits-store.ts"],
  [7, "what starts a service", "services/entities/permits/permits-rpc.ts", "../routes.ts"],
  [8, "messages, by a store", "services/entities/permits/permits-store.ts", "../../../proto/gen/a_pb.ts"],
  [8, "an RPC, by a store", "services/entities/permits/permits-store.ts", "./permits-rpc.ts"],
  [9, "what isn't pure, by a domain", "services/commitments/base/domain/position.ts", "../schema.ts"],
  [10, "a surface, by what they share", "gateway/web/pages/page.ts", "../../account/account-page.ts"],
  [10, "another surface", "gateway/streams/difference.ts", "../account/account-page.ts"],
  [11, "the gateway, by the client", "client/follow.ts", "../gateway/streams/difference.ts"],
  [11, "a helper of tests", "services/auth/main.ts", "./testing/fake-clock.ts"],
])("by rule %s catches an import of %s", (rule, _case, file, path) => {
  const sources = [`import { a } from "${path}";`, `export type { A } from "${path}";`, `await import("${path}");`];
  for (const source of sources) expect(brokenRules(file, source)).toContain(rule);
});

it("catches the service of a proto in a sale, and SQL outside a store", () => {
  const path = "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
  expect(brokenRules("common/sale/csv/a.ts", `import type { CommitmentService, ImportPart } from "${path}";`)).toEqual([
    3,
  ]);
  expect(brokenRules("common/sale/csv/a.ts", `import type { ImportPart } from "${path}";`)).toEqual([]);
  const query = 'db.selectFrom("sale").selectAll()';
  expect(brokenRules("services/entities/permits/issue-permit.ts", query)).toEqual([8]);
  expect(brokenRules("services/entities/permits/issue-permit.ts", "sql`SELECT 1`")).toEqual([8]);
  expect(brokenRules("services/entities/permits/permits-store.ts", query)).toEqual([]);
});

it("allows imports within a service, of what is common and of a client that is generated", () => {
  const source = `import "../../common/platform/config/env.ts"; import "./config.ts"; import "../../proto/gen/a_pb.ts"; import "kysely";`;
  expect(brokenRules("services/cli/cli.ts", source)).toEqual([]);
});

it("notices an exception that nothing needs, and one that counts more imports than there are", () => {
  const found = findViolations(
    planted("services/cli/a.ts", 'import "../auth/b.ts"; import "../auth/c.ts";'),
    IMPORT_RULES,
  );
  const exception = { rule: 6, from: "services/cli/*.ts", to: "services/auth/**", reason: "a test" };
  expect(unexceptedViolations(found, [exception])).toEqual([]);
  expect(unexceptedViolations(found, [{ ...exception, rule: 7 }])).toHaveLength(2);
  expect(outdatedExceptions(found, [exception, { ...exception, edges: 2 }])).toEqual([]);
  expect(outdatedExceptions(found, [{ ...exception, to: "services/demo/**" }])).toHaveLength(1);
  expect(
    outdatedExceptions(found, [
      { ...exception, edges: 1 },
      { ...exception, edges: 3 },
    ]),
  ).toHaveLength(2);
});

it("finds a file that names a family of chains", () => {
  expect(namesFamily('if (kind === "svm")')).toBe(true);
  expect(namesFamily("checkEvmSource")).toBe(true);
  expect(namesFamily("chain.family")).toBe(false);
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

it("finds a circle of folders that is none of files, and names both of its ways", () => {
  const graph = new Map([
    ...planted("a/one.ts", 'import "./b/two.ts";'),
    ...planted("a/b/two.ts", ""),
    ...planted("a/b/three.ts", 'import "../four.ts"; import "../../c/five.ts";'),
    ...planted("a/four.ts", ""),
    ...planted("c/five.ts", ""),
  ]);
  expect(importCycles(graph)).toEqual([]);
  expect(folderCircles(folderGraph(graph))).toEqual([
    { rule: 13, from: "a", to: "a/b" },
    { rule: 13, from: "a/b", to: "a" },
  ]);
  const exception = { rule: 13, from: "a/b", to: "a", reason: "a test" };
  expect(folderCircles(withoutExceptions(folderGraph(graph), [exception]))).toEqual([]);
});
