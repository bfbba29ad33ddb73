import { expect, it } from "vitest";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { apply, openedSale, record, refusal } from "../../support/sales/sale-messages.ts";

describeCommitments("a revision that another node of a database cluster has taken", (service) => {
  it("is tried again like any conflict, and is unavailable while it lasts, never internal", async () => {
    const saleUuid = await openedSale(service());
    const { revision } = await service().commitments.getCommitmentData({ saleUuid });
    const { query } = service().database;
    const taken = { sale: bytesOfHex(saleUuid), revision: revision + 1n };
    await query
      .insertInto("outbox")
      .values({ ...taken, generation: Buffer.alloc(8), created_at_ms: 0n, published_at_ms: 1n })
      .execute();
    expect(await refusal(apply(service(), saleUuid, { upserts: [record(1)] }))).toMatchObject({ code: "unavailable" });

    await query.deleteFrom("outbox").where("sale", "=", taken.sale).where("revision", "=", taken.revision).execute();
    await apply(service(), saleUuid, { upserts: [record(1)] });
    expect((await service().commitments.getCommitmentData({ saleUuid })).revision).toBe(taken.revision);
  });
});
