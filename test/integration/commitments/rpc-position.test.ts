import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { ClearingOutcome, NotCountedReason } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { readPosition } from "../../../services/commitments/positions/position-store.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  amountOf,
  apply,
  auction,
  draftSale,
  evmSource,
  fixedPricing,
  idBytes,
  MINT,
  numberOf,
  openedSale,
  type RecordInit,
  record,
  refusal,
  USDX,
} from "../../support/sales/sale-messages.ts";

/** With its EIP-55 checksum, and with another. */
const CHECKSUMMED = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const MISSPELT = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD";
const SOL_WALLET = "So11111111111111111111111111111111111111112";
const OTHER = `0x${"b2".repeat(20)}`;
const { IN, AT_MARGIN, OUT, UNSPECIFIED: NO_OUTCOME } = ClearingOutcome;
const { REFUNDED, NO_AMOUNT, UNSPECIFIED: COUNTED } = NotCountedReason;

/** The bytes of all binary values in an answer of a database. */
function bytesIn(value: unknown): number {
  if (value instanceof Uint8Array) return value.length;
  if (typeof value !== "object" || value === null) return 0;
  return Object.values(value).reduce((sum: number, each) => sum + bytesIn(each), 0);
}

describeCommitments("GetPosition", (service) => {
  const get = (saleUuid: string, wallet: string, page = {}) =>
    service().commitments.getPosition({ saleUuid, wallet, ...page });
  const bid = (number: number, amount: bigint, change: RecordInit = {}, wallet = CHECKSUMMED): RecordInit =>
    record(number, { amounts: [{ wallet, token: USDX, amount: amount.toString() }], ...change });
  /** Number, reason and outcome of each commitment. */
  const shown = async (saleUuid: string, wallet = CHECKSUMMED) =>
    (await get(saleUuid, wallet)).commitments.map(({ commitment, notCountedReason, clearingOutcome }) => [
      numberOf(commitment?.commitmentId ?? idBytes(0)),
      notCountedReason,
      clearingOutcome,
    ]);

  it("has a wallet's commitments in all states, and what the clearing price means for each", async () => {
    const saleUuid = await openedSale(service());
    const upserts = [
      bid(1, 1_000n, { priceTicks: "20" }),
      bid(2, 300n, { priceTicks: "15" }),
      bid(3, 700n, { priceTicks: "10" }),
      bid(4, 50n, { refunded: true }),
      bid(5, 0n),
      bid(6, 400n, { priceTicks: "15" }, OTHER),
    ];
    await apply(service(), saleUuid, { upserts });
    // 1,700 is bid at 15 or above, where 100 units each cost 1,500.
    expect(await shown(saleUuid)).toEqual([
      [1, COUNTED, IN],
      [2, COUNTED, AT_MARGIN],
      [3, COUNTED, OUT],
      [4, REFUNDED, NO_OUTCOME],
      [5, NO_AMOUNT, NO_OUTCOME],
    ]);
    expect(await shown(saleUuid, OTHER)).toEqual([[6, COUNTED, AT_MARGIN]]);
    const { generation, revision } = await service().commitments.getCommitmentData({ saleUuid });
    const answer = await get(saleUuid, CHECKSUMMED);
    expect(answer).toMatchObject({
      generation,
      revision,
      wallet: CHECKSUMMED.toLowerCase(),
      nextPageToken: "",
      paymentTokenDecimals: 6,
      clearingPrice: { price: { numerator: "15", denominator: "1000" } },
    });
    expect(answer.commitments[1]?.commitment).toMatchObject({
      price: { numerator: "15", denominator: "1000" },
      amounts: [{ wallet: CHECKSUMMED.toLowerCase(), token: USDX, amount: "300" }],
    });
  });

  it("follows settlement, a re-organisation and a removal", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [bid(1, 1_000n), bid(2, 50n)], stage: SaleStage.COMMITMENT });
    const refunded = { upserts: [bid(1, 1_000n, { refunded: true })] };
    await apply(service(), saleUuid, { ...refunded, stage: SaleStage.DONE });
    expect(await shown(saleUuid)).toEqual([
      [1, COUNTED, AT_MARGIN],
      [2, COUNTED, AT_MARGIN],
    ]);
    await apply(service(), saleUuid, { stage: SaleStage.SETTLEMENT });
    // Without the first, everything bid can be bought.
    expect(await shown(saleUuid)).toEqual([
      [1, REFUNDED, NO_OUTCOME],
      [2, COUNTED, IN],
    ]);
    await apply(service(), saleUuid, { removals: [idBytes(1)], upserts: [bid(2, 50n, {}, OTHER)] });
    expect(await shown(saleUuid)).toEqual([]);
    expect(await shown(saleUuid, OTHER)).toEqual([[2, COUNTED, IN]]);
  });

  it("says nothing of a clearing price in a sale at a fixed price", async () => {
    const saleUuid = await openedSale(service(), auction({ pricing: fixedPricing(10n) }));
    await apply(service(), saleUuid, { upserts: [bid(1, 5n)] });
    expect(await shown(saleUuid)).toEqual([[1, COUNTED, NO_OUTCOME]]);
    expect((await get(saleUuid, CHECKSUMMED)).clearingPrice).toBeUndefined();
  });

  it("takes a wallet in any spelling that isn't a typing error", async () => {
    const evm = await openedSale(service());
    await apply(service(), evm, { upserts: [bid(1, 5n)] });
    for (const wallet of [CHECKSUMMED.toLowerCase(), `0x${CHECKSUMMED.slice(2).toUpperCase()}`]) {
      expect((await get(evm, wallet)).commitments).toHaveLength(1);
    }
    const paymentTokens = [{ address: MINT, decimals: 6, usdStablecoin: true }];
    const svm = await openedSale(service(), auction({ paymentTokens }));
    await apply(service(), svm, {
      upserts: [record(1, { amounts: [{ wallet: SOL_WALLET, token: MINT, amount: "5" }] })],
    });
    expect(await get(svm, SOL_WALLET)).toMatchObject({ wallet: SOL_WALLET, commitments: [{ commitment: {} }] });
    expect((await get(svm, MINT)).commitments).toEqual([]);
    expect((await get(evm, OTHER)).commitments).toEqual([]);
    for (const [saleUuid, wallet, rule] of [
      [evm, MISSPELT, "address.checksum"],
      [evm, CHECKSUMMED.slice(0, -1), "address.form"],
      [evm, "' or 1=1 --", "address.form"],
      [evm, SOL_WALLET, "address.form"],
      [svm, CHECKSUMMED, "address.form"],
      [svm, SOL_WALLET.replace("S", "0"), "address.form"],
      [evm, "", "string.min_len"],
    ] as const) {
      const { code, violations } = await refusal(get(saleUuid, wallet));
      expect([wallet, code, violations.map(({ field, rule }) => [field, rule])]).toEqual([
        wallet,
        "invalid_argument",
        [["wallet", rule]],
      ]);
    }
  });

  it("pages by commitment ID", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [3, 1, 5, 2, 4].map((number) => bid(number, 5n)) });
    const numbers: number[][] = [];
    for (let pageToken: string | undefined = ""; pageToken !== undefined; ) {
      const page = await get(saleUuid, CHECKSUMMED, { pageSize: 2, pageToken });
      numbers.push(page.commitments.map(({ commitment }) => numberOf(commitment?.commitmentId ?? idBytes(0))));
      pageToken = page.nextPageToken === "" ? undefined : page.nextPageToken;
    }
    expect(numbers).toEqual([[1, 2], [3, 4], [5]]);
    expect((await get(saleUuid, CHECKSUMMED, { pageSize: 5 })).nextPageToken).toBe("");
    expect(await refusal(get(saleUuid, CHECKSUMMED, { pageSize: 101 }))).toMatchObject({ code: "invalid_argument" });
    expect(await refusal(get(saleUuid, CHECKSUMMED, { pageToken: "x" }))).toMatchObject({ code: "invalid_argument" });
  });

  it("has fewer commitments on a page where they are long, and at least one", async () => {
    const saleUuid = await openedSale(service());
    const extraData = new Uint8Array(65_536);
    const upserts = Array.from({ length: 12 }, (_, index) => bid(index + 1, 5n, { extraData }));
    await apply(service(), saleUuid, { upserts });
    const pages: number[] = [];
    for (let pageToken: string | undefined; pageToken !== ""; ) {
      const page = await get(saleUuid, CHECKSUMMED, { pageToken: pageToken ?? "" });
      pages.push(page.commitments.length);
      pageToken = page.nextPageToken;
    }
    expect(pages).toEqual([7, 5]);
  });

  it("reads no more than a page of long commitments, however many there are", async () => {
    const saleUuid = await openedSale(service());
    const extraData = new Uint8Array(65_536);
    await apply(service(), saleUuid, {
      upserts: Array.from({ length: 12 }, (_, index) => bid(index + 1, 5n, { extraData })),
    });
    const { database } = service();
    const read: number[] = [];
    const watched = (transaction: object): object =>
      new Proxy(transaction, {
        get: (target, name) => {
          if (name !== "executeQuery") return Reflect.get(target, name);
          return async (query: unknown) => {
            const result = await Reflect.get(target, name).call(target, query);
            read.push(bytesIn(result.rows));
            return result;
          };
        },
      });
    const snapshot = (work: (transaction: object) => Promise<unknown>) =>
      database.snapshot((transaction) => work(watched(transaction)));
    const page = { wallet: CHECKSUMMED.toLowerCase(), after: "", limit: 100 };
    const watchedDatabase = { dialect: database.dialect, snapshot } as unknown as typeof database;
    const { entries } = await readPosition(watchedDatabase, saleUuid, page);
    expect(entries).toHaveLength(7);
    expect(Math.max(...read)).toBeGreaterThan(7 * 65_536);
    expect(Math.max(...read)).toBeLessThan(9 * 65_536);
  });

  it("is there for sales that the public can read", async () => {
    const unread = await openedSale(service(), auction({ source: evmSource() }));
    expect(await refusal(get(unread, CHECKSUMMED))).toMatchObject({ code: "unavailable" });
    const torn = await openedSale(service());
    await apply(service(), torn, { upserts: [record(1, { amounts: [amountOf(1n)] })] });
    await apply(service(), torn, { changeSet: { changeSetUuid: randomUUID(), part: 0 } });
    expect(await refusal(get(torn, CHECKSUMMED))).toMatchObject({ code: "unavailable" });
    const withdrawn = await openedSale(service());
    await service().sales.withdrawSale({ saleUuid: withdrawn, confirmName: "Auction" });
    for (const saleUuid of [await draftSale(service()), withdrawn, randomUUID()]) {
      expect(await refusal(get(saleUuid, CHECKSUMMED))).toMatchObject({ code: "not_found" });
    }
  });
});
