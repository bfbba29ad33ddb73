import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { startProcess } from "../../support/processes/child-process.ts";
import { runCliProcess } from "../../support/processes/cli.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { type Nats, startNats } from "../../support/processes/nats.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { onlyCodeBlock } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";
import { apply, openedSale, record } from "../../support/sales/sale-messages.ts";

const document = readRepository("docs/subscribing.md");
const DOCUMENTED_SERVER = "127.0.0.1:4222";

describe("docs/subscribing.md", () => {
  const key = generateCallerKey();
  let folder: TemporaryFolder;
  let nats: Nats;
  let service: CommitmentsProcess;

  beforeAll(async () => {
    [folder, nats] = await Promise.all([temporaryFolder(), startNats()]);
    const env = { DATA_DIR: folder.path, NATS_URL: nats.url, NATS_STREAM_MAX_BYTES: "16MiB" };
    service = await startCommitmentsProcess(env, { key });
  });
  afterAll(async () => {
    await service?.process.kill("SIGTERM");
    await nats?.stop();
    await folder?.remove();
  });

  /** Runs the example until there are no more events. @returns what it prints */
  async function consume(): Promise<string[]> {
    const code = onlyCodeBlock(document, "ts").replaceAll(DOCUMENTED_SERVER, nats.url.replace("nats://", ""));
    const program = await startProcess({ command: "node", args: ["--input-type=module-typescript", "--eval", code] });
    const [exit, output] = [await program.exited, program.output()];
    if (exit.code !== 0) throw new Error(output);
    return output.split("\n").filter((line) => line !== "");
  }

  /** Revisions that wait in the outbox. */
  async function backlog(): Promise<number> {
    const { adminPort } = JSON.parse((await service.process.waitForLine(/^\{.*commitments service listens.*$/))[0]);
    const metrics = await (await fetch(`http://127.0.0.1:${adminPort}/metrics`)).text();
    return Number(/^tidemark_outbox_backlog (\d+)$/m.exec(metrics)?.[1]);
  }

  it("has a consumer that gets every event once, and goes on where it was", async () => {
    const saleUuid = await openedSale(service);
    for (const number of [1, 2]) await apply(service, saleUuid, { upserts: [record(number)] });
    await expect.poll(backlog).toBe(0);
    expect(await consume()).toEqual([`${saleUuid} 2: 0 by 0`, `${saleUuid} 3: 1000 by 1`, `${saleUuid} 4: 2000 by 2`]);
    await apply(service, saleUuid, { upserts: [record(3)] });
    await expect.poll(backlog).toBe(0);
    expect(await consume()).toEqual([`${saleUuid} 5: 3000 by 3`]);
  });

  it("names the command that has events published again", async () => {
    const [, ...args] = /npm run tidemark -- (outbox) (replay) (--since) (2h)/.exec(document) ?? [];
    const run = await runCliProcess(args, { COMMITMENTS_URL: service.url, CALLER_KEY: key.text });
    expect(run).toEqual({ code: 0, output: "4 revisions will be republished\n", errors: "" });
    await expect.poll(backlog).toBe(0);
  });
});
