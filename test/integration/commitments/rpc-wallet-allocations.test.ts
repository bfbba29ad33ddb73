import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import type { ListWalletAllocationsResponse } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { readWalletAllocations } from "../../../services/commitments/allocations/wallet-allocations-store.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  amountOf,
  apply,
  applyUnderLease,
  auction,
  draftSale,
  evmSource,
  fixedPricing,
  idBytes,
  openedSale,
  type RecordInit,
  record,
  refusal,
  USDX,
  USDY,
  usdx,
} from "../../support/sales/sale-messages.ts";

/** Wallets, in their order. */
const [FIRST, SECOND, THIRD] = ["b1", "b2", "b3"].map((byte) => `0x${byte.repeat(20)}`) as [string, string, string];
const NAMES: Readonly<Record<string, string>> = { [FIRST]: "first", [SECOND]: "second", [THIRD]: "third" };

const of = (wallet: string, amount: bigint, token = USDX) => ({ wallet, token, amount: amount.toString() });

/** The only commitment of an entity, whose ID it has, padded with zeros. */
function bid(number: number, amounts: NonNullable<RecordInit["amounts"]>, change: RecordInit = {}): RecordInit {
  const commitmentId = new Uint8Array(32);
  commitmentId.set(idBytes(number, 16));
  return record(number, { commitmentId, amounts, ...change });
}

/** Returns name, committed, accepted and refunded of each wallet of an answer, and the numerators of its prices. */
function shown({ wallets }: ListWalletAllocationsResponse): readonly string[] {
  return wallets.map(({ wallet, sums }) => {
    if (sums === undefined) return `${NAMES[wallet]} unsummed`;
    const prices = sums.prices.map(({ numerator, denominator }) => `${numerator}/${denominator}`);
    return [NAMES[wallet], sums.committed, sums.accepted, sums.refunded ?? "-", ...prices].join(" ");
  });
}

