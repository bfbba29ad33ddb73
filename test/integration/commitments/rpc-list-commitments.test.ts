import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  amountOf,
  apply,
  auction,
  draftSale,
  idBytes,
  numberOf,
  openedSale,
  record,
  refusal,
  USDY,
  usdx,
  violatedFields,
} from "../../support/sales/sale-messages.ts";

describeCommitments("ListCommitments", (service) => {
  const list = (saleUuid: string, pageSize = 0, pageToken = "") =>
    service().commitments.listCommitments({ saleUuid, pageSize, pageToken });
  const listNumbers = async (saleUuid: string, pageSize: number, pageToken: string) => {
    const page = await list(saleUuid, pageSize, pageToken);
    const numbers = page.commitments.map(({ record }) => numberOf(record?.commitmentId ?? idBytes(0)));
    return { numbers, nextPageToken: page.nextPageToken };
  };

  it("lists every commitment as it was applied, and how it counts", async () => {
    const saleUuid = await openedSale(
      service(),
      auction({ paymentTokens: [usdx, { address: USDY, decimals: 8 }], paymentTokenDecimals: 6 }),
    );
    const everything = record(4, {
      lockup: true,
      refunded: false,
      priceTicks: String(2n ** 64n - 1n),
      extraData: Uint8Array.of(1, 2),
      sourceIndex: 2n ** 63n - 1n,
      amounts: [amountOf(7n), amountOf(0n), amountOf(299n, USDY)],
    });
    const upserts = [
      record(1),
      record(2, { refunded: true }),
      record(3, { amounts: [] }),
      everything,
      record(5, { amounts: [amountOf(99n, USDY)] }),
    ];
    await apply(service(), saleUuid, { upserts: upserts.toReversed() });
    const { commitments, nextPageToken } = await list(saleUuid);
    expect(commitments.map(({ record }) => record)).toMatchObject(upserts);
    expect(commitments.map(({ active, amount }) => [active, amount])).toEqual([
      [true, "1000"],
      [false, "1000"],
      [false, "0"],
      [true, "9"],
      [true, "0"],
    ]);
    expect(nextPageToken).toBe("");

    await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
    const settled = await list(saleUuid);
    expect(settled.commitments.map(({ active }) => active)).toEqual([true, true, false, true, true]);
  });

  it("lists every lasting commitment once, whatever changes between the pages", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [2, 4, 6, 8, 10].map((number) => record(number)) });
    const first = await listNumbers(saleUuid, 2, "");
    expect(first.numbers).toEqual([2, 4]);
    await apply(service(), saleUuid, {
      upserts: [record(1), record(5), record(8, { refunded: true })],
      removals: [idBytes(4)],
    });
    const second = await listNumbers(saleUuid, 2, first.nextPageToken);
    expect(second.numbers).toEqual([5, 6]);
    const third = await listNumbers(saleUuid, 2, second.nextPageToken);
    expect(third).toEqual({ numbers: [8, 10], nextPageToken: "" });
  });

  it("lists 100 by default and 500 at most", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: Array.from({ length: 501 }, (_, index) => record(index)) });
    expect((await list(saleUuid)).commitments).toHaveLength(100);
    const page = await list(saleUuid, 500);
    expect(page.commitments).toHaveLength(500);
    expect((await list(saleUuid, 500, page.nextPageToken)).commitments).toHaveLength(1);
    expect(await violatedFields(list(saleUuid, 501))).toEqual(["page_size"]);
  });

  it.each([
    ["text that isn't a token", "!"],
    ["a token of another list", Buffer.alloc(16).toString("base64url")],
    ["a token that is too long", Buffer.alloc(33).toString("base64url")],
    ["201 characters", "A".repeat(201)],
  ])("refuses %s", async (_, pageToken) => {
    const saleUuid = await openedSale(service());
    expect(await violatedFields(list(saleUuid, 0, pageToken))).toEqual(["page_token"]);
  });

  it("doesn't know a draft, nor a sale that was never created", async () => {
    for (const saleUuid of [await draftSale(service()), randomUUID()]) {
      expect(await refusal(list(saleUuid))).toMatchObject({ code: "not_found" });
    }
  });
});
