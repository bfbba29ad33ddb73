import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { commitmentDigest } from "../../../common/sale/record/commitment-digest.ts";
import { listDigests } from "../../../services/commitments/reading/list-rows.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  amountOf,
  apply,
  draftSale,
  idBytes,
  numberOf,
  openedSale,
  record,
  refusal,
  USDX,
  violatedFields,
  WALLET,
} from "../../support/sales/sale-messages.ts";

const PAGE_SIZE = 500;
const hexOf = (number: number, digits: number) => number.toString(16).padStart(digits, "0");
const indexed = (number: number, sourceIndex: number) => record(number, { sourceIndex: BigInt(sourceIndex) });

describeCommitments("ListDigests", (service) => {
  const list = async (saleUuid: string, fromIndex: bigint, toIndex: bigint) => {
    const page = await service().commitments.listDigests({ saleUuid, fromIndex, toIndex });
    const numbers = page.digests.map(({ sourceIndex, commitmentId }) => [Number(sourceIndex), numberOf(commitmentId)]);
    return { numbers, nextIndex: page.nextIndex };
  };

  it("returns the digest that anyone computes for the same commitment", async () => {
    const saleUuid = await openedSale(service());
    const amounts = [amountOf(5n), amountOf(2n ** 256n - 1n)];
    const spelled = amounts.map((entry) => ({ ...entry, wallet: WALLET.replaceAll("b", "B") }));
    const change = { lockup: true, refunded: true, extraData: Uint8Array.of(7), sourceIndex: 3n };
    await apply(service(), saleUuid, { upserts: [record(1, { ...change, amounts: spelled })] });
    const { digests } = await service().commitments.listDigests({ saleUuid, toIndex: 10n });
    const expected = commitmentDigest({
      commitmentId: hexOf(1, 64),
      entityId: hexOf(1, 32),
      createdAtSeconds: 1_769_860_800n,
      priceTicks: 10n,
      lockup: true,
      refunded: true,
      amounts: amounts.toReversed().map(({ amount }) => ({ wallet: WALLET, token: USDX, amount: BigInt(amount) })),
      extraData: Uint8Array.of(7),
    });
    expect(digests).toMatchObject([
      { sourceIndex: 3n, commitmentId: idBytes(1), digest: Uint8Array.from(Buffer.from(expected, "hex")) },
    ]);
  });

  it("lists a half-open range of indexes, ascending, without rows that have no index", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, {
      upserts: [indexed(4, 0), indexed(3, 1), indexed(2, 2), indexed(1, 3), record(9)],
    });
    expect(await list(saleUuid, 0n, 4n)).toEqual({
      numbers: [
        [0, 4],
        [1, 3],
        [2, 2],
        [3, 1],
      ],
      nextIndex: undefined,
    });
    expect((await list(saleUuid, 1n, 2n)).numbers).toEqual([[1, 3]]);
    expect((await list(saleUuid, 2n, 2n)).numbers).toEqual([]);
    expect((await list(saleUuid, 3n, 1n)).numbers).toEqual([]);
    expect((await list(saleUuid, 4n, 2n ** 63n - 1n)).numbers).toEqual([]);
  });

  it("shows the parts of an open change set, and the rows of an abandoned one", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [indexed(1, 0)] });
    const changeSet = { changeSetUuid: randomUUID(), part: 0, last: false };
    await apply(service(), saleUuid, { upserts: [indexed(2, 0)], changeSet });
    expect((await list(saleUuid, 0n, 9n)).numbers).toEqual([
      [0, 1],
      [0, 2],
    ]);
  });

  it("continues after a page of 500", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, {
      upserts: Array.from({ length: PAGE_SIZE + 1 }, (_, index) => indexed(index, index)),
    });
    const first = await list(saleUuid, 0n, 10_000n);
    expect([first.numbers.length, first.nextIndex]).toEqual([PAGE_SIZE, BigInt(PAGE_SIZE)]);
    expect(await list(saleUuid, BigInt(PAGE_SIZE), 10_000n)).toEqual({
      numbers: [[PAGE_SIZE, PAGE_SIZE]],
      nextIndex: undefined,
    });
    const exact = await list(saleUuid, 0n, BigInt(PAGE_SIZE));
    expect([exact.numbers.length, exact.nextIndex]).toEqual([PAGE_SIZE, undefined]);
  });

  it("keeps rows with the same index together, even beyond the size of a page", async () => {
    const saleUuid = await openedSale(service());
    const shared = [2, 3, 4, 5].map((number) => indexed(number, 7));
    await apply(service(), saleUuid, { upserts: [indexed(1, 6), ...shared, indexed(6, 8)] });
    const pages: unknown[] = [];
    let from: bigint | undefined = 0n;
    while (from !== undefined) {
      const page: Awaited<ReturnType<typeof listDigests>> = await listDigests(
        service().database,
        saleUuid,
        from,
        9n,
        2,
      );
      pages.push([page.digests.map(({ commitmentId }) => Number.parseInt(commitmentId, 16)), page.nextIndex]);
      from = page.nextIndex;
    }
    expect(pages).toEqual([
      [[1], 7n],
      [[2, 3, 4, 5], 8n],
      [[6], undefined],
    ]);
  });

  it("answers for a draft, and not for an unknown sale", async () => {
    expect((await list(await draftSale(service()), 0n, 9n)).numbers).toEqual([]);
    expect(await refusal(list(randomUUID(), 0n, 9n))).toMatchObject({ code: "not_found" });
  });

  it.each([
    ["from_index", { fromIndex: 2n ** 63n }],
    ["to_index", { toIndex: 2n ** 63n }],
  ])("refuses a %s of 2^63", async (field, range) => {
    const call = service().commitments.listDigests({ saleUuid: randomUUID(), ...range });
    expect(await violatedFields(call)).toEqual([field]);
  });
});
