import { randomUUID } from "node:crypto";
import { fromBinary, type Message, type MessageInitShape } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { Allocation } from "../../../proto/gen/tidemark/commitments/v1/allocation_pb.ts";
import type { SetAllocationsRequestSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { SaleUpdatedSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  type ApplyInit,
  amountOf,
  apply,
  applyUnderLease,
  auction,
  evmSource,
  idBytes,
  openedSale,
  type RecordInit,
  record,
  refusal,
  USDX,
  USDY,
  usdx,
  violatedFields,
  WALLET,
} from "../../support/sales/sale-messages.ts";

type SetAllocationsInit = Exclude<MessageInitShape<typeof SetAllocationsRequestSchema>, Message>;

const { COMMITMENT, SETTLEMENT, DONE } = SaleStage;
const OTHER = `0x${"b2".repeat(20)}`;

/** The ID of an entity, which its commitment has too, padded with zeros. */
function entity(number: number): Uint8Array<ArrayBuffer> {
  return idBytes(number, 16);
}

/** The only commitment of an entity, with what is accepted of it. */
function bid(number: number, accepted: bigint, change: RecordInit = {}): RecordInit {
  const commitmentId = new Uint8Array(32);
  commitmentId.set(entity(number));
  return record(number, { commitmentId, ...(accepted > 0n && { accepted: [amountOf(accepted)] }), ...change });
}

const totals = (accepted: bigint, token = USDX) => ({ accepted: [{ token, amount: accepted.toString() }] });

describeCommitments("allocations of a sale with a source", (service) => {
  const chainFed = async () => {
    const saleUuid = await openedSale(service(), auction({ source: evmSource() }));
    const leaseEpoch = await applyUnderLease(service(), saleUuid, {
      stage: COMMITMENT,
      upserts: [bid(1, 0n), bid(2, 0n)],
    });
    const read = (request: ApplyInit) => apply(service(), saleUuid, { leaseEpoch, ...request });
    return { saleUuid, read };
  };
  const listed = async (saleUuid: string) =>
    shown((await service().commitments.listAllocations({ saleUuid })).allocations);
  const position = (saleUuid: string, wallet = WALLET) => service().commitments.getPosition({ saleUuid, wallet });

  it("are known from the settlement on, in the list, the wallet's position, the sale and its figures", async () => {
    const { saleUuid, read } = await chainFed();
    expect(await service().commitments.listAllocations({ saleUuid })).toMatchObject({ allocations: [] });
    await read({ stage: SETTLEMENT, allocationTotals: {} });
    const { revision } = await read({ stage: SETTLEMENT, upserts: [bid(1, 400n)], allocationTotals: totals(400n) });
    const allocations = { accepted: [{ token: USDX, amount: "400" }], differs: false, total: "400" };
    expect(await service().commitments.listAllocations({ saleUuid })).toMatchObject({
      revision,
      allocations: [{ entityId: entity(1), wallet: WALLET, token: USDX, accepted: "400" }],
      nextPageToken: "",
      saleAllocations: allocations,
    });
    expect((await service().sales.getSale({ saleUuid })).sale).toMatchObject({ allocations });
    expect((await service().commitments.getCommitmentData({ saleUuid })).sale).toMatchObject({ allocations });
    expect(await position(saleUuid)).toMatchObject({
      saleAllocations: allocations,
      allocations: [
        { entityId: entity(1), token: USDX, accepted: "400", refunded: "0" },
        { entityId: entity(2), token: USDX, accepted: "0", refunded: "0" },
      ],
    });
    await read({
      stage: DONE,
      upserts: [bid(1, 400n, { refunded: true }), bid(2, 0n, { refunded: true })],
      allocationTotals: totals(400n),
    });
    expect((await position(saleUuid)).allocations).toMatchObject([
      { accepted: "400", refunded: "600" },
      { accepted: "0", refunded: "1000" },
    ]);
    const stored = await service().commitments.getCommitmentRecords({ saleUuid, commitmentIds: [new Uint8Array(32)] });
    expect(stored.records).toEqual([]);
  });

  it("go when a re-organisation leads back before the settlement", async () => {
    const { saleUuid, read } = await chainFed();
    await read({ stage: DONE, upserts: [bid(1, 400n), bid(2, 5n)], allocationTotals: totals(405n) });
    expect(await listed(saleUuid)).toEqual(["1 400", "2 5"]);
    await read({ stage: COMMITMENT, upserts: [bid(1, 0n)], removals: [bid(2, 0n).commitmentId ?? new Uint8Array()] });
    expect(await listed(saleUuid)).toEqual([]);
    expect(await position(saleUuid)).toMatchObject({ allocations: [] });
    expect((await position(saleUuid)).saleAllocations).toBeUndefined();
    await read({ stage: SETTLEMENT, upserts: [bid(1, 7n)], allocationTotals: totals(7n) });
    expect(await listed(saleUuid)).toEqual(["1 7"]);
  });

  it("are hidden while a change set is open, and shown whole after it", async () => {
    const { saleUuid, read } = await chainFed();
    await read({ stage: SETTLEMENT, upserts: [bid(1, 1n)], allocationTotals: totals(1n) });
    const part = (number: number, last: boolean) => ({ changeSetUuid: uuid, part: number, last });
    const uuid = randomUUID();
    await read({ stage: SETTLEMENT, upserts: [bid(1, 3n)], allocationTotals: totals(8n), changeSet: part(0, false) });
    expect(await refusal(listed(saleUuid))).toMatchObject({ code: "unavailable" });
    expect((await service().sales.getSale({ saleUuid })).sale?.allocations).toMatchObject({
      total: "1",
      differs: false,
    });
    await read({ stage: SETTLEMENT, upserts: [bid(2, 5n)], allocationTotals: totals(8n), changeSet: part(1, true) });
    expect(await listed(saleUuid)).toEqual(["1 3", "2 5"]);
    expect((await service().sales.getSale({ saleUuid })).sale?.allocations).toMatchObject({
      total: "8",
      differs: false,
    });
  });

  it("that differ from the contract's totals are shown as that", async () => {
    const { saleUuid, read } = await chainFed();
    await read({ stage: SETTLEMENT, upserts: [bid(1, 400n)], allocationTotals: totals(399n) });
    const { sale } = await service().sales.getSale({ saleUuid });
    expect(sale?.allocations).toMatchObject({ differs: true, expected: [{ token: USDX, amount: "399" }] });
    expect(await position(saleUuid)).toMatchObject({ saleAllocations: { differs: true } });
    await read({ stage: SETTLEMENT, allocationTotals: totals(400n) });
    expect((await service().sales.getSale({ saleUuid })).sale?.allocations).toMatchObject({ differs: false });
  });

  it("are in the event of each revision that changes them", async () => {
    const { saleUuid, read } = await chainFed();
    const { revision } = await read({ stage: SETTLEMENT, upserts: [bid(1, 400n)], allocationTotals: totals(399n) });
    const stored = service()
      .database.query.selectFrom("outbox")
      .select("event")
      .where("sale", "=", bytesOfHex(saleUuid));
    const { event } = await stored.where("revision", "=", revision).executeTakeFirstOrThrow();
    expect(fromBinary(SaleUpdatedSchema, event ?? new Uint8Array())).toMatchObject({
      allocations: { accepted: [{ token: USDX, amount: "400" }], differs: true, total: "400" },
    });
  });

  it("make no revision where nothing changes", async () => {
    const { saleUuid, read } = await chainFed();
    const request = { stage: SETTLEMENT, upserts: [bid(1, 400n)], allocationTotals: totals(400n) };
    const { revision } = await read(request);
    expect(await read(request)).toMatchObject({ revision });
    expect(await listed(saleUuid)).toEqual(["1 400"]);
  });

  it.each<[string, ApplyInit, string]>([
    ["totals before the settlement", { stage: COMMITMENT, allocationTotals: {} }, "allocation_totals"],
    ["accepted amounts before the settlement", { stage: COMMITMENT, upserts: [bid(1, 1n)] }, "allocation_totals"],
    ["a zero", { stage: DONE, upserts: [bid(1, 0n, { accepted: [amountOf(0n)] })] }, "upserts[0].accepted[0].amount"],
    [
      "an amount twice",
      { stage: DONE, upserts: [bid(1, 0n, { accepted: [amountOf(1n), amountOf(2n)] })] },
      "upserts[0].accepted[1]",
    ],
    [
      "another token",
      { stage: DONE, upserts: [bid(1, 0n, { accepted: [amountOf(1n, USDY)] })] },
      "upserts[0].accepted[0].token",
    ],
    [
      "a commitment that isn't its entity's only one",
      { stage: DONE, upserts: [record(1, { accepted: [amountOf(1n)] })] },
      "upserts[0].accepted",
    ],
    [
      "a total twice",
      {
        stage: DONE,
        allocationTotals: {
          accepted: [
            { token: USDX, amount: "1" },
            { token: USDX, amount: "2" },
          ],
        },
      },
      "allocation_totals.accepted[1].token",
    ],
  ])("are refused with %s", async (_, request, field) => {
    const { saleUuid, read } = await chainFed();
    expect(await expectUnchanged(service().database, saleUuid, () => violatedFields(read(request)))).toEqual([field]);
  });

  it("can't be set by a feeder", async () => {
    const { saleUuid, read } = await chainFed();
    await read({ stage: DONE, allocationTotals: {} });
    const set = { changeSetUuid: randomUUID(), part: 0, last: true };
    const call = service().commitments.setAllocations({ saleUuid, requestId: randomUUID(), set, totals: {} });
    expect(await refusal(call)).toMatchObject({ code: "failed_precondition" });
  });
});

describeCommitments("allocations of a sale without a source", (service) => {
  const settledSale = async () => {
    const saleUuid = await openedSale(service(), auction({ paymentTokens: [usdx, { ...usdx, address: USDY }] }));
    await apply(service(), saleUuid, { upserts: [record(1), record(2, { entityId: entity(1) })] });
    await service().sales.settleSale({ saleUuid, confirmName: "Auction" });
    return saleUuid;
  };
  const feeder = () => service().as("feeder").commitments;
  const allocation = (number: number, accepted: bigint, { wallet = WALLET, token = USDX } = {}) => ({
    entityId: entity(number),
    wallet,
    token,
    accepted: accepted.toString(),
  });
  const part = (changeSetUuid: string, number: number, last: boolean) => ({ changeSetUuid, part: number, last });
  const send = (saleUuid: string, request: Omit<SetAllocationsInit, "saleUuid">) =>
    feeder().setAllocations({ requestId: randomUUID(), ...request, saleUuid });
  const listed = async (saleUuid: string) => {
    const all: Allocation[] = [];
    for (let pageToken = ""; ; ) {
      const page = await service().commitments.listAllocations({ saleUuid, pageSize: 2, pageToken });
      all.push(...page.allocations);
      pageToken = page.nextPageToken;
      if (pageToken === "") return shown(all);
    }
  };

  it("are set in parts, shown at once by the last one, and replaced by the next set", async () => {
    const saleUuid = await settledSale();
    const uuid = randomUUID();
    const before = await send(saleUuid, {
      set: part(uuid, 0, false),
      allocations: [allocation(2, 5n), allocation(1, 3n)],
    });
    expect(await listed(saleUuid)).toEqual([]);
    const last = {
      set: part(uuid, 1, true),
      allocations: [allocation(1, 4n, { token: USDY }), allocation(1, 6n, { wallet: OTHER })],
    };
    const sums = { accepted: [...totals(14n).accepted, ...totals(4n, USDY).accepted] };
    const after = await send(saleUuid, { ...last, totals: sums });
    expect(after.revision).toBe(before.revision + 1n);
    expect(await listed(saleUuid)).toEqual(["1 3", "1 4 USDY", "1 6 other", "2 5"]);
    expect(await service().commitments.getPosition({ saleUuid, wallet: WALLET })).toMatchObject({
      saleAllocations: { total: "18", differs: false },
      allocations: [
        { entityId: entity(1), token: USDX, accepted: "3" },
        { entityId: entity(1), token: USDY, accepted: "4" },
      ],
    });
    await send(saleUuid, { set: part(randomUUID(), 0, true), allocations: [allocation(3, 9n)], totals: totals(9n) });
    expect(await listed(saleUuid)).toEqual(["3 9"]);
    const rows = await service().database.query.selectFrom("allocation").select("version").execute();
    expect(new Set(rows.map(({ version }) => BigInt(version))).size).toBe(1);
  });

  it("are applied once for each request ID, and refuse another payload under it", async () => {
    const saleUuid = await settledSale();
    const requestId = randomUUID();
    const request = {
      requestId,
      set: part(randomUUID(), 0, true),
      allocations: [allocation(1, 3n)],
      totals: totals(3n),
    };
    const first = await send(saleUuid, request);
    expect(await send(saleUuid, request)).toMatchObject({ revision: first.revision, repeatedRequest: true });
    const other = send(saleUuid, { ...request, allocations: [allocation(1, 4n)], totals: totals(4n) });
    expect(await refusal(other)).toMatchObject({ code: "already_exists" });
  });

  it("go on with the part that the refusal names, and begin anew with part 0 of another set", async () => {
    const saleUuid = await settledSale();
    const uuid = randomUUID();
    await send(saleUuid, { set: part(uuid, 0, false), allocations: [allocation(1, 3n)] });
    const skipped = send(saleUuid, { set: part(uuid, 2, true), totals: totals(3n) });
    expect(await refusal(skipped)).toMatchObject({
      code: "aborted",
      message: expect.stringContaining("part 1, not 2"),
    });
    await send(saleUuid, { set: part(randomUUID(), 0, false), allocations: [allocation(1, 8n)] });
    const abandoned = send(saleUuid, { set: part(uuid, 1, true), totals: totals(3n) });
    expect(await refusal(abandoned)).toMatchObject({ code: "aborted" });
  });

  it("are refused whole if a total isn't their sum, or one occurs twice", async () => {
    const saleUuid = await settledSale();
    const uuid = randomUUID();
    await send(saleUuid, { set: part(uuid, 0, false), allocations: [allocation(1, 3n)] });
    const wrong = () =>
      send(saleUuid, { set: part(uuid, 1, true), allocations: [allocation(2, 1n)], totals: totals(5n) });
    const refused = await expectUnchanged(service().database, saleUuid, () => refusal(wrong()));
    expect(refused).toMatchObject({ code: "failed_precondition", message: expect.stringContaining("add up to 4") });
    const twice = () =>
      send(saleUuid, { set: part(uuid, 1, true), allocations: [allocation(1, 1n)], totals: totals(4n) });
    expect(await expectUnchanged(service().database, saleUuid, () => refusal(twice()))).toMatchObject({
      code: "already_exists",
    });
    expect(await violatedFields(send(saleUuid, { set: part(uuid, 1, true) }))).toEqual(["totals"]);
    const same = [allocation(4, 1n), allocation(4, 1n, { wallet: WALLET.toUpperCase().replace("0X", "0x") })];
    expect(await violatedFields(send(saleUuid, { set: part(uuid, 1, false), allocations: same }))).toEqual([
      "allocations[1]",
    ]);
  });

  it("are refused before the sale is settled, and in an apply", async () => {
    const saleUuid = await openedSale(service());
    const call = send(saleUuid, { set: part(randomUUID(), 0, true), totals: {} });
    expect(await refusal(call)).toMatchObject({ code: "failed_precondition" });
    const applied = apply(service(), saleUuid, { stage: DONE, upserts: [bid(1, 1n)] });
    expect(await violatedFields(applied)).toEqual(["allocation_totals"]);
  });

  it("aren't known any more once the sale is opened again", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1)], stage: DONE });
    await send(saleUuid, { set: part(randomUUID(), 0, true), allocations: [allocation(1, 3n)], totals: totals(3n) });
    await apply(service(), saleUuid, { stage: COMMITMENT });
    expect(await listed(saleUuid)).toEqual([]);
    await apply(service(), saleUuid, { stage: DONE });
    expect(await listed(saleUuid)).toEqual([]);
    await send(saleUuid, { set: part(randomUUID(), 0, true), allocations: [allocation(1, 4n)], totals: totals(4n) });
    expect(await listed(saleUuid)).toEqual(["1 4"]);
  });
});

/** Entity and amount of each allocation, and its wallet and token where they aren't the usual ones. */
function shown(allocations: readonly Allocation[]): readonly string[] {
  return allocations.map(({ entityId, wallet, token, accepted }) => {
    const number = new DataView(entityId.buffer, entityId.byteOffset).getUint32(12);
    return `${number} ${accepted}${token === USDX ? "" : " USDY"}${wallet === WALLET ? "" : " other"}`;
  });
}
