import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { AUTH_AUDIENCE, COMMITMENTS_AUDIENCE } from "../../../common/platform/rpc/identity/audiences.ts";
import { testIssuer } from "../../../common/platform/testing/test-issuer.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { createFitClient } from "../../support/applications/fit-client.ts";
import { type AuthFixture, describeAuth, ISSUER, type SignedIn } from "../../support/processes/auth-fixture.ts";
import type { CommitmentsClients } from "../../support/processes/commitments-fixture.ts";
import { POLL_TIMEOUT_MS } from "../../support/repository/polling.ts";
import { auction, refusal } from "../../support/sales/sale-messages.ts";

const TEN_MINUTES_MS = 600_000;
const draft = { tenancy: Tenancy.TEST, definition: auction() };

describeAuth("people and sales", (service) => {
  const somebody = (name = "somebody") => service().signIn(`${name}-${randomUUID()}@example.com`);

  it("belong to the person who creates them", async () => {
    const owner = await somebody();
    const { sale } = await (await service().saleClientsOf(owner)).sales.createSale(draft);
    expect(sale).toMatchObject({ ownerAccountUuid: owner.accountUuid, status: SaleStatus.DRAFT });
    expect(await roleIn(service(), sale?.uuid ?? "", owner)).toBe(Role.OWNER);
  });

  it("can be created again by the same call, but not by another person", async () => {
    const [owner, stranger] = [await somebody("owner"), await somebody("stranger")];
    const request = { ...draft, saleUuid: randomUUID() };
    const first = await (await service().saleClientsOf(owner)).sales.createSale(request);
    expect(await (await service().saleClientsOf(owner)).sales.createSale(request)).toEqual(first);
    const again = (await service().saleClientsOf(stranger)).sales.createSale(request);
    expect(await refusal(again)).toMatchObject({ code: "already_exists" });
    expect(await roleIn(service(), request.saleUuid, stranger)).toBe(Role.UNSPECIFIED);
  });

  it("can't be created for another person", async () => {
    const [person, other] = [await somebody(), await somebody("other")];
    const call = (await service().saleClientsOf(person)).sales.createSale({
      ...draft,
      ownerAccountUuid: other.accountUuid,
    });
    expect(await refusal(call)).toMatchObject({ code: "permission_denied" });
  });

  it("created by an operator belong to the named person, or to nobody", async () => {
    const owner = await somebody();
    const { sales } = service().commitments;
    const { sale } = await sales.createSale({ ...draft, ownerAccountUuid: owner.accountUuid });
    expect(await roleIn(service(), sale?.uuid ?? "", owner)).toBe(Role.OWNER);
    expect((await sales.createSale(draft)).sale).toMatchObject({ ownerAccountUuid: "" });
  });

  it("register no owner if the definition is invalid", async () => {
    const person = await somebody();
    const saleUuid = randomUUID();
    const call = (await service().saleClientsOf(person)).sales.createSale({
      ...draft,
      saleUuid,
      definition: auction({ paymentTokens: [] }),
    });
    expect(await refusal(call)).toMatchObject({ code: "invalid_argument" });
    expect(await roleIn(service(), saleUuid, person)).toBe(Role.UNSPECIFIED);
  });

  it("can be changed by those whose role allows it", async () => {
    const { saleUuid, owner } = await ownedSale(service());
    const members = { viewer: Role.VIEWER, editor: Role.EDITOR } as const;
    const results: Record<string, Record<string, string>> = {};
    const people: Record<string, SignedIn> = { owner, stranger: await somebody("stranger") };
    for (const [name, role] of Object.entries(members)) {
      people[name] = await somebody(name);
      await setRole(service(), saleUuid, owner, people[name], role);
    }
    for (const [name, person] of Object.entries(people)) {
      results[name] = await outcomes(await service().saleClientsOf(person), saleUuid);
    }
    // The sale has no ready client for an opening.
    const allowed = { read: "ok", update: "ok" };
    const refused = { read: "ok", update: "permission_denied" };
    expect(results).toEqual({
      owner: { ...allowed, open: "failed_precondition", settle: "failed_precondition" },
      editor: { ...allowed, open: "permission_denied", settle: "permission_denied" },
      viewer: { ...refused, open: "permission_denied", settle: "permission_denied" },
      stranger: { read: "not_found", update: "not_found", open: "not_found", settle: "not_found" },
    });
  });

  it("open only with a ready client, also for an operator", async () => {
    const { saleUuid, owner } = await ownedSale(service());
    const open = async () => (await service().saleClientsOf(owner)).sales.openSale({ saleUuid });
    expect(await refusal(open())).toMatchObject({ code: "failed_precondition" });
    expect(await refusal(service().commitments.sales.openSale({ saleUuid }))).toMatchObject({
      code: "failed_precondition",
    });
    await createFitClient(service(), saleUuid);
    expect((await open()).sale).toMatchObject({ status: SaleStatus.OPEN });
    const settled = await (await service().saleClientsOf(owner)).sales.settleSale({ saleUuid, confirmName: "Auction" });
    expect(settled.sale).toMatchObject({ status: SaleStatus.SETTLED });
  });

  it("open for an operator with a ready client", async () => {
    const { sale } = await service().commitments.sales.createSale(draft);
    const saleUuid = sale?.uuid ?? "";
    await createFitClient(service(), saleUuid);
    expect((await service().commitments.sales.openSale({ saleUuid })).sale).toMatchObject({ status: SaleStatus.OPEN });
  });

  it("open only for an owner who signed in less than ten minutes ago", async () => {
    const { saleUuid, owner } = await ownedSale(service());
    await createFitClient(service(), saleUuid);
    service().time.advance(TEN_MINUTES_MS + 1_000);
    const open = async (person: SignedIn) => (await service().saleClientsOf(person)).sales.openSale({ saleUuid });
    expect(await refusal(open(owner))).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("sign in again"),
    });
  });

  it("settle only for an owner who signed in less than ten minutes ago, and mail the owners about it", async () => {
    const { saleUuid, owner } = await ownedSale(service());
    await createFitClient(service(), saleUuid);
    await service().commitments.sales.openSale({ saleUuid });
    service().time.advance(TEN_MINUTES_MS + 1_000);
    const settle = async (person: SignedIn) =>
      (await service().saleClientsOf(person)).sales.settleSale({ saleUuid, confirmName: "Auction" });
    expect(await refusal(settle(owner))).toMatchObject({
      code: "failed_precondition",
      message: expect.stringContaining("sign in again"),
    });
    const { sale } = await service().commitments.sales.getSale({ saleUuid });
    expect(sale?.status).toBe(SaleStatus.OPEN);
    const { email = "" } = (await service().as("gateway").accounts.getSession(owner)).account ?? {};
    expect((await settle(await service().signIn(email))).sale).toMatchObject({ status: SaleStatus.SETTLED });
    const notices = async () =>
      (await service().mails()).filter(
        (mail) => mail.includes(`\nTo: ${email}\n`) && mail.includes("\nSubject: A sale was settled"),
      );
    await expect.poll(async () => (await notices()).length, { timeout: POLL_TIMEOUT_MS }).toBe(1);
  });
});

