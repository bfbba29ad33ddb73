import { randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ClientStatus, LogoShape } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleStatus, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { pngChunk, pngHeader, pngImage, pngOf } from "../../../services/auth/testing/images.ts";
import { definitionInit } from "../../../services/auth/testing/sample-application.ts";
import { createFitClient } from "../../support/applications/fit-client.ts";
import type { AuthClients } from "../../support/processes/auth-clients.ts";
import { describeAuth, type SignedIn } from "../../support/processes/auth-fixture.ts";
import { auction, refusal } from "../../support/sales/sale-messages.ts";

const ROUNDS = 8;
const TWO_MINUTES_MS = 120_000;
const draft = { tenancy: Tenancy.TEST, definition: auction() };
const definition = definitionInit();
const HUNDRED_URIS = Array.from({ length: 100 }, (_, index) => `https://app.example/${index}`);

/** `ok`, or the error code of the call. */
async function outcome(call: Promise<unknown>): Promise<string> {
  return call.then(
    () => "ok",
    async () => (await refusal(call)).code,
  );
}

const outcomes = (calls: readonly Promise<unknown>[]) => Promise.all(calls.map(outcome));
const count = (results: readonly string[], wanted: string) => results.filter((result) => result === wanted).length;

async function setLogo({ clients }: AuthClients, clientUuid: string, shape: LogoShape, height: number): Promise<void> {
  const image = new Uint8Array(pngImage(shape === LogoShape.WIDE ? 3 * height : height, height));
  await clients.setLogo({ clientUuid, shape, image });
}

