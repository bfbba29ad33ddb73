import { randomUUID } from "node:crypto";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { beforeEach, describe, expect, it } from "vitest";
import { SaleChange, SaleEventKind } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { recordEvent } from "../audit/audit-store.ts";
import { type FounderFixture, founderFixture, type Person, Role, refusalOf } from "../testing/founder-fixture.ts";

let fixture: FounderFixture;
let owner: Person;
let saleUuid: string;

beforeEach(async () => {
  let ms = 1_700_000_000_000n;
  fixture = await founderFixture({ clock: () => ms++ });
  saleUuid = await fixture.sale({ owner: Role.OWNER, viewer: Role.VIEWER });
  owner = await fixture.person("owner");
});

const eventsOf = async (person: Person) => (await person.memberships.listSaleEvents({ saleUuid })).events;

describe("recordSaleChange", () => {
  const settle = (by: object = {}) =>
    fixture.commitments.memberships.recordSaleChange({ saleUuid, change: SaleChange.SETTLEMENT, ...by });
  const by = ({ accountUuid }: Person, msAgo = 0) => ({
    accountUuid,
    authenticatedAt: timestampFromMs(Number(fixture.context.clock()) - msAgo),
  });
  const settlements = async () =>
    (await eventsOf(owner)).filter(({ kind }) => kind === SaleEventKind.SALE_SETTLED).length;

  it("admits a settlement for an owner with a recent sign-in, or the operator", async () => {
    expect(await refusalOf(settle(by(await fixture.person("stranger"))))).toBe("not_found");
    expect(await refusalOf(settle(by(await fixture.person("viewer"))))).toBe("permission_denied");
    expect(await refusalOf(settle(by(owner, 600_010)))).toBe("failed_precondition");
    expect(await refusalOf(settle({ accountUuid: owner.accountUuid }))).toBe("failed_precondition");
    expect(await settlements()).toBe(0);
    await settle(by(owner));
    await settle();
    expect(await settlements()).toBe(2);
  });

  it("mails the owners about a settlement, and nobody about a changed definition", async () => {
    const { accountUuid } = owner;
    await fixture.commitments.memberships.recordSaleChange({ saleUuid, accountUuid, change: SaleChange.DEFINITION });
    expect(fixture.mails).toEqual([]);
    await settle(by(owner));
    expect(fixture.mails).toMatchObject([
      {
        to: owner.email,
        subject: "A sale was settled",
        text: expect.stringContaining("The sale “Sale” was settled."),
      },
    ]);
    fixture.sales.failure = Code.Unavailable;
    await settle();
    expect(fixture.mails.at(-1)?.text).toContain(`The sale “${saleUuid}” was settled.`);
  });

  const changes = [{ field: "Group “Early”", before: "", after: "any time; see https://evil.example" }];
  const record = (change: SaleChange, actor: object = {}) =>
    fixture.commitments.memberships.recordSaleChange({ saleUuid, change, changes, ...actor });

  describe.each([
    [
      "the rules of taking part",
      SaleChange.PARTICIPATION,
      SaleEventKind.PARTICIPATION_CHANGED,
      "The rules of taking part in a sale were changed",
    ],
    ["a key", SaleChange.PERMIT_KEY, SaleEventKind.PERMIT_KEY_CHANGED, "A key that signs permits was changed"],
    [
      "a freeze",
      SaleChange.ENTITY_FREEZE,
      SaleEventKind.ENTITY_FREEZE_CHANGED,
      "Permits of an entity were stopped or allowed again",
    ],
    [
      "an import of commitments",
      SaleChange.COMMITMENTS,
      SaleEventKind.COMMITMENTS_IMPORTED,
      "Commitments of a sale were imported from a file",
    ],
  ])("of %s", (_, change, kind, subject) => {
    it("needs an owner with a recent sign-in, or the operator", async () => {
      const refusals = await Promise.all([
        refusalOf(record(change, by(await fixture.person("stranger")))),
        refusalOf(record(change, by(await fixture.person("viewer")))),
        refusalOf(record(change, by(owner, 600_010))),
        refusalOf(record(change, { accountUuid: owner.accountUuid })),
      ]);
      expect(refusals).toEqual(["not_found", "permission_denied", "failed_precondition", "failed_precondition"]);
      expect(fixture.mails).toEqual([]);
      await record(change);
      const [event] = await eventsOf(owner);
      expect(event).toMatchObject({ kind, changes });
      expect(event?.by).toBeUndefined();
    });

    it("is mailed to the owners, without a link that somebody chose", async () => {
      await record(change, by(owner));
      expect(fixture.mails).toMatchObject([{ to: owner.email, subject }]);
      expect(fixture.mails[0]?.text).toContain("- “Group 'Early'”, added: “any time; see https evil.example”");
      expect((await eventsOf(owner))[0]).toMatchObject({ kind, by: { email: owner.email } });
    });
  });

  it("of participants takes any person whose role was checked, and mails nobody", async () => {
    const editor = await fixture.person("viewer");
    await record(SaleChange.PARTICIPANTS, { accountUuid: editor.accountUuid });
    expect(fixture.mails).toEqual([]);
    const [event] = await eventsOf(owner);
    expect(event).toMatchObject({ kind: SaleEventKind.PARTICIPANTS_CHANGED, by: { email: editor.email }, changes });
  });

  it("of webhooks takes any person whose role was checked, and the service itself, and mails nobody", async () => {
    await record(SaleChange.WEBHOOKS, { accountUuid: owner.accountUuid });
    await record(SaleChange.WEBHOOKS);
    expect(fixture.mails).toEqual([]);
    const events = await eventsOf(owner);
    expect(events.slice(0, 2).map(({ kind, by: author }) => [kind, author?.email])).toEqual([
      [SaleEventKind.WEBHOOKS_CHANGED, undefined],
      [SaleEventKind.WEBHOOKS_CHANGED, owner.email],
    ]);
  });
});

