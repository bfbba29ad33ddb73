import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { describeCommitments } from "../../support/processes/commitments-fixture.ts";
import { apply, draftSale, openedSale, record, refusal } from "../../support/sales/sale-messages.ts";

describeCommitments("RenewGeneration", (service) => {
  it("makes a revision in a generation of its own, with the figures as they were", async () => {
    const saleUuid = await openedSale(service());
    await apply(service(), saleUuid, { upserts: [record(1)] });
    const before = await service().commitments.getCommitmentData({ saleUuid });

    const renewed = await service().as("operator").commitments.renewGeneration({ saleUuid: saleUuid.toUpperCase() });

    expect(renewed.generation).not.toBe(before.generation);
    expect(renewed.revision).toBe(before.revision + 1n);
    const after = await service().commitments.getCommitmentData({ saleUuid });
    const { committedAt } = after;
    expect(after).toEqual({ ...before, ...renewed, committedAt, $typeName: before.$typeName });
  });

  it("answers readers of the generation before, however far they were", async () => {
    const saleUuid = await openedSale(service());
    const { generation } = await service().commitments.getCommitmentData({ saleUuid });
    const ahead = { saleUuid, generation, minimumRevision: 1_000n };
    expect(await refusal(service().commitments.getCommitmentData(ahead))).toMatchObject({ code: "unavailable" });
    const renewed = await service().commitments.renewGeneration({ saleUuid });
    expect(await service().commitments.getCommitmentData(ahead)).toMatchObject(plain(renewed));
  });

  it("renews a draft without a revision", async () => {
    const saleUuid = await draftSale(service());
    const { sale } = await service().sales.getSale({ saleUuid });
    const renewed = await service().commitments.renewGeneration({ saleUuid });
    expect(renewed.revision).toBe(sale?.revision);
    expect(renewed.generation).not.toBe(sale?.generation);
  });

  it("is for operators, and for sales that there are", async () => {
    const saleUuid = await openedSale(service());
    const call = service().as("gateway").commitments.renewGeneration({ saleUuid });
    expect(await refusal(call)).toMatchObject({ code: "permission_denied" });
    const unknown = service().commitments.renewGeneration({ saleUuid: randomUUID() });
    expect(await refusal(unknown)).toMatchObject({ code: "not_found" });
  });
});

function plain({ generation, revision }: { readonly generation: bigint; readonly revision: bigint }) {
  return { generation, revision };
}
