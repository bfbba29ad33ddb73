import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import {
  apply,
  auction,
  fixedPricing,
  idBytes,
  openedSale,
  type RecordInit,
  record,
  USDX,
} from "../support/sales/sale-messages.ts";

/** More than a part of the file. */
const WALLETS = Array.from({ length: 620 }, (_, index) => `0x${index.toString(16).padStart(40, "0")}`);

describe("the list of all allocations of a gateway", () => {
  const key = generateCallerKey();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: CommitmentsProcess;
  let gateway: GatewayProcess;
  let path: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { otherCallers: { gateway: key.text } });
    gateway = await startGatewayProcess({ COMMITMENTS_URL: service.url, CALLER_NAME: "gateway", CALLER_KEY: key.text });
    const saleUuid = await openedSale(service, auction({ pricing: fixedPricing(10n) }));
    const entityId = (index: number) => idBytes(index, 16);
    const upserts = WALLETS.map(
      (wallet, index): RecordInit =>
        record(index, { entityId: entityId(index), amounts: [{ wallet, token: USDX, amount: "3000000" }] }),
    );
    await apply(service, saleUuid, { upserts });
    await service.sales.settleSale({ saleUuid, confirmName: "Auction" });
    const accepted = WALLETS.map((wallet, index) => ({
      entityId: entityId(index),
      wallet,
      token: USDX,
      accepted: "2000000",
    }));
    await service.commitments.setAllocations({
      saleUuid,
      requestId: randomUUID(),
      set: { changeSetUuid: randomUUID(), part: 0, last: true },
      allocations: accepted,
      totals: { accepted: [{ token: USDX, amount: String(WALLETS.length * 2_000_000) }] },
    });
    path = `/sales/${saleUuid}/allocations`;
  });
  afterAll(async () => {
    await gateway?.process.kill();
    await service?.process.kill();
    await folder?.remove();
  });

  it("has every wallet on one of its pages, each of which leads to the next", async () => {
    const wallets: string[] = [];
    let pages = 0;
    for (let next: string | undefined = path; next !== undefined; pages++) {
      const html: string = await (await fetch(gateway.url + next)).text();
      wallets.push(...Array.from(html.matchAll(/<code>(0x\w+)<\/code>/g), ([, wallet = ""]) => wallet));
      next = /<link rel="next" href="([^"]+)">/.exec(html)?.[1];
    }
    expect([pages, wallets]).toEqual([7, WALLETS]);
  });

  it("is one file with every wallet", async () => {
    const answer = await fetch(`${gateway.url}${path}.csv`);
    expect(answer.status).toBe(200);
    const [, ...lines] = (await answer.text()).trimEnd().split("\r\n");
    expect(lines.map((line) => line.split(",")[0])).toEqual(WALLETS);
    const [, committed, accepted, refunded, currency, tokens] = lines.at(-1)?.split(",") ?? [];
    expect([committed, accepted, refunded, currency]).toEqual(["3", "2", "", "USD"]);
    expect(Number(tokens)).toBeGreaterThan(0);
  });
});
