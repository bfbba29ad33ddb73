import type { IncomingMessage } from "node:http";
import { Code } from "@connectrpc/connect";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ClearingOutcome, NotCountedReason } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SALE, saleAt } from "../../testing/fake-commitments.ts";
import { type RunningGateway, runGateway } from "../../testing/gateway-parts.ts";
import type { PublicError } from "../../web/http/public-error.ts";

const WALLET = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const PRICE = { numerator: "1", denominator: "3" };
const COMMITMENT = {
  commitmentId: new Uint8Array(32).fill(1),
  entityId: new Uint8Array(16).fill(2),
  price: PRICE,
  amounts: [{ wallet: WALLET.toLowerCase(), token: "0xa1", amount: (2n ** 256n - 1n).toString() }],
  createdAtSeconds: 1_769_860_800n,
};
const POSITION = {
  wallet: WALLET.toLowerCase(),
  commitments: [
    { commitment: COMMITMENT, clearingOutcome: ClearingOutcome.AT_MARGIN },
    { commitment: COMMITMENT, notCountedReason: NotCountedReason.NO_AMOUNT },
  ],
  paymentTokenDecimals: 6,
};
const MAX_READS = 3;
const MAX_PER_ADDRESS = 2;

let gateway: RunningGateway;
beforeAll(async () => {
  gateway = await runGateway({
    POSITION_MAX_READS: String(MAX_READS),
    POSITION_MAX_PER_ADDRESS: String(MAX_PER_ADDRESS),
    TRUSTED_PROXIES: "1",
  });
});
afterAll(() => gateway.server.close(AbortSignal.abort()));
beforeEach(() => {
  gateway.fake.recover();
  gateway.fake.sales.set(SALE, { ...saleAt(1n), position: POSITION });
});

