import { expect, it } from "vitest";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { createFitClient } from "../../support/applications/fit-client.ts";
import { type AuthFixture, describeAuth, type SignedIn } from "../../support/processes/auth-fixture.ts";
import { apply, draftSale, idBytes, record, refusal } from "../../support/sales/sale-messages.ts";

describeAuth("an import of commitments by a person", (service) => {
  /** Opens a sale with a member. */
  async function saleOf(role: Role): Promise<{ readonly saleUuid: string; readonly person: SignedIn }> {
    const { commitments, memberships } = service();
    const saleUuid = await draftSale(commitments);
    await createFitClient(service(), saleUuid);
    await commitments.sales.openSale({ saleUuid });
    const email = `${crypto.randomUUID()}@example.com`;
    const person = await service().signIn(email);
    await memberships.setMember({ saleUuid, email, role });
    return { saleUuid, person };
  }

  const clientsOf = (fixture: AuthFixture, person: SignedIn) => fixture.saleClientsOf(person);

  it("is an owner's, and the owners are mailed about it", async () => {
    const { saleUuid, person } = await saleOf(Role.OWNER);
    const clients = await clientsOf(service(), person);
    await apply(clients, saleUuid, { upserts: [record(1), record(2)] });
    const { data } = await service().commitments.commitments.getCommitmentData({ saleUuid });
    expect(data).toMatchObject({ totalAmount: "2000", commitmentCount: 2n });
    const mails = async () =>
      (await service().mails()).filter((mail) => mail.includes("Commitments of a sale were imported"));
    await expect.poll(async () => (await mails()).length).toBe(1);
  });

  it("is nobody else's", async () => {
    const { saleUuid, person } = await saleOf(Role.EDITOR);
    const clients = await clientsOf(service(), person);
    expect(await refusal(apply(clients, saleUuid, { upserts: [record(1)] }))).toMatchObject({
      code: "permission_denied",
    });
    const stranger = await clientsOf(service(), await service().signIn("stranger@example.com"));
    expect(await refusal(apply(stranger, saleUuid, { upserts: [record(1)] }))).toMatchObject({ code: "not_found" });
    const gateway = service().commitments.as("gateway");
    expect(await refusal(apply(gateway, saleUuid, { upserts: [record(1)] }))).toMatchObject({
      code: "unauthenticated",
    });
  });

  it("inserts and replaces, and does nothing that a reader of a contract does", async () => {
    const { saleUuid, person } = await saleOf(Role.OWNER);
    const clients = await clientsOf(service(), person);
    for (const request of [
      { removals: [idBytes(1)] },
      { stage: SaleStage.DONE },
      { leaseEpoch: 1n },
      { sourcePosition: { height: 1n } },
    ]) {
      expect(await refusal(apply(clients, saleUuid, request))).toMatchObject({ code: "permission_denied" });
    }
    const { sale } = await service().commitments.sales.getSale({ saleUuid });
    expect(sale?.revision).toBe(2n);
  });

  it("needs a recent sign-in to begin, and not to go on", async () => {
    const { saleUuid, person } = await saleOf(Role.OWNER);
    const changeSetUuid = crypto.randomUUID();
    const part = (number: number, last: boolean) => ({
      upserts: [record(number)],
      changeSet: { changeSetUuid, part: number, last },
    });
    await apply(await clientsOf(service(), person), saleUuid, part(0, false));
    service().time.advance(660_000n);
    const late = await clientsOf(service(), person);
    await apply(late, saleUuid, part(1, true));
    expect(await refusal(apply(late, saleUuid, { upserts: [record(5)] }))).toMatchObject({
      code: "failed_precondition",
    });
  });
});