describeAuth("actor tokens", (service) => {
  const token = async (audience: string) =>
    service().actorToken(await service().signIn(`actor-${randomUUID()}@example.com`), audience);
  const createWith = (actorToken: string) => service().commitments.as("gateway", actorToken).sales.createSale(draft);
  const listWith = (actorToken: string) => service().as("gateway", actorToken).memberships.listMemberships({});

  it("are valid for their service only", async () => {
    await expect(createWith(await token(COMMITMENTS_AUDIENCE))).resolves.toBeDefined();
    await expect(listWith(await token(AUTH_AUDIENCE))).resolves.toBeDefined();
    expect(await refusal(createWith(await token(AUTH_AUDIENCE)))).toMatchObject({ code: "unauthenticated" });
    expect(await refusal(listWith(await token(COMMITMENTS_AUDIENCE)))).toMatchObject({ code: "unauthenticated" });
    expect(await refusal(listWith(await token("tidemark.indexer")))).toMatchObject({ code: "unauthenticated" });
  });

  it("are valid for two minutes", async () => {
    const [forCommitments, forAuth] = [await token(COMMITMENTS_AUDIENCE), await token(AUTH_AUDIENCE)];
    service().time.advance(119_000);
    await expect(createWith(forCommitments)).resolves.toBeDefined();
    await expect(listWith(forAuth)).resolves.toBeDefined();
    service().time.advance(7_000);
    expect(await refusal(createWith(forCommitments))).toMatchObject({ code: "unauthenticated" });
    expect(await refusal(listWith(forAuth))).toMatchObject({ code: "unauthenticated" });
  });

  it("can't be forged", async () => {
    const { jwksJson } = await service().as("gateway").authorization.getJwks({});
    const [key] = JSON.parse(jwksJson).keys;
    const forger = await testIssuer("tidemark-actor+jwt", key.kid);
    const iat = Number(service().time.now() / 1_000n);
    const claims = { iss: ISSUER, sub: randomUUID(), iat, exp: iat + 60, auth_time: iat };
    const forged = (aud: string) => forger.sign({ ...claims, aud });
    for (const forCommitments of [await forged(COMMITMENTS_AUDIENCE), "", "a.b.c"]) {
      expect(await refusal(createWith(forCommitments))).toMatchObject({ code: "unauthenticated" });
    }
    expect(await refusal(listWith(await forged(AUTH_AUDIENCE)))).toMatchObject({ code: "unauthenticated" });
  });

  it("are accepted from the gateway only", async () => {
    const [forCommitments, forAuth] = [await token(COMMITMENTS_AUDIENCE), await token(AUTH_AUDIENCE)];
    for (const caller of ["operator", "indexer"] as const) {
      const { sales } = service().commitments.as(caller, forCommitments);
      const call = sales.getSale({ saleUuid: randomUUID() });
      expect(await refusal(call)).toMatchObject({ code: "permission_denied" });
    }
    const { clients } = service().as("operator", forAuth);
    expect(await refusal(clients.listClients({ saleUuid: randomUUID() }))).toMatchObject({ code: "permission_denied" });
  });

  it("are required from the gateway for decisions of people", async () => {
    const { sales } = service().commitments.as("gateway");
    const saleUuid = randomUUID();
    const update = { saleUuid, definition: auction(), expectedDefinitionVersion: 1n };
    for (const call of [
      sales.createSale(draft),
      sales.updateSale(update),
      sales.openSale({ saleUuid }),
      sales.settleSale({ saleUuid, confirmName: "Auction" }),
    ]) {
      expect(await refusal(call)).toMatchObject({ code: "unauthenticated" });
    }
  });
});

