import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { startProcess } from "../../support/processes/child-process.ts";
import { runCliProcess } from "../../support/processes/cli.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { auction, draftSale, evmSource, openedSale } from "../../support/sales/sale-messages.ts";

const LEASE = { holder: "reader", duration: { seconds: 60n } };

/** This test plays the sale's reader. */
describe("backfill, against a commitments process", () => {
  const key = generateCallerKey();
  let folder: TemporaryFolder;
  let service: CommitmentsProcess;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { key });
  });
  afterAll(async () => {
    await service?.process.kill();
    await folder?.remove();
  });

  const env = () => ({ COMMITMENTS_URL: service.url, CALLER_KEY: key.text });
  const backfill = (saleUuid: string, ready: RegExp) =>
    startProcess({
      command: process.execPath,
      args: ["services/cli/main.ts", "backfill", saleUuid],
      env: env(),
      ready,
    });

  async function chainFedSale() {
    const saleUuid = await openedSale(service, auction({ source: evmSource() }));
    const { epoch: leaseEpoch } = await service.commitments.acquireSaleLease({ saleUuid, ...LEASE });
    const report = (rowsDone: bigint, running: boolean, sweepRequests: bigint, fault = "") => {
      const sweep = { rowsDone, rowsTotal: 2_000n, running, sweepRequests };
      return service.commitments.reportSourceStatus({ saleUuid, leaseEpoch, headHeight: 9n, fault, sweep });
    };
    return { saleUuid, report };
  }

  it("requests a sweep, shows its progress through a fault, and ends when it is done", async () => {
    const { saleUuid, report } = await chainFedSale();
    const command = await backfill(saleUuid, /waiting for the sale's reader/);
    expect(await report(500n, true, 1n)).toMatchObject({ sweepRequests: 1n });
    await command.waitForLine(/^\[#{5}-{15}\] {2}25% {2}500 of 2,000 rows/);
    await report(600n, false, 1n, "the node timed out");
    await command.waitForLine(/can't be read, the reader will try again: the node timed out$/);
    await report(1_000n, true, 1n);
    await command.waitForLine(/ 50% {2}1,000 of 2,000 rows/);
    await report(2_000n, false, 1n);
    await command.waitForLine(/^done: 2,000 rows were read$/);
    expect(await command.exited).toEqual({ code: 0, signal: null });
  });

  it("leaves the sweep running on Ctrl+C, and shows the same one the next time", async () => {
    const { saleUuid, report } = await chainFedSale();
    const first = await backfill(saleUuid, /waiting/);
    await report(500n, true, 1n);
    await first.waitForLine(/ 25% /);
    first.signal("SIGINT");
    await first.waitForLine(/^the sweep continues; run the same command again to see its progress$/);
    expect(await first.exited).toEqual({ code: 130, signal: null });
    const second = await backfill(saleUuid, /^a sweep was requested already$/);
    await second.waitForLine(/ 25% /);
    expect(await report(2_000n, false, 1n)).toMatchObject({ sweepRequests: 1n });
    expect(await second.exited).toEqual({ code: 0, signal: null });
  });

  it("refuses a draft and a sale without a source", async () => {
    const draft = await draftSale(service, auction({ source: evmSource() }));
    const fed = await openedSale(service);
    const [ofDraft, ofFed] = await Promise.all([draft, fed].map((uuid) => runCliProcess(["backfill", uuid], env())));
    expect(ofDraft).toEqual({ code: 1, output: "", errors: "the sale is a draft; it is read once it is open\n" });
    expect(ofFed).toEqual({ code: 1, output: "", errors: "failed_precondition: the sale has no source\n" });
  });
});
