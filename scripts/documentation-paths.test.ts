import { expect, it } from "vitest";
import { REPOSITORY_ROOT, readRepository } from "../test/support/repository.ts";
import { missingFromRepository } from "./documentation-paths.ts";

/** Pages for those who change the code. */
const PAGES = ["README.md", "docs/architecture.md", "docs/decisions.md"];

it.each(PAGES)("%s names only paths and commands that the repository has", (page) => {
  expect(missingFromRepository(readRepository(page), REPOSITORY_ROOT)).toEqual([]);
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
  ["a program", "```sh\nnpx no-such-program\n```\n", ["npx no-such-program"]],
])("finds %s that isn't there", (_case, markdown, missing) => {
  expect(missingFromRepository(markdown, REPOSITORY_ROOT)).toEqual(missing);
});

it("accepts what is there, what a run makes, and addresses", () => {
  const page =
    "`gateway/server.ts`, `allowed-callers.ts`, `services/*/main.ts`, `proto/gen/`, `data/mail`, `/oauth/token`\n\n" +
    "```sh\nnpm test -- lint types   # two parts\nTEST_DATABASES=sqlite npx vitest run --project integration\n```\n";
  expect(missingFromRepository(page, REPOSITORY_ROOT)).toEqual([]);
});