describeAuth(
  "sales where founders need an invitation",
  (service) => {
    it("are created by invited founders only", async () => {
      const email = `founder-${randomUUID()}@example.com`;
      const person = await service().signIn(email);
      const create = async () => (await service().saleClientsOf(person)).sales.createSale(draft);
      expect(await refusal(create())).toMatchObject({ code: "permission_denied" });
      await service().memberships.inviteFounder({ email });
      await expect(create()).resolves.toBeDefined();
    });
  },
  { founders: "invited" },
);

async function ownedSale(service: AuthFixture) {
  const owner = await service.signIn(`owner-${randomUUID()}@example.com`);
  const { sale } = await (await service.saleClientsOf(owner)).sales.createSale(draft);
  return { owner, saleUuid: sale?.uuid ?? "" };
}

async function roleIn(service: AuthFixture, saleUuid: string, { accountUuid }: SignedIn): Promise<Role> {
  return (await service.as("commitments").memberships.getRole({ saleUuid, accountUuid })).role;
}

async function setRole(service: AuthFixture, saleUuid: string, owner: SignedIn, person: SignedIn, role: Role) {
  const { account } = await service.as("gateway").accounts.getSession({ sessionToken: person.sessionToken });
  const { memberships } = await service.asPerson(owner);
  await memberships.setMember({ saleUuid, email: account?.email ?? "", role });
}

/** The outcome of each decision about a draft. */
async function outcomes(
  { sales }: Pick<CommitmentsClients, "sales">,
  saleUuid: string,
): Promise<Record<string, string>> {
  const read = sales.getSale({ saleUuid });
  const expectedDefinitionVersion = await read.then(
    ({ sale }) => sale?.definitionVersion ?? 1n,
    () => 1n,
  );
  const calls = {
    read,
    update: sales.updateSale({ saleUuid, definition: auction({ name: randomUUID() }), expectedDefinitionVersion }),
    open: sales.openSale({ saleUuid }),
    settle: sales.settleSale({ saleUuid, confirmName: "Auction" }),
  };
  const ends = Object.entries(calls).map(async ([name, call]) => {
    const succeeded = await Promise.resolve(call).then(
      () => true,
      () => false,
    );
    return [name, succeeded ? "ok" : (await refusal(call)).code];
  });
  return Object.fromEntries(await Promise.all(ends));
}
