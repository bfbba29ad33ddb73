import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import { banner } from "../../../client/mock/banner.ts";
import { type RunningMock, startMock } from "../../../client/mock/index.ts";
import { mockFiles } from "../../../scripts/client-package.ts";
import { runShell } from "../../support/processes/shell.ts";
import { temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { codeBlocks, codeSpans, onlyCodeBlock, tableRows } from "../../support/repository/markdown.ts";
import { REPOSITORY_ROOT, readRepository } from "../../support/repository/repository.ts";

const markdown = readRepository("docs/mock.md");
const blocks = codeBlocks(markdown);
const commands = blocks.flatMap(({ language, code }, index) => {
  const next = blocks[index + 1];
  if (language !== "sh" || code.startsWith("npx")) return [];
  return [{ command: code, answer: next?.language === "json" ? JSON.parse(next.code) : undefined }];
});

let mock: RunningMock;
beforeAll(async () => {
  mock = await startMock(mockFiles());
});
afterAll(() => mock.close());

it.each(commands)("docs/mock.md shows what $command answers", async ({ command, answer }) => {
  const printed = await runShell(command.replaceAll("http://127.0.0.1:4010", mock.url));
  if (answer === undefined) expect(printed).toMatch(/"EntitySetupState":"in-review","Stage":"closed".*"states":\{\}/s);
  else expect(JSON.parse(printed)).toEqual(answer);
});

it("docs/mock.md has every state with values that there are", async () => {
  const { possible }: { possible: { name: string; values?: string[] }[] } = await (
    await fetch(`${mock.url}/mock/states`)
  ).json();
  const rows = tableRows(markdown, "state").map(
    ([name = "", values = ""]) => [codeSpans(name)[0], codeSpans(values)] as const,
  );
  const all = possible.filter(({ name }) => !name.includes("."));
  expect(rows.map(([name]) => name).toSorted()).toEqual(all.map(({ name }) => name).toSorted());
  for (const [state, values] of rows) {
    const own = all.find(({ name }) => name === state)?.values ?? [];
    expect(
      values.filter((value) => !own.includes(value)),
      state,
    ).toEqual([]);
  }
});

it("docs/mock.md shows a test that runs, and what the command prints", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const modules = join(folder.path, "node_modules/tidemark-client");
  mkdirSync(modules, { recursive: true });
  writeFileSync(join(modules, "files.json"), JSON.stringify(mockFiles()));
  // Node strips no types below node_modules, so the package only names the source, and its files beside it.
  const [index, source] = ["client/index.ts", "client/mock/index.ts"].map((path) =>
    pathToFileURL(join(REPOSITORY_ROOT, path)),
  );
  const read = 'JSON.parse(readFileSync(new URL("files.json", import.meta.url), "utf8"))';
  const start = `export const startMock = (options) => start({ ...${read}, ...options });`;
  const imports = `import { readFileSync } from "node:fs"; import { startMock as start } from "${source}";`;
  writeFileSync(join(modules, "package.json"), '{"type":"module","exports":{".":"./index.js","./mock":"./mock.js"}}');
  writeFileSync(join(modules, "index.js"), `export * from "${index}";`);
  writeFileSync(join(modules, "mock.js"), `${imports}\n${start}`);
  const script = join(folder.path, "test.mjs");
  writeFileSync(script, onlyCodeBlock(markdown, "js"));
  expect(await runShell(`node '${script}'`)).toBe("closed\nalice@example.com\n");
  expect(banner("http://127.0.0.1:4010", "svc")).toBe(onlyCodeBlock(markdown, "text"));
});
