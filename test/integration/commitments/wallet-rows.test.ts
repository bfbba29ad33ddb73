import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import { applyCommitments } from "../../../services/commitments/applying/apply-commitments-rpc.ts";
import { textOfAmounts } from "../../../services/commitments/base/encoding.ts";
import { newWriteToken } from "../../../services/commitments/base/sale-rows.ts";
import type { CommitmentsStore } from "../../../services/commitments/changing/commitments-store.ts";
import { fillWalletRows } from "../../../services/commitments/positions/fill-wallet-rows.ts";
import { readPosition } from "../../../services/commitments/positions/position-store.ts";
import { createSale } from "../../../services/commitments/sales/create-sale-rpc.ts";
import { auctionDefinition, idOf, recordOf, TOKEN, WALLET } from "../../../services/commitments/testing/samples.ts";
import { APPLY_OPTIONS, openCommitmentsStore } from "../../support/databases/commitments-database.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { walletRows } from "../../support/databases/expected-figures.ts";
import { openUnchecked } from "../../support/sales/unchecked-sales.ts";

const OTHER_WALLET = `0x${"cc".repeat(20)}`;
/** More than two batches of the fill. */
const BIDS = 1_100;
const OPTIONS = { ...APPLY_OPTIONS, maxRows: BIDS };

const bid = (number: number, wallet = WALLET): CommitmentRecord =>
  recordOf(number, { amounts: [{ wallet, token: TOKEN, amount: 1n }] });
const rowsOf = (wallet: string, numbers: readonly number[]) => numbers.map((number) => `${wallet} ${idOf(number)}`);