describeCommitments("ListWalletAllocations", (service) => {
  const list = (saleUuid: string, page = {}) => service().commitments.listWalletAllocations({ saleUuid, ...page });
  const readByContract = async (upserts: readonly RecordInit[], accepted: bigint) => {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    const totals = { accepted: accepted === 0n ? [] : [{ token: USDX, amount: accepted.toString() }] };
    await applyUnderLease(service(), saleUuid, {
      stage: SaleStage.DONE,
      upserts: [...upserts],
      allocationTotals: totals,
    });
    return saleUuid;
  };
  const fedSale = async (upserts: readonly RecordInit[], definition = auction()) => {
    const saleUuid = await openedSale(service(), definition);
    for (let start = 0; start < upserts.length; start += 500) {
      await apply(service(), saleUuid, { upserts: upserts.slice(start, start + 500) });
    }
    await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
    return saleUuid;
  };
  const allocate = (
    saleUuid: string,
    allocations: readonly { entityId: Uint8Array<ArrayBuffer>; wallet: string; accepted: string; token?: string }[],
  ) => {
    const whole = allocations.map((each) => ({ token: USDX, ...each }));
    const sum = (token: string) =>
      whole.filter((each) => each.token === token).reduce((all, { accepted }) => all + BigInt(accepted), 0n);
    const totals = [USDX, USDY].map((token) => ({ token, amount: sum(token).toString() }));
    return service()
      .as("feeder")
      .commitments.setAllocations({
        saleUuid,
        requestId: randomUUID(),
        set: { changeSetUuid: randomUUID(), part: 0, last: true },
        allocations: whole,
        totals: { accepted: totals.filter(({ amount }) => amount !== "0") },
      });
  };
  const allPages = async (saleUuid: string, pageSize: number) => {
    const pages: (readonly string[])[] = [];
    for (let pageToken: string | undefined; pageToken !== ""; ) {
      const page = await list(saleUuid, { pageSize, pageToken: pageToken ?? "" });
      pages.push(shown(page));
      pageToken = page.nextPageToken;
    }
    return pages;
  };

  it("adds up each wallet of a sale with a contract, and agrees with its position", async () => {
    const upserts = [
      bid(1, [of(SECOND, 700n)], { priceTicks: "20", accepted: [of(SECOND, 500n)], refunded: true }),
      bid(2, [of(SECOND, 40n)], { priceTicks: "15", accepted: [of(SECOND, 40n)] }),
      bid(3, [of(FIRST, 300n), of(THIRD, 60n)], { priceTicks: "15", accepted: [of(FIRST, 300n)], refunded: true }),
    ];
    const saleUuid = await readByContract(upserts, 840n);
    const answer = await list(saleUuid);
    expect(shown(answer)).toEqual([
      "first 300 300 0 15/1000",
      "second 740 540 200 20/1000 15/1000",
      "third 60 0 60 15/1000",
    ]);
    const { generation, revision, clearingPrice } = await service().commitments.getPosition({
      saleUuid,
      wallet: SECOND,
    });
    expect(answer).toMatchObject({
      ...{ generation, revision, clearingPrice, nextPageToken: "", paymentTokenDecimals: 6 },
      saleAllocations: { total: "840", differs: false },
    });
    for (const { wallet, sums } of answer.wallets) {
      const { allocations } = await service().commitments.getPosition({ saleUuid, wallet });
      const sum = (amounts: readonly (string | undefined)[]) =>
        String(amounts.reduce((all, amount) => all + BigInt(amount ?? 0), 0n));
      expect(sums).toMatchObject({
        accepted: sum(allocations.map(({ accepted }) => accepted)),
        refunded: sum(allocations.map(({ refunded }) => refunded)),
      });
    }
  });

  it("adds up what a feeder has set, of each entity and token, and says nothing of refunds", async () => {
    const entityId = idBytes(7, 16);
    const paymentTokens = [usdx, { ...usdx, address: USDY, decimals: 8 }];
    const definition = auction({ paymentTokens, paymentTokenDecimals: 6, pricing: fixedPricing(10n) });
    const saleUuid = await fedSale(
      [
        bid(1, [of(FIRST, 500n), of(FIRST, 300n, USDY)], { entityId }),
        bid(2, [of(FIRST, 20n)], { entityId: idBytes(8, 16) }),
        bid(3, [of(SECOND, 60n)], { entityId }),
      ],
      definition,
    );
    expect(await list(saleUuid)).toMatchObject({ wallets: [], nextPageToken: "" });
    expect((await list(saleUuid)).saleAllocations).toBeUndefined();
    await allocate(saleUuid, [
      { entityId, wallet: FIRST, accepted: "400" },
      { entityId, wallet: FIRST, token: USDY, accepted: "199" },
      { entityId: idBytes(8, 16), wallet: FIRST, accepted: "20" },
      { entityId, wallet: THIRD, accepted: "9" },
    ]);
    expect(shown(await list(saleUuid))).toEqual(["first 523 421 - 10/1000", "second 60 0 - 10/1000"]);
  });

  it("has each wallet on one page, in order, whatever the size of the pages", async () => {
    const upserts = [THIRD, FIRST, SECOND].map((wallet, index) => bid(index + 1, [of(wallet, 5n)]));
    const saleUuid = await readByContract(upserts, 0n);
    expect((await allPages(saleUuid, 2)).map((page) => page.length)).toEqual([2, 1]);
    expect((await allPages(saleUuid, 1)).flat()).toEqual((await allPages(saleUuid, 500)).flat());
    expect((await allPages(saleUuid, 3)).map((page) => page.length)).toEqual([3]);
  });

  it("leaves the sums to the position where a wallet has more commitments than a page reads", async () => {
    const many = Array.from({ length: 1_001 }, (_, index) => bid(index + 1, [of(SECOND, 5n)]));
    const saleUuid = await fedSale([...many, bid(2_000, [of(FIRST, 5n)]), bid(2_001, [of(THIRD, 5n)])]);
    await allocate(saleUuid, [{ entityId: idBytes(2_001, 16), wallet: THIRD, accepted: "4" }]);
    const pages = await allPages(saleUuid, 500);
    expect(pages.map((page) => page.map((row) => row.split(" ").slice(0, 2).join(" ")))).toEqual([
      ["first 5"],
      ["second unsummed"],
      ["third 5"],
    ]);
  });

  it("reads the same number of rows for every page, however far behind it is", async () => {
    const wallets = Array.from({ length: 1_600 }, (_, index) => `0x${index.toString(16).padStart(40, "0")}`);
    const saleUuid = await fedSale(wallets.map((wallet, index) => bid(index + 1, [of(wallet, 5n)])));
    await allocate(saleUuid, [{ entityId: idBytes(1, 16), wallet: wallets[0] ?? "", accepted: "4" }]);
    const { database } = service();
    const read: number[] = [];
    const watched = (transaction: object): object =>
      new Proxy(transaction, {
        get: (target, name) => {
          if (name !== "executeQuery") return Reflect.get(target, name, target).bind(target);
          return async (query: unknown) => {
            const result = await Reflect.get(target, name).call(target, query);
            read.push(result.rows.length);
            return result;
          };
        },
      });
    const snapshot = (work: (transaction: object) => Promise<unknown>) =>
      database.snapshot((transaction) => work(watched(transaction)));
    const watchedDatabase = { dialect: database.dialect, snapshot } as unknown as typeof database;
    for (const after of ["", wallets[500] ?? ""]) {
      read.length = 0;
      const page = await readWalletAllocations(watchedDatabase, { saleUuid, after }, 100);
      expect([page.wallets.size, read.slice(0, 2)]).toEqual([100, [1_001, 100]]);
    }
  });

  it("is there for settled sales, and refuses what isn't a page", async () => {
    const open = await openedSale(service());
    await apply(service(), open, { upserts: [bid(1, [amountOf(1n)])] });
    expect(await refusal(list(open))).toMatchObject({ code: "failed_precondition" });
    expect(await refusal(list(await draftSale(service())))).toMatchObject({ code: "not_found" });
    expect(await refusal(list(randomUUID()))).toMatchObject({ code: "not_found" });
    const saleUuid = await readByContract([bid(1, [of(FIRST, 5n)])], 0n);
    for (const page of [{ pageSize: 501 }, { pageToken: "x" }, { pageToken: "Ly8v" }, { pageToken: "a".repeat(101) }]) {
      expect([page, await refusal(list(saleUuid, page))]).toMatchObject([page, { code: "invalid_argument" }]);
    }
  });
});