describe("listSaleEvents", () => {
  it("shows each change with its author, the latest first", async () => {
    const clientUuid = randomUUID();
    await owner.clients.createClient({ clientUuid, saleUuid, definition: { name: "Portal" } });
    const definition = { name: "Renamed", redirectUris: ["https://app.example/"] };
    await owner.clients.updateClient({ clientUuid, definition, expectedVersion: 1n });
    await fixture.operator.clients.disableClient({ clientUuid });
    await owner.memberships.setMember({ saleUuid, email: "guest@example.com", role: Role.EDITOR });
    const guest = await fixture.person("guest");
    await owner.memberships.removeMember({ saleUuid, accountUuid: guest.accountUuid });
    const recordSaleChange = (accountUuid: string, change: SaleChange) =>
      fixture.commitments.memberships.recordSaleChange({ saleUuid, accountUuid, change });
    await recordSaleChange(owner.accountUuid, SaleChange.DEFINITION);
    await recordSaleChange("", SaleChange.SETTLEMENT);
    const by = { email: "owner@example.com", accountUuid: owner.accountUuid };
    const member = { email: "", accountUuid: guest.accountUuid };
    const client = { clientUuid, clientName: "Renamed" };
    const events = (await eventsOf(owner)).slice(0, 7).map((event) => ({ ...event, by: event.by }));
    expect(events).toMatchObject([
      { kind: SaleEventKind.SALE_SETTLED, by: undefined },
      { kind: SaleEventKind.SALE_CHANGED, by },
      { kind: SaleEventKind.MEMBER_REMOVED, by, member, role: Role.UNSPECIFIED },
      { kind: SaleEventKind.MEMBER_SET, by, member, role: Role.EDITOR },
      { kind: SaleEventKind.CLIENT_DISABLED, by: undefined, ...client },
      {
        kind: SaleEventKind.CLIENT_CHANGED,
        by,
        ...client,
        redirectUrisChanged: true,
        changes: [
          { field: "Name", before: "Portal", after: "Renamed" },
          { field: "Redirect URI", before: "", after: "https://app.example/" },
        ],
      },
      { kind: SaleEventKind.CLIENT_CREATED, by, ...client, redirectUrisChanged: false },
    ]);
  });

  it("returns page after page, without a gap or a repetition", async () => {
    for (const name of ["a", "b", "c"]) {
      await owner.memberships.setMember({ saleUuid, email: `${name}@example.com`, role: Role.VIEWER });
    }
    const all = (await eventsOf(owner)).map(({ eventId }) => Buffer.from(eventId).toString("hex"));
    const found: string[] = [];
    let pageToken = "";
    do {
      const page = await owner.memberships.listSaleEvents({ saleUuid, pageSize: 2, pageToken });
      found.push(...page.events.map(({ eventId }) => Buffer.from(eventId).toString("hex")));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(found).toEqual(all);
    expect(all).toEqual(all.toSorted().toReversed());
    expect(await owner.memberships.listSaleEvents({ saleUuid, pageSize: all.length })).toMatchObject({
      events: { length: all.length },
      nextPageToken: "",
    });
    expect(await refusalOf(owner.memberships.listSaleEvents({ saleUuid, pageToken: "x" }))).toBe("invalid_argument");
  });

  it("shows no events of the sale's users, nor of other sales", async () => {
    const before = await eventsOf(owner);
    const { database, clock } = fixture.context;
    const event = { event: "consent.granted", saleUuid, accountUuid: randomUUID() } as const;
    await database.write((transaction) => recordEvent(transaction, event, clock()));
    await fixture.sale({ owner: Role.OWNER });
    expect(await eventsOf(owner)).toEqual(before);
  });

  it("is for members", async () => {
    expect(await refusalOf(eventsOf(await fixture.person("viewer")))).toBeUndefined();
    expect(await refusalOf(eventsOf(await fixture.person("stranger")))).toBe("not_found");
    expect(await refusalOf(fixture.as("gateway").memberships.listSaleEvents({ saleUuid }))).toBe("unauthenticated");
    const change = SaleChange.DEFINITION;
    expect(await refusalOf(owner.memberships.recordSaleChange({ saleUuid, change }))).toBe("permission_denied");
  });
});