const post = (body: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${gateway.server.port}/svc/v1/public/read-position`, {
    method: "POST",
    body,
    headers: { "content-type": "application/json", ...headers },
  });
const BODY = JSON.stringify({ SaleUUID: SALE, Wallet: WALLET });
const withWallet = (Wallet: unknown) => JSON.stringify({ SaleUUID: SALE, Wallet });

describe("read-position", () => {
  it("answers a wallet's commitments, what counts of them and what the clearing price means", async () => {
    const position = { ...POSITION, nextPageToken: "ab-_", clearingPrice: { price: PRICE, microUsd: "7" } };
    gateway.fake.sales.set(SALE, { ...saleAt(1n), position });
    const shown = {
      CommitmentID: `0x${"01".repeat(32)}`,
      SaleSpecificEntityID: `0x${"02".repeat(16)}`,
      PriceNumerator: "1",
      PriceDenominator: "3",
      Amounts: [{ Wallet: WALLET.toLowerCase(), TokenAddress: "0xa1", Amount: (2n ** 256n - 1n).toString() }],
      CreatedAt: "2026-01-31T12:00:00Z",
      ExtraDataRaw: "0x",
      ExtraDataParsed: {},
    };
    const answer = await post(JSON.stringify({ SaleUUID: SALE.toUpperCase(), Wallet: WALLET, PageToken: "x_-1" }));
    expect(await answer.json()).toStrictEqual({
      Wallet: WALLET.toLowerCase(),
      Commitments: [
        { ...shown, Counted: true, ClearingOutcome: "at_margin" },
        { ...shown, Counted: false, NotCountedReason: "no_amount" },
      ],
      PaymentTokenDecimals: 6,
      NextPageToken: "ab-_",
      ClearingPriceNumerator: "1",
      ClearingPriceDenominator: "3",
      ClearingPriceMicroUSD: "7",
    });
    expect(gateway.fake.positions.at(-1)).toEqual({ saleUuid: SALE, wallet: WALLET, pageToken: "x_-1" });
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-expose-headers": expect.stringMatching(/^ETag, /),
      "cache-control": "no-store",
      etag: expect.stringMatching(/^W\/"/),
    });
  });

  it("answers what is accepted and paid back, once that is known, and whether it can be relied on", async () => {
    const allocations = [
      { entityId: COMMITMENT.entityId, token: "0xa1", accepted: "7", refunded: "3" },
      { entityId: COMMITMENT.entityId, token: "0xa2", accepted: "0" },
    ];
    const position = { ...POSITION, commitments: [], allocations, saleAllocations: { differs: true } };
    gateway.fake.sales.set(SALE, { ...saleAt(1n), position });
    const entity = { SaleSpecificEntityID: `0x${"02".repeat(16)}` };
    expect(await (await post(BODY)).json()).toMatchObject({
      Allocations: [
        { ...entity, TokenAddress: "0xa1", AcceptedAmount: "7", RefundedAmount: "3" },
        { ...entity, TokenAddress: "0xa2", AcceptedAmount: "0" },
      ],
      AllocationsDiffer: true,
    });
    gateway.fake.sales.set(SALE, { ...saleAt(1n), position: { ...position, allocations: [], saleAllocations: {} } });
    expect(await (await post(BODY)).json()).toEqual({
      Wallet: WALLET.toLowerCase(),
      Commitments: [],
      PaymentTokenDecimals: 6,
      Allocations: [],
    });
  });

  it("answers an empty list for a wallet that has committed nothing", async () => {
    gateway.fake.sales.set(SALE, { ...saleAt(1n), position: { ...POSITION, commitments: [] } });
    expect(await (await post(BODY)).json()).toEqual({
      Wallet: WALLET.toLowerCase(),
      Commitments: [],
      PaymentTokenDecimals: 6,
    });
  });

  it("answers 304 as long as the position is the same, whatever the sale's revision", async () => {
    const etag = (await post(BODY)).headers.get("etag") ?? "";
    gateway.fake.sales.set(SALE, { ...saleAt(2n), position: { ...POSITION, revision: 2n } });
    const same = await post(BODY, { "if-none-match": etag });
    expect([same.status, await same.text(), same.headers.get("etag")]).toEqual([304, "", etag]);
    gateway.fake.sales.set(SALE, { ...saleAt(2n), position: { ...POSITION, commitments: [] } });
    const changed = await post(BODY, { "if-none-match": etag });
    expect(changed.status).toBe(200);
    expect(changed.headers.get("etag")).not.toBe(etag);
  });

  it.each([
    ["no wallet", JSON.stringify({ SaleUUID: SALE }), "Wallet", "required"],
    ["no sale", JSON.stringify({ Wallet: WALLET }), "SaleUUID", "required"],
    ["a sale that is no UUID", JSON.stringify({ SaleUUID: "1", Wallet: WALLET }), "SaleUUID", "string.uuid"],
    ["a number for a wallet", withWallet(1), "Wallet", "string"],
    ["null for a wallet", withWallet(null), "Wallet", "string"],
    ["a list of wallets", withWallet([WALLET]), "Wallet", "string"],
    ["an empty wallet", withWallet(""), "Wallet", "address.form"],
    ["a wallet that is too short", withWallet(WALLET.slice(0, -1)), "Wallet", "address.form"],
    ["a wallet with a line break", withWallet(`${WALLET}\n`), "Wallet", "address.form"],
    ["a wallet with a letter that base58 lacks", withWallet(`l${"1".repeat(31)}`), "Wallet", "address.form"],
    ["SQL for a wallet", withWallet("' or 1=1 --"), "Wallet", "address.form"],
    ["a long wallet", withWallet("1".repeat(10_000)), "Wallet", "address.form"],
    [
      "a page token of another alphabet",
      JSON.stringify({ SaleUUID: SALE, Wallet: WALLET, PageToken: "a/b" }),
      "PageToken",
      "page_token.unknown",
    ],
    [
      "a page token that is a number",
      JSON.stringify({ SaleUUID: SALE, Wallet: WALLET, PageToken: 1 }),
      "PageToken",
      "string",
    ],
  ])("refuses %s without a call, naming the field and the rule", async (_, body, field, rule) => {
    const calls = gateway.fake.positions.length;
    const answer = await post(body);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_argument", details: { violations: [{ field, rule }] } });
    expect(gateway.fake.positions).toHaveLength(calls);
  });

  it("refuses what the other reads refuse", async () => {
    expect((await post("[]")).status).toBe(400);
    expect((await post("{}", { "content-type": "text/plain" })).status).toBe(415);
    expect((await post(" ".repeat(16_385))).status).toBe(413);
    gateway.fake.sales.delete(SALE);
    expect((await post(BODY)).status).toBe(404);
  });

  it.each([
    [Code.Unavailable, 503],
    // A commitments service of an older version.
    [Code.Unimplemented, 503],
    [Code.DeadlineExceeded, 504],
    [Code.Internal, 500],
  ])("answers an error of the commitments service with code %s by status %s", async (code, status) => {
    gateway.fake.fail(code);
    const failures = gateway.counters.positionFailures;
    expect((await post(BODY)).status).toBe(status);
    expect(gateway.counters.positionFailures).toBe(failures + 1);
  });

  const postFrom = (address: string) => post(BODY, { "x-forwarded-for": address });
  const expectRefusal = async (refused: Response, message: string) => {
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await refused.json()).toMatchObject({ code: "resource_exhausted", message });
  };

  it("looks up so many wallets at once, fewer for one address, and says so to others, which find room later", async () => {
    gateway.fake.hold();
    const calls = gateway.fake.positions.length;
    const waiting = [postFrom("2001:db8::1"), postFrom("2001:db8::2")];
    await expect.poll(() => gateway.fake.positions.length).toBe(calls + MAX_PER_ADDRESS);
    await expectRefusal(await postFrom("2001:db8::3"), "Too many wallets are being looked up from this address.");
    waiting.push(postFrom("192.0.2.1"));
    await expect.poll(() => gateway.fake.positions.length).toBe(calls + MAX_READS);
    await expectRefusal(await postFrom("192.0.2.2"), "Too many wallets are being looked up at the moment.");
    gateway.fake.release();
    for (const answer of await Promise.all(waiting)) expect(answer.status).toBe(200);
    expect((await postFrom("2001:db8::3")).status).toBe(200);
  });

  it("counts a look-up until its answer is made, or there is none, and no longer", async () => {
    const request = { headers: {}, socket: { remoteAddress: "192.0.2.7" } } as unknown as IncomingMessage;
    const look = () => gateway.positions.read({ saleUuid: SALE, wallet: WALLET, pageToken: "" }, request);
    for (let count = 0; count <= MAX_READS; count++) await look();
    gateway.fake.fail(Code.Internal);
    for (let count = 0; count <= MAX_READS; count++) await expect(look()).rejects.toMatchObject({ status: 500 });
  });

  it("holds nothing for 10,000 readers who follow a wallet: few are answered at once, and all others told when to ask again", async () => {
    gateway.fake.hold();
    const calls = gateway.fake.positions.length;
    const readers = Array.from({ length: 10_000 }, (_, index) => {
      const headers = { "x-forwarded-for": `2001:db8:${index.toString(16)}::1` };
      const request = { headers, socket: { remoteAddress: "127.0.0.1" } } as unknown as IncomingMessage;
      const wanted = { saleUuid: SALE, wallet: WALLET, pageToken: "" };
      return gateway.positions.read(wanted, request).then(
        () => "answered",
        (error: PublicError) => `${error.status}, ${error.headers.slice(-2).join(": ")}`,
      );
    });
    await expect.poll(() => gateway.fake.positions.length).toBe(calls + MAX_READS);
    gateway.fake.release();
    const told = Object.groupBy(await Promise.all(readers), (answer) => answer);
    expect(told["answered"]).toHaveLength(MAX_READS);
    expect(told["429, Retry-After: 1"]).toHaveLength(10_000 - MAX_READS);
    expect(gateway.fake.positions).toHaveLength(calls + MAX_READS);
    expect((await post(BODY)).status).toBe(200);
  });
});