describeEachDatabase("rows by wallet of a sale from before there were any", (variant) => {
  let store: CommitmentsStore;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    const created = await variant.create();
    remove = created.remove;
    store = await openCommitmentsStore(created);
  });
  afterAll(async () => {
    await store.database.close();
    await remove();
  });

  async function saleWith(count: number): Promise<string> {
    const uuid = randomUUID();
    await createSale(store, { uuid, tenancy: "test", definition: auctionDefinition, ownerAccountUuid: "" });
    await openUnchecked(store, uuid);
    await apply(uuid, { upserts: Array.from({ length: count }, (_, index) => bid(index + 1)) });
    return uuid;
  }

  const apply = (saleUuid: string, { upserts = [], removals = [] }: Partial<Parameters<typeof applyCommitments>[1]>) =>
    applyCommitments(store, { saleUuid, requestId: randomUUID(), upserts, removals }, OPTIONS);
  const position = async (saleUuid: string, wallet = WALLET) => {
    const { entries } = await readPosition(store.database, saleUuid, { wallet, after: "", limit: 2_000 });
    return entries.map(({ record }) => record.commitmentId);
  };
  const stateOf = (saleUuid: string) =>
    store.database.query.updateTable("sale_state").where("sale", "=", bytesOfHex(saleUuid));

  async function forgetRows(saleUuid: string): Promise<void> {
    await store.database.query.deleteFrom("commitment_wallet").where("sale", "=", bytesOfHex(saleUuid)).execute();
    await stateOf(saleUuid).set({ wallets_token: null, wallets_filled_to: null }).execute();
  }

  /** Stores a commitment as the version before does: without rows by wallet. */
  async function applyAsBefore(saleUuid: string, number: number, wallet: string): Promise<void> {
    await store.database.query
      .updateTable("commitment")
      .set({ amounts: textOfAmounts(bid(number, wallet).amounts) })
      .where("sale", "=", bytesOfHex(saleUuid))
      .where("commitment_id", "=", bytesOfHex(idOf(number)))
      .execute();
    await stateOf(saleUuid)
      .set({ write_token: bytesOfHex(newWriteToken()) })
      .execute();
  }

  const rethrow = (_: string, error: unknown) => {
    throw error;
  };
  let filled: string[] = [];
  const onFilled = (saleUuid: string) => void filled.push(saleUuid);
  beforeEach(() => {
    filled = [];
  });

  /** Fills in one batch; the second one isn't begun. */
  async function fillOneBatch(): Promise<void> {
    const stopping = new AbortController();
    const run: CommitmentsStore["changes"]["run"] = async (...change) => {
      const result = await store.changes.run(...change);
      stopping.abort();
      return result;
    };
    await fillWalletRows(
      { ...store, changes: { run } as CommitmentsStore["changes"] },
      { signal: stopping.signal, onFilled, onFailure: rethrow },
    );
  }
  const fill = () => fillWalletRows(store, { signal: new AbortController().signal, onFilled, onFailure: rethrow });

  it("are filled in for the other sales while one fails, and for that one later", async () => {
    const uuids = [await saleWith(1), await saleWith(1)];
    for (const uuid of uuids) await forgetRows(uuid);
    const failed: string[] = [];
    const run: CommitmentsStore["changes"]["run"] = async (saleUuid, ...change) => {
      if (failed.length === 0) throw new Error(saleUuid);
      return store.changes.run(saleUuid, ...change);
    };
    const onFailure = (saleUuid: string, error: unknown) => {
      expect(error).toMatchObject({ message: saleUuid });
      failed.push(saleUuid);
    };
    await fillWalletRows(
      { ...store, changes: { run } as CommitmentsStore["changes"] },
      { signal: new AbortController().signal, onFilled, onFailure },
    );
    expect([...failed, ...filled].toSorted()).toEqual(uuids.toSorted());
    expect(failed).toHaveLength(1);
    await fill();
    expect(filled.toSorted()).toEqual(uuids.toSorted());
  });

  it("are filled in batch by batch, while applies go on, and no reader gets a part of them", async () => {
    const saleUuid = await saleWith(BIDS);
    await forgetRows(saleUuid);
    const waits = { code: "unavailable", message: expect.stringContaining("being collected") };
    await expect(position(saleUuid)).rejects.toMatchObject(waits);
    await fillOneBatch();
    await expect(position(saleUuid)).rejects.toMatchObject(waits);
    expect(await walletRows(store.database, saleUuid)).toHaveLength(500);
    expect(filled).toEqual([]);
    // On both sides of what is filled in.
    await apply(saleUuid, {
      upserts: [bid(1, OTHER_WALLET), bid(BIDS, OTHER_WALLET)],
      removals: [idOf(2), idOf(1_000)],
    });
    const before = await revisionOf(saleUuid);
    await fill();
    expect(filled).toEqual([saleUuid]);
    expect(await revisionOf(saleUuid)).toBe(before);
    const kept = Array.from({ length: BIDS - 2 }, (_, index) => index + 2).filter((id) => id !== 2 && id !== 1_000);
    expect(await walletRows(store.database, saleUuid)).toEqual([
      ...rowsOf(WALLET, kept),
      ...rowsOf(OTHER_WALLET, [1, BIDS]),
    ]);
    expect(await position(saleUuid)).toEqual(kept.map(idOf));
    expect(await position(saleUuid, OTHER_WALLET)).toEqual([idOf(1), idOf(BIDS)]);
  });

  it("are filled in again after a process of the version before has changed the sale", async () => {
    const saleUuid = await saleWith(3);
    await applyAsBefore(saleUuid, 2, OTHER_WALLET);
    await expect(position(saleUuid)).rejects.toMatchObject({ code: "unavailable" });
    // A change of this version doesn't make them complete.
    await apply(saleUuid, { upserts: [bid(4)] });
    await expect(position(saleUuid)).rejects.toMatchObject({ code: "unavailable" });
    await fill();
    expect(await position(saleUuid)).toEqual([idOf(1), idOf(3), idOf(4)]);
    expect(await position(saleUuid, OTHER_WALLET)).toEqual([idOf(2)]);
  });

  it("stay as they are in a sale that has all of them", async () => {
    const saleUuid = await saleWith(1);
    const token = () => stateRow(saleUuid).then((row) => row.write_token);
    const before = await token();
    await fill();
    expect([await token(), filled]).toEqual([before, []]);
  });

  const stateRow = (saleUuid: string) =>
    store.database.query
      .selectFrom("sale_state")
      .select(["revision", "write_token"])
      .where("sale", "=", bytesOfHex(saleUuid))
      .executeTakeFirstOrThrow();
  const revisionOf = async (saleUuid: string) => BigInt((await stateRow(saleUuid)).revision);
});
