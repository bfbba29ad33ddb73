import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { expectUnchanged } from "../../support/databases/sale-tables.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import {
  type ApplyInit,
  amountOf,
  apply,
  idBytes,
  openedSale,
  record,
  refusal,
} from "../../support/sales/sale-messages.ts";

describeCommitments("a change set", (service) => {
  /** A sale at revision 3 with commitments 1 and 2. */
  async function bidOn(): Promise<string> {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1), record(2)] });
    return saleUuid;
  }

  const applyPart = (saleUuid: string, uuid: string, part: number, request: ApplyInit = {}, last = false) =>
    apply(service(), saleUuid, { ...request, changeSet: { changeSetUuid: uuid, part, last } });
  const read = (saleUuid: string) => service().commitments.getCommitmentData({ saleUuid });
  const revisions = (saleUuid: string) => service().commitments.getRevisions({ saleUuids: [saleUuid] });
  const isOpen = async (saleUuid: string) => (await service().sales.getSale({ saleUuid })).sale?.changeSetOpen;

  it("stays hidden until its last part, which makes one revision", async () => {
    const saleUuid = await bidOn();
    const before = { data: await read(saleUuid), revisions: await revisions(saleUuid) };
    const uuid = randomUUID();
    const stage = SaleStage.DONE;
    const parts: ApplyInit[] = [
      { stage, upserts: [record(1, { refunded: true, extraData: idBytes(1) }), record(3)] },
      { stage, removals: [idBytes(2)], upserts: [record(4, { priceTicks: "99", amounts: [amountOf(10n ** 6n)] })] },
    ];
    for (const [part, request] of parts.entries()) {
      expect(await applyPart(saleUuid, uuid, part, request)).toMatchObject({ revision: 3n });
      expect({ data: await read(saleUuid), revisions: await revisions(saleUuid) }).toEqual(before);
      expect(await isOpen(saleUuid)).toBe(true);
    }
    const answer = await applyPart(saleUuid, uuid.toUpperCase(), 2, { stage, upserts: [record(5)] }, true);
    expect(answer).toMatchObject({ revision: 4n });
    expect(await isOpen(saleUuid)).toBe(false);
    expect(await read(saleUuid)).toMatchObject({
      revision: 4n,
      data: { totalAmount: "1003000", commitmentCount: 4n, clearingPrice: { price: { numerator: "95" } } },
    });
    expect(await revisions(saleUuid)).toMatchObject({ revisions: [{ revision: 4n }] });
  });

  it("makes reads of all rows wait", async () => {
    const saleUuid = await bidOn();
    await applyPart(saleUuid, randomUUID(), 0);
    const { commitments } = service();
    expect(await refusal(commitments.listCommitments({ saleUuid }))).toMatchObject({ code: "unavailable" });
    expect(await refusal(commitments.getPriceLevels({ saleUuid }))).toMatchObject({ code: "unavailable" });
  });

  it("makes one revision even where it changes nothing, as readers can't know", async () => {
    const saleUuid = await bidOn();
    const uuid = randomUUID();
    await applyPart(saleUuid, uuid, 0, { upserts: [record(1)] });
    expect(await applyPart(saleUuid, uuid, 1, {}, true)).toMatchObject({ revision: 4n });
  });

  it("of one part is as good as a plain apply", async () => {
    const saleUuid = await bidOn();
    expect(await applyPart(saleUuid, randomUUID(), 0, { upserts: [record(3)] }, true)).toMatchObject({ revision: 4n });
    expect(await applyPart(saleUuid, randomUUID(), 0, { upserts: [record(3)] }, true)).toMatchObject({ revision: 4n });
    expect((await read(saleUuid)).data).toMatchObject({ totalAmount: "3000" });
  });

  it("can be sent part by part again", async () => {
    const saleUuid = await bidOn();
    const changeSet = { changeSetUuid: randomUUID(), part: 0, last: false };
    const part = { requestId: randomUUID(), upserts: [record(3)], changeSet };
    await apply(service(), saleUuid, part);
    const again = await expectUnchanged(service().database, saleUuid, () => apply(service(), saleUuid, part));
    expect(again).toMatchObject({ revision: 3n, repeatedRequest: true });
    await applyPart(saleUuid, changeSet.changeSetUuid, 1, {}, true);
    expect((await read(saleUuid)).data).toMatchObject({ totalAmount: "3000" });
  });

  it.each<[string, string, (uuid: string) => ApplyInit]>([
    ["a plain apply", "failed_precondition", () => ({ upserts: [record(9)] })],
    ["its part again", "aborted", (uuid) => ({ changeSet: { changeSetUuid: uuid, part: 0, last: false } })],
    ["a part too far", "aborted", (uuid) => ({ changeSet: { changeSetUuid: uuid, part: 2, last: false } })],
    [
      "a later part of another set",
      "aborted",
      () => ({ changeSet: { changeSetUuid: randomUUID(), part: 1, last: true } }),
    ],
    [
      "another stage",
      "invalid_argument",
      (uuid) => ({ stage: SaleStage.SETTLEMENT, changeSet: { changeSetUuid: uuid, part: 1, last: false } }),
    ],
  ])("refuses, while it is open, %s", async (_, code, request) => {
    const saleUuid = await bidOn();
    const uuid = randomUUID();
    await applyPart(saleUuid, uuid, 0, { upserts: [record(3)] });
    const call = () => refusal(apply(service(), saleUuid, request(uuid)));
    expect(await expectUnchanged(service().database, saleUuid, call)).toMatchObject({ code });
  });

  it("that was abandoned stays hidden until another one puts the rows right", async () => {
    const saleUuid = await bidOn();
    const before = await read(saleUuid);
    const abandoned = randomUUID();
    await applyPart(saleUuid, abandoned, 0, { upserts: [record(1, { priceTicks: "90" })], removals: [idBytes(2)] });

    const next = randomUUID();
    await applyPart(saleUuid, next, 0, { upserts: [record(1), record(3)] });
    expect(await read(saleUuid)).toEqual(before);
    const late = () => refusal(applyPart(saleUuid, abandoned, 1, {}, true));
    expect(await expectUnchanged(service().database, saleUuid, late)).toMatchObject({ code: "aborted" });
    await applyPart(saleUuid, next, 1, { upserts: [record(2)] }, true);

    expect(await read(saleUuid)).toMatchObject({ revision: 4n, data: { totalAmount: "3000", commitmentCount: 3n } });
    const { levels } = await service().commitments.getPriceLevels({ saleUuid });
    expect(levels).toMatchObject([{ lowestTick: "10", amount: "3000" }]);
  });

  it("is superseded by a set of one part at once", async () => {
    const saleUuid = await bidOn();
    await applyPart(saleUuid, randomUUID(), 0, { removals: [idBytes(2)] });
    const answer = await applyPart(saleUuid, randomUUID(), 0, { upserts: [record(2)] }, true);
    expect(answer).toMatchObject({ revision: 4n });
    expect((await read(saleUuid)).data).toMatchObject({ totalAmount: "2000" });
  });
});
