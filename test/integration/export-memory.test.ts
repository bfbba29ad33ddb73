import { stat } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { itOnNode } from "../../common/platform/testing/it-on-node.ts";
import { runCliProcess } from "../support/processes/cli.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { peakBytes, REPORT_PEAK_MEMORY, reportedPeakBytes } from "../support/processes/peak-memory.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";

const BATCHES = 20;
const BATCH = 1_000;
/** 320 MiB of it in all, and twice as much in the file. */
const EXTRA_DATA = new Uint8Array(16_384).fill(7);
/** Twice what some pages and their garbage take, and half of what all rows would. */
const MAX_COMMAND_BYTES = 640 * 2 ** 20;
const MAX_SERVICE_GROWTH = 160 * 2 ** 20;
let folder: TemporaryFolder;
let service: CommitmentsProcess;
const key = generateCallerKey();
beforeAll(async () => {
  folder = await temporaryFolder();
  service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { key });
});
afterAll(async () => {
  await service?.process.kill();
  await folder?.remove();
});

const measured = process.platform === "linux" ? itOnNode("a command reports its peak by NODE_OPTIONS") : it.skip;

measured("an export takes no more memory than some pages, however much it exports", async () => {
  const saleUuid = await openedSale(service);
  for (let batch = 0; batch < BATCHES; batch++) {
    const upserts = Array.from({ length: BATCH }, (_, index) =>
      record(batch * BATCH + index, { extraData: EXTRA_DATA }),
    );
    await apply(service, saleUuid, { upserts });
  }
  const before = await peakBytes(service.process.pid);
  const file = join(folder.path, "export.csv");
  const env = { COMMITMENTS_URL: service.url, CALLER_KEY: key.text, NODE_OPTIONS: REPORT_PEAK_MEMORY };
  const { code, errors } = await runCliProcess(["sale", "export", saleUuid, "--output", file], env);
  expect(code).toBe(0);
  expect((await stat(file)).size).toBeGreaterThan(BATCHES * BATCH * EXTRA_DATA.length * 2);
  expect(reportedPeakBytes(errors)).toBeLessThan(MAX_COMMAND_BYTES);
  expect((await peakBytes(service.process.pid)) - before).toBeLessThan(MAX_SERVICE_GROWTH);
});
