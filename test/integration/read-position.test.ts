import { randomUUID } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { apply, auction, MINT, openedSale, type RecordInit, record, USDX } from "../support/sales/sale-messages.ts";

const RUNS = 150;
/** The same requests in each run. */
const SEED = 20_261_125;
/** With its EIP-55 checksum, and with another. */
const WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const MISSPELT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD";
const SOL_WALLET = "So11111111111111111111111111111111111111112";
/** More than a page. */
const BIDS = 130;

describe("read-position of a gateway", () => {
  const key = generateCallerKey();
  let folder: Awaited<ReturnType<typeof temporaryFolder>>;
  let service: CommitmentsProcess;
  let gateway: GatewayProcess;
  let evm: string;
  let svm: string;

  beforeAll(async () => {
    folder = await temporaryFolder();
    service = await startCommitmentsProcess({ DATA_DIR: folder.path }, { otherCallers: { gateway: key.text } });
    gateway = await startGatewayProcess({ COMMITMENTS_URL: service.url, CALLER_NAME: "gateway", CALLER_KEY: key.text });
    evm = await openedSale(service);
    const bid = (number: number, wallet: string, token: string): RecordInit =>
      record(number, { amounts: [{ wallet, token, amount: "5" }] });
    const upserts = Array.from({ length: BIDS }, (_, index) => bid(index, WALLET, USDX));
    await apply(service, evm, { upserts });
    svm = await openedSale(service, auction({ paymentTokens: [{ address: MINT, decimals: 6, usdStablecoin: true }] }));
    await apply(service, svm, { upserts: [bid(1, SOL_WALLET, MINT)] });
  });
  afterAll(async () => {
    await gateway?.process.kill();
    await service?.process.kill();
    await folder?.remove();
  });

  async function send(body: string) {
    const answer = await fetch(`${gateway.url}/svc/v1/public/read-position`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    return { status: answer.status, body: await answer.json() };
  }
  const look = (SaleUUID: string, Wallet: unknown, more = {}) => send(JSON.stringify({ SaleUUID, Wallet, ...more }));

  it("pages through everything that a wallet has committed", async () => {
    const first = await look(evm, WALLET);
    const rest = await look(evm.toUpperCase(), WALLET.toLowerCase(), { PageToken: first.body.NextPageToken });
    const pages = [first, rest].map(({ body }) => body.Commitments);
    expect(pages.map(({ length }) => length)).toEqual([100, BIDS - 100]);
    const ids = pages.flat().map(({ CommitmentID }) => CommitmentID);
    expect(new Set(ids).size).toBe(BIDS);
    expect(ids).toEqual(ids.toSorted());
    expect(rest.body).not.toHaveProperty("NextPageToken");
    expect((await look(svm, SOL_WALLET)).body).toMatchObject({ Wallet: SOL_WALLET, Commitments: [{ Counted: true }] });
    expect((await look(svm, MINT)).body).toMatchObject({ Wallet: MINT, Commitments: [] });
  });

  it("names its own fields in what the commitments service refuses", async () => {
    for (const [saleUuid, wallet, more, field, rule] of [
      [evm, MISSPELT, {}, "Wallet", "address.checksum"],
      [evm, SOL_WALLET, {}, "Wallet", "address.form"],
      [evm, "1".repeat(44), {}, "Wallet", "address.form"],
      [svm, WALLET, {}, "Wallet", "address.form"],
      [evm, WALLET, { PageToken: "x" }, "PageToken", "page_token.unknown"],
    ] as const) {
      const { status, body } = await look(saleUuid, wallet, more);
      expect([wallet, status, body.code, body.details.violations.length]).toEqual([wallet, 400, "invalid_argument", 1]);
      expect(body.details.violations[0]).toMatchObject({ field, rule });
      expect(body.message).toBe(`${field}: ${body.details.violations[0].message}`);
    }
    expect((await look(randomUUID(), WALLET)).status).toBe(404);
  });

  it(`answers ${RUNS} fuzzed requests as documented, and none with a fault`, async () => {
    const wallet = fc.oneof(
      fc.constantFrom<unknown>(WALLET, WALLET.toUpperCase(), `${WALLET}\0`, ` ${WALLET}`, SOL_WALLET, MISSPELT),
      fc.stringMatching(/^0x[0-9a-fA-F]{38,42}$/),
      fc.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{30,46}$/),
      fc.string({ unit: "binary", maxLength: 80 }),
      fc.constantFrom("\u202e", "%00", "' or 1=1 --", "\ud800", "🏦".repeat(40), "__proto__", "1".repeat(15_000)),
      fc.jsonValue({ maxDepth: 3 }),
    );
    const token = fc.oneof(
      { arbitrary: fc.constant(undefined), weight: 3 },
      fc.uint8Array({ minLength: 30, maxLength: 34 }).map((bytes) => Buffer.from(bytes).toString("base64url")),
      fc.string({ maxLength: 70 }),
      fc.jsonValue({ maxDepth: 1 }),
    );
    const request = fc.record({
      SaleUUID: fc.constantFrom(evm, svm, `{${evm}}`, ""),
      Wallet: wallet,
      PageToken: token,
    });
    const body = fc.oneof(
      { arbitrary: request.map((fields) => JSON.stringify(fields)), weight: 9 },
      fc.json(),
      fc.constantFrom("", "null", "[[[[", `{"a":${"[".repeat(5_000)}`, '{"Wallet":1e999}', "\ufeff{}"),
    );
    const statuses = new Set<number>();
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const { status, body: answer } = await send(text);
        statuses.add(status);
        if (status === 200) expect(answer.Commitments).toBeInstanceOf(Array);
        else expect([status, answer.code]).toEqual([400, "invalid_argument"]);
      }),
      { numRuns: RUNS, seed: SEED, endOnFailure: true },
    );
    expect([...statuses].sort()).toEqual([200, 400]);
    // No log has a wallet.
    expect(gateway.process.output() + service.process.output()).not.toMatch(/5aaeb6053f|So1111111/i);
  });
});