describeAuth("clients and members", (service) => {
  const somebody = (name = "somebody") => service().signIn(`${name}-${randomUUID()}@example.com`);
  const createSale = async (owner: SignedIn, saleUuid = randomUUID()) => {
    await (await service().saleClientsOf(owner)).sales.createSale({ ...draft, saleUuid });
    return saleUuid;
  };

  it("take a founder from a draft to an open sale, whose last ready client must stay ready", async () => {
    const owner = await somebody();
    const [founder, { sales }] = [await service().asPerson(owner), await service().saleClientsOf(owner)];
    const saleUuid = await createSale(owner);
    expect(await refusal(sales.openSale({ saleUuid }))).toMatchObject({ code: "failed_precondition" });
    const clientUuid = await createFitClient(founder, saleUuid);
    expect((await sales.openSale({ saleUuid })).sale).toMatchObject({ status: SaleStatus.OPEN });
    service().time.advance(TWO_MINUTES_MS);
    for (const calls of [await service().asPerson(owner), service()]) {
      expect(await outcome(calls.clients.disableClient({ clientUuid }))).toBe("failed_precondition");
    }
    await service().commitments.sales.settleSale({ saleUuid, confirmName: "Auction" });
    expect(await outcome(service().clients.disableClient({ clientUuid }))).toBe("failed_precondition");
    await createFitClient(service(), saleUuid);
    expect(await outcome(service().clients.disableClient({ clientUuid }))).toBe("ok");
  });

  it.each([
    ["a hundred redirect URIs", { redirectUris: HUNDRED_URIS }, "definition.redirect_uris", "repeated.max_items"],
    ["a host", { name: "www.evil.example" }, "definition.name", "name.link"],
  ])("of a live sale accept no %s from anyone", async (_, change, field, rule) => {
    const owner = await somebody();
    const [founder, { sales }] = [await service().asPerson(owner), await service().saleClientsOf(owner)];
    const { sale } = await sales.createSale({ ...draft, tenancy: Tenancy.LIVE, saleUuid: randomUUID() });
    const saleUuid = sale?.uuid ?? "";
    const refused = { code: "invalid_argument", violations: [expect.objectContaining({ field, rule })] };
    const { client } = await founder.clients.createClient({ saleUuid, definition });
    const changed = { clientUuid: client?.uuid ?? "", expectedVersion: 1n, definition: definitionInit(change) };
    for (const { clients } of [founder, service()]) {
      const created = clients.createClient({ saleUuid, definition: changed.definition });
      expect(await refusal(created)).toMatchObject(refused);
      expect(await refusal(clients.updateClient(changed))).toMatchObject(refused);
    }
    expect((await founder.clients.listClients({ saleUuid })).clients).toMatchObject([{ version: 1n, definition }]);
  });

  it("accept no logo that is a whole gigapixel in its header", async () => {
    const image = pngOf(pngHeader(32_768, 32_768), pngChunk("IDAT"), pngChunk("IEND"));
    const rule = "image.size";
    const owner = await somebody();
    const { clients } = await service().asPerson(owner);
    const saleUuid = await createSale(owner);
    const { client } = await clients.createClient({ saleUuid, definition });
    const clientUuid = client?.uuid ?? "";
    const call = clients.setLogo({ clientUuid, shape: LogoShape.SQUARE, image: new Uint8Array(image) });
    expect(await refusal(call)).toMatchObject({ code: "invalid_argument", violations: [{ field: "image", rule }] });
    expect((await clients.getClient({ clientUuid })).client?.squareLogo).toBe("");
  });

  it("a sale never opens while its ready client is weakened", async () => {
    const opened: string[] = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      const { sale } = await service().commitments.sales.createSale(draft);
      const saleUuid = sale?.uuid ?? "";
      const clientUuid = await createFitClient(service(), saleUuid);
      const optional = definitionInit({ scopes: definition.scopes.map((scope) => ({ ...scope, required: false })) });
      const weaken = () =>
        round % 2 === 0
          ? service().clients.disableClient({ clientUuid })
          : service().clients.updateClient({ clientUuid, definition: optional, expectedVersion: 3n });
      const open = () => service().commitments.sales.openSale({ saleUuid });
      const calls = round % 4 < 2 ? [open(), weaken()] : [weaken(), open()];
      const results = await outcomes(calls);
      expect(results.toSorted()).toEqual(["failed_precondition", "ok"]);
      const { status } = (await service().commitments.sales.getSale({ saleUuid })).sale ?? {};
      const { client } = await service().clients.getClient({ clientUuid });
      const isReady = client?.status === ClientStatus.ACTIVE && client.definition?.scopes[0]?.required === true;
      expect(status === SaleStatus.OPEN).toBe(isReady);
      opened.push(isReady ? "opened" : "weakened");
    }
    expect(opened).toHaveLength(ROUNDS);
  });

  it("of several changes of the same version, one is stored", async () => {
    const owner = await somebody();
    const saleUuid = await createSale(owner);
    const clientUuid = await createFitClient(service(), saleUuid);
    const changes = Array.from({ length: 8 }, (_, index) =>
      service().clients.updateClient({
        clientUuid,
        expectedVersion: 3n,
        definition: definitionInit({ name: `${index}` }),
      }),
    );
    const results = await outcomes(changes);
    expect([count(results, "ok"), count(results, "aborted")]).toEqual([1, 7]);
    expect((await service().clients.getClient({ clientUuid })).client?.version).toBe(4n);
  });

  it("are created once under a UUID, and at most 20 of a sale, by concurrent calls too", async () => {
    const owner = await somebody();
    const saleUuid = await createSale(owner);
    const clientUuid = randomUUID();
    const same = Array.from({ length: 5 }, () => service().clients.createClient({ clientUuid, saleUuid, definition }));
    expect(await outcomes(same)).toEqual(Array(5).fill("ok"));
    const more = Array.from({ length: 22 }, () => service().clients.createClient({ saleUuid, definition }));
    const results = await outcomes(more);
    expect([count(results, "ok"), count(results, "failed_precondition")]).toEqual([19, 3]);
    expect((await service().clients.listClients({ saleUuid })).clients).toHaveLength(20);
  });

  it("never lose a logo that is in use, nor keep an unused one", async () => {
    const owner = await somebody();
    const uuids = [await createSale(owner), await createSale(owner)];
    const clients = await Promise.all(uuids.map((saleUuid) => createFitClient(service(), saleUuid)));
    for (let round = 0; round < ROUNDS; round += 1) {
      const [first = "", second = ""] = clients;
      await Promise.all([
        setLogo(service(), first, LogoShape.SQUARE, 40 + (round % 2)),
        setLogo(service(), second, LogoShape.SQUARE, 41 - (round % 2)),
        setLogo(service(), first, LogoShape.WIDE, 40),
        setLogo(service(), second, LogoShape.WIDE, 40 + (round % 3)),
      ]);
    }
    const { query } = service().database;
    const rows = await query.selectFrom("client").select(["square_logo", "wide_logo"]).execute();
    const used = rows.flatMap((row) => [row.square_logo, row.wide_logo]).filter((logo) => logo !== null);
    const kept = await query.selectFrom("logo").select("logo").execute();
    expect(kept.map(({ logo }) => hexOfBytes(logo)).toSorted()).toEqual([...new Set(used.map(hexOfBytes))].toSorted());
  });

  it("of founders who use the same UUID at the same time, one gets the sale", async () => {
    const founders = await Promise.all(Array.from({ length: 4 }, (_, index) => somebody(`founder${index}`)));
    const saleUuid = randomUUID();
    const results = await outcomes(founders.map((founder) => createSale(founder, saleUuid)));
    expect([count(results, "ok"), count(results, "already_exists")]).toEqual([1, 3]);
    const { members } = await service().memberships.listMembers({ saleUuid });
    expect(members.map(({ role, accountUuid }) => [role, accountUuid])).toEqual([
      [Role.OWNER, founders[results.indexOf("ok")]?.accountUuid],
    ]);
  });

  it("a sale that was registered but not created can be created by the same person later", async () => {
    const [owner, rival] = [await somebody(), await somebody("rival")];
    const saleUuid = randomUUID();
    const { memberships } = service().as("commitments");
    await memberships.registerSale({ saleUuid, ownerAccountUuid: owner.accountUuid });
    expect(await outcome(createSale(rival, saleUuid))).toBe("already_exists");
    expect(await outcome(createSale(owner, saleUuid))).toBe("ok");
  });

  /** A sale with two owners. */
  const sharedSale = async () => {
    const [one, otherEmail] = [await somebody("one"), `other-${randomUUID()}@example.com`];
    const other = await service().signIn(otherEmail);
    const saleUuid = await createSale(one);
    await service().memberships.setMember({ saleUuid, email: otherEmail, role: Role.OWNER });
    return { saleUuid, one, other };
  };
  const ownersOf = async (saleUuid: string) =>
    (await service().memberships.listMembers({ saleUuid })).members.filter(({ role }) => role === Role.OWNER);

  it("of owners who remove each other at the same time, one stays", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { saleUuid, one, other } = await sharedSale();
      const remove = async (by: SignedIn, { accountUuid }: SignedIn) =>
        (await service().asPerson(by)).memberships.removeMember({ saleUuid, accountUuid });
      const results = await outcomes([remove(one, other), remove(other, one)]);
      expect(results.toSorted()).toEqual(["not_found", "ok"]);
      expect(await ownersOf(saleUuid)).toHaveLength(1);
    }
  });

  it("of owners who delete their accounts at the same time, one stays", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const { saleUuid, one, other } = await sharedSale();
      const { accounts } = service().as("gateway");
      const deletions = [one, other].map(({ sessionToken }) => accounts.deleteAccount({ sessionToken }));
      expect((await outcomes(deletions)).toSorted()).toEqual(["failed_precondition", "ok"]);
      expect(await ownersOf(saleUuid)).toHaveLength(1);
    }
  });

  it("an account that is deleted while it becomes a member leaves no member", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      const [owner, email] = [await somebody(), `leaver-${randomUUID()}@example.com`];
      const [saleUuid, { sessionToken, accountUuid }] = [await createSale(owner), await service().signIn(email)];
      const { accounts } = service().as("gateway");
      const [deletion, membership] = await outcomes([
        accounts.deleteAccount({ sessionToken }),
        service().memberships.setMember({ saleUuid, email, role: Role.OWNER }),
      ]);
      expect([deletion, ["ok", "aborted"].includes(membership ?? "")]).toEqual(["ok", true]);
      const { members } = await service().memberships.listMembers({ saleUuid });
      expect(members.map((member) => member.accountUuid)).not.toContain(accountUuid);
    }
  });
});
