import { expect, it } from "vitest";
import { codeSpans, tableRows } from "../test/support/repository/markdown.ts";
import { REPOSITORY_ROOT, readRepository } from "../test/support/repository/repository.ts";
import config from "../vitest.config.ts";
import { missingFromRepository, type Repository, type TestProject } from "./documentation-paths.ts";
import { parts } from "./test/parts.ts";

const projects = (config.test?.projects ?? []) as readonly { readonly test: TestProject }[];
const REPOSITORY: Repository = { root: REPOSITORY_ROOT, projects: projects.map(({ test }) => test) };

/** Pages for those who change the code. */
const PAGES = ["README.md", "CONTRIBUTING.md", "docs/architecture.md", "docs/decisions.md"];

it.each(PAGES)("%s names only paths and commands that the repository has", (page) => {
  expect(missingFromRepository(readRepository(page), REPOSITORY)).toEqual([]);
});

it.each([
  ["a file in backticks", "See `gateway/no-such-file.ts`.", ["gateway/no-such-file.ts"]],
  ["a bare file name", "See `no-such-file.ts`.", ["no-such-file.ts"]],
  ["a folder", "The folder `services/nowhere/`.", ["services/nowhere/"]],
  ["a pattern that matches nothing", "Each `services/*/nothing.ts`.", ["services/*/nothing.ts"]],
  ["a script of npm", "Run `npm run nothing`.", ["npm run nothing"]],
  ["a part of npm test", "```sh\nnpm test -- lint nothing\n```\n", ["npm test -- lint nothing"]],
  ["a path in a command", "```sh\nnode scripts/nothing.ts\n```\n", ["scripts/nothing.ts"]],
  ["a project of vitest", "```sh\nnpx vitest run --project none\n```\n", ["npx vitest run --project none"]],
  ["a test file", "```sh\nnpx vitest run --project unit nothing\n```\n", ["npx vitest run --project unit nothing"]],
  [
    "a slow test among those of its project",
    "```sh\nnpx vitest run --project integration rpc-apply test/integration/dashboard.test.ts\n```\n",
    ["npx vitest run --project integration rpc-apply test/integration/dashboard.test.ts"],
  ],
  ["a program", "```sh\nnpx no-such-program\n```\n", ["npx no-such-program"]],
])("finds %s that isn't there", (_case, markdown, missing) => {
  expect(missingFromRepository(markdown, REPOSITORY)).toEqual(missing);
});

it("accepts existing paths, paths that a run creates, and URL paths", () => {
  const page =
    "`gateway/server.ts`, `allowed-callers.ts`, `services/*/main.ts`, `proto/gen/`, `data/mail`, `/oauth/token`\n\n" +
    "```sh\nnpm test -- lint types   # two parts\nTEST_DATABASES=sqlite npx vitest run --project integration\n```\n";
  expect(missingFromRepository(page, REPOSITORY)).toEqual([]);
});

it("CONTRIBUTING.md gives each part of npm test its seconds, in order, nine minutes together at most", () => {
  const documented = tableRows(readRepository("CONTRIBUTING.md"), "part").map(([part = "", seconds = ""]) => ({
    name: codeSpans(part)[0],
    budgetSeconds: Number(seconds),
  }));
  const short = parts.filter(({ run }) => run === "short");
  expect(documented).toEqual(short.map(({ name, budgetSeconds }) => ({ name, budgetSeconds })));
  expect(documented.reduce((sum, { budgetSeconds }) => sum + budgetSeconds, 0)).toBeLessThanOrEqual(540);
});
