import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import * as source from "../../client/index.ts";
import { saleScript } from "../../gateway/sale-page/sale-script.ts";
import { packClient } from "../../scripts/client-package.ts";
import { startProcess } from "../support/processes/child-process.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { readRepository } from "../support/repository/repository.ts";

it("the packed client has the product's version, and an empty project can install, import and type-check it, and start its mock", async () => {
  const folder = await temporaryFolder();
  onTestFinished(() => folder.remove());
  const { version } = JSON.parse(readRepository("client/package.json"));
  expect(version).toBe(JSON.parse(readRepository("package.json")).version);
  const packed = packClient(join(folder.path, "package"));
  const cwd = join(folder.path, "project");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "package.json"), '{"type":"module"}');
  const run = (program: string, ...parameters: readonly string[]) =>
    execFileSync(program, parameters, { cwd, encoding: "utf8" });
  run("npm", "install", "--offline", "--no-audit", "--no-fund", packed);
  const printed = run("node", "-e", 'import("tidemark-client").then((it) => console.log(Object.keys(it).join()))');
  expect(printed.trim().split(",").toSorted()).toEqual(Object.keys(source).toSorted());
  const hooks = 'import("tidemark-client/react").then((it) => console.log(Object.keys(it).join()))';
  expect(run("node", "-e", hooks)).toBe("createHooks\n");
  const use = 'import { readCommitmentData } from "tidemark-client";\n';
  const total = 'const { TotalCommitmentAmount } = await readCommitmentData({ url: "" }, "");\n';
  writeFileSync(join(cwd, "use.ts"), `${use}${total}export const total: string = TotalCommitmentAmount;\n`);
  const options = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2022", "--types", ""];
  run("tsc", ...options, "use.ts");
  await expectMock(cwd, "node", ["node_modules/.bin/tidemark-client"]);
  const permissions = ["--no-prompt", "--allow-net", "--allow-read", "--allow-env"];
  await expectMock(cwd, "deno", ["run", ...permissions, "node_modules/tidemark-client/mock/main.js"]);
});

/** Expects the installed mock to start with a program, to name where it is, and to answer in the state of the command. */
async function expectMock(cwd: string, command: string, args: readonly string[]): Promise<void> {
  const ready = /public host and sign-in: (\S+), with the prefix live/;
  const chosen = ["mock", "--port", "0", "--prefix", "live", "Stage=closed"];
  const mock = await startProcess({ command, args: [...args, ...chosen], cwd, ready });
  const [, url = ""] = await mock.waitForLine(ready);
  expect(await source.readSale({ url, prefix: "live" }, crypto.randomUUID())).toMatchObject({ Stage: "closed" });
  const element = await fetch(`${url}/live/v1/public/tidemark-sale.js`);
  expect(await element.text()).toBe(saleScript());
  await mock.kill();
}
