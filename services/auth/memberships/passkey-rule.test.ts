import { beforeEach, describe, expect, it } from "vitest";
import { AuthenticationMethod } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { SaleChange, SaleEventKind } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { failureOf } from "../testing/account-client.ts";
import { type FounderFixture, founderFixture, type Person, Role, refusalOf } from "../testing/founder-fixture.ts";
import { givePasskey } from "../testing/passkey-holder.ts";
import { definitionInit } from "../testing/sample-application.ts";

const TEN_MINUTES_MS = 600_000;
const RULE = { code: "failed_precondition", violations: [{ rule: "sale.passkey_required" }] };

let fixture: FounderFixture;
let saleUuid: string;
let owner: Person;

const require = (person: Pick<Person, "memberships">, required = true) =>
  person.memberships.setSalePasskeyRule({ saleUuid, required });

beforeEach(async () => {
  fixture = await founderFixture();
  saleUuid = await fixture.sale({ owner: Role.OWNER, editor: Role.EDITOR, viewer: Role.VIEWER });
  owner = await fixture.person("owner", 0, "passkey");
  await givePasskey(fixture.context, owner.accountUuid);
});

describe("a sale that requires passkeys", () => {
  it("refuses owners and editors who signed in with a code everything, but not viewers", async () => {
    await require(owner);
    const { clients, memberships, accountUuid } = await fixture.person("editor");
    const calls = [
      memberships.listMembers({ saleUuid }),
      memberships.listSaleEvents({ saleUuid }),
      memberships.checkRole({ saleUuid, role: Role.VIEWER }),
      memberships.removeMember({ saleUuid, accountUuid }),
      clients.listClients({ saleUuid }),
      clients.createClient({ saleUuid, definition: definitionInit() }),
      require(await fixture.person("owner"), false),
    ];
    for (const call of calls) expect(await failureOf(call)).toMatchObject(RULE);
    expect((await clients.listClientSummaries({ saleUuids: [saleUuid] })).sales).toEqual([]);
    const viewer = await fixture.person("viewer");
    expect((await viewer.memberships.listMembers({ saleUuid })).passkeysRequired).toBe(true);
    const editor = await fixture.person("editor", 0, "passkey");
    expect(await refusalOf(editor.memberships.listMembers({ saleUuid }))).toBeUndefined();
    expect(await refusalOf(editor.memberships.checkRole({ saleUuid, role: Role.OWNER }))).toBe("permission_denied");
  });

  it("refuses them at other services, also at one of a version that doesn't say how they signed in", async () => {
    await require(owner);
    const { accountUuid } = owner;
    const { memberships } = fixture.commitments;
    const wanted = { saleUuid, accountUuid, neededRole: Role.VIEWER };
    const { CODE, PASSKEY, UNSPECIFIED } = AuthenticationMethod;
    for (const authenticatedBy of [CODE, UNSPECIFIED]) {
      expect(await failureOf(memberships.getRole({ ...wanted, authenticatedBy }))).toMatchObject(RULE);
      expect((await memberships.getRoles({ accountUuid, saleUuids: [saleUuid], authenticatedBy })).memberships).toEqual(
        [],
      );
    }
    expect((await memberships.getRole({ ...wanted, authenticatedBy: PASSKEY })).role).toBe(Role.OWNER);
    const roles = await memberships.getRoles({ accountUuid, saleUuids: [saleUuid], authenticatedBy: PASSKEY });
    expect(roles.memberships).toMatchObject([{ saleUuid, role: Role.OWNER }]);
    const change = { saleUuid, accountUuid, change: SaleChange.SETTLEMENT };
    expect(await failureOf(memberships.recordSaleChange(change))).toMatchObject(RULE);
    expect(await failureOf(memberships.admitOpening({ saleUuid, accountUuid }))).toMatchObject(RULE);
    const events = await fixture.context.database.query
      .selectFrom("audit")
      .select("details")
      .where("event", "=", "sale.access_refused")
      .execute();
    expect(events.map(({ details }) => JSON.parse(details))).toContainEqual(
      expect.objectContaining({ passkey: "missing", role: "owner", needed: "viewer" }),
    );
  });

  it("stays in the list of a person's sales, with a mark", async () => {
    await require(owner);
    const marks = async (person: Person) =>
      (await person.memberships.listMemberships({})).memberships.map(({ passkeyMissing }) => passkeyMissing);
    expect(await marks(await fixture.person("owner"))).toEqual([true]);
    expect(await marks(owner)).toEqual([false]);
    expect(await marks(await fixture.person("viewer"))).toEqual([false]);
  });

  it("tells owners who has a passkey, and no others", async () => {
    const holders = async (person: Pick<Person, "memberships">) =>
      (await person.memberships.listMembers({ saleUuid })).members.map(({ hasPasskey }) => hasPasskey);
    expect(await holders(owner)).toEqual([true, false, false]);
    expect(await holders(fixture.operator)).toEqual([true, false, false]);
    expect(await holders(await fixture.person("editor"))).toEqual([false, false, false]);
  });

  it("is told to whoever is invited as an editor", async () => {
    await require(owner);
    fixture.mails.splice(0);
    await owner.memberships.setMember({ saleUuid, email: "new@example.com", role: Role.EDITOR });
    await owner.memberships.setMember({ saleUuid, email: "look@example.com", role: Role.VIEWER });
    const texts = fixture.mails
      .filter(({ subject }) => subject === "You were invited to a sale")
      .map(({ text }) => text);
    expect(texts.map((text) => text.includes("requires a passkey of you"))).toEqual([true, false]);
  });
});

describe("the rule", () => {
  it("is made and ended by an owner who signed in with a passkey, and mailed to the owners", async () => {
    fixture.context.time.advance(1);
    await require(owner);
    await require(owner);
    expect(fixture.mails.map(({ to, subject }) => [to, subject])).toEqual([
      [owner.email, "Whether a sale requires passkeys was changed"],
    ]);
    fixture.context.time.advance(1);
    await require(owner, false);
    expect(fixture.mails).toHaveLength(2);
    const { events } = await owner.memberships.listSaleEvents({ saleUuid });
    expect(events.slice(0, 2)).toMatchObject([
      { kind: SaleEventKind.PASSKEY_RULE_CHANGED, by: { email: owner.email }, changes: [{ after: "not required" }] },
      { kind: SaleEventKind.PASSKEY_RULE_CHANGED, changes: [{ after: "required" }] },
    ]);
  });

  it("isn't made with a code, an old sign-in, a lower role, or a passkey that was removed", async () => {
    const old = await fixture.person("owner", TEN_MINUTES_MS + 1, "passkey");
    for (const person of [await fixture.person("owner"), old]) {
      expect(await refusalOf(require(person))).toBe("failed_precondition");
    }
    expect(await refusalOf(require(await fixture.person("editor", 0, "passkey")))).toBe("permission_denied");
    await fixture.context.database.query.deleteFrom("passkey").execute();
    expect(await failureOf(require(owner))).toMatchObject(RULE);
    expect((await owner.memberships.listMembers({ saleUuid })).passkeysRequired).toBe(false);
  });

  it("is the operator's to end, whoever is locked out", async () => {
    await require(owner);
    await require(fixture.operator, false);
    expect(await refusalOf((await fixture.person("owner")).memberships.listMembers({ saleUuid }))).toBeUndefined();
  });
});
