import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { Code } from "@connectrpc/connect";
import { beforeEach, describe, expect, it } from "vitest";
import { Removal, SaleEventKind } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { leaveAllSales } from "../memberships/members-store.ts";
import { type FounderFixture, founderFixture, type Person, Role, refusalOf } from "../testing/founder-fixture.ts";
import { definitionInit as definition } from "../testing/sample-application.ts";
import { readClient } from "./applications-store.ts";
import { completeRemovals } from "./complete-removal.ts";

const TWO_MINUTES_MS = 120_000;
const running = new AbortController().signal;

let fixture: FounderFixture;
let owner: Person;
let saleUuid: string;
let clientUuid: string;

beforeEach(async () => {
  fixture = await founderFixture();
  saleUuid = await fixture.sale({ owner: Role.OWNER, editor: Role.EDITOR }, { status: SaleStatus.OPEN });
  owner = await fixture.person("owner");
  const { client } = await fixture.operator.clients.createClient({ saleUuid, definition: definition() });
  clientUuid = client?.uuid ?? "";
});

const admit = (remover: object = {}, removal: Removal = Removal.WITHDRAWAL) =>
  fixture.commitments.memberships.admitRemoval({ saleUuid, saleName: "Harbour", removal, ...remover });
const complete = () => fixture.commitments.memberships.completeRemoval({ saleUuid });
const look = () => completeRemovals(fixture.context, running);
const by = ({ accountUuid }: Person, msAgo = 0) => ({
  accountUuid,
  authenticatedAt: timestampFromMs(Number(fixture.context.clock()) - msAgo),
});
const stored = () => fixture.context.database.read((query) => readClient(query, clientUuid));
const tokenGeneration = async () => {
  const { database } = fixture.context;
  const row = await database.read((query) => query.selectFrom("client").select("token_generation").executeTakeFirst());
  return row && BigInt(row.token_generation);
};

describe("admitRemoval", () => {
  it("is for an owner with a recent sign-in, or the operator", async () => {
    expect(await refusalOf(admit(by(await fixture.person("stranger"))))).toBe("not_found");
    expect(await refusalOf(admit(by(await fixture.person("editor"))))).toBe("permission_denied");
    expect(await refusalOf(admit(by(owner, 600_001)))).toBe("failed_precondition");
    expect(await refusalOf(admit(by(owner)))).toBeUndefined();
    expect(await refusalOf(admit())).toBeUndefined();
    const request = { saleUuid, removal: Removal.WITHDRAWAL };
    expect(await refusalOf(owner.memberships.admitRemoval(request))).toBe("permission_denied");
    expect(await refusalOf(owner.memberships.completeRemoval({ saleUuid }))).toBe("permission_denied");
  });

  it.each([
    [Removal.WITHDRAWAL, SaleEventKind.SALE_WITHDRAWN, "A sale was withdrawn", "The sale “Harbour” was withdrawn"],
    [Removal.DELETION, SaleEventKind.SALE_DELETED, "A draft was deleted", "The draft “Harbour” was deleted"],
  ])("records and mails who does it (%i)", async (removal, kind, subject, text) => {
    const before = fixture.mails.length;
    fixture.context.time.advance(1);
    await admit(by(owner), removal);
    expect(fixture.mails.slice(before)).toMatchObject([{ to: owner.email, subject }]);
    expect(fixture.mails.at(-1)?.text).toContain(text);
    const { events } = await owner.memberships.listSaleEvents({ saleUuid });
    expect(events[0]).toMatchObject({ kind, by: { accountUuid: owner.accountUuid } });
  });

  it("stops nothing yet", async () => {
    await admit();
    await complete();
    expect(await stored()).toMatchObject({ status: "active" });
    expect(await tokenGeneration()).toBe(0n);
  });
});

describe("a withdrawn sale", () => {
  beforeEach(async () => {
    await admit(by(owner));
    fixture.sales.set(saleUuid, { status: SaleStatus.WITHDRAWN });
  });

  it("has only disabled clients, whose tokens are revoked", async () => {
    await complete();
    expect(await stored()).toMatchObject({ status: "disabled" });
    expect(await tokenGeneration()).toBe(1n);
    await complete();
    expect(await tokenGeneration()).toBe(1n);
  });

  it("is found without a word from the commitments service, however long that is away", async () => {
    fixture.sales.failure = Code.Unavailable;
    await complete();
    fixture.context.time.advance(10 * TWO_MINUTES_MS);
    await look();
    expect(await stored()).toMatchObject({ status: "active" });
    fixture.sales.failure = undefined;
    await look();
    expect(await stored()).toMatchObject({ status: "disabled" });
    const { asked } = fixture.sales;
    await look();
    expect(fixture.sales.asked).toBe(asked);
  });

  it("gets no new client, and none back", async () => {
    await complete();
    const { clients } = fixture.operator;
    expect(await refusalOf(clients.enableClient({ clientUuid }))).toBe("failed_precondition");
    expect(await refusalOf(clients.createClient({ saleUuid, definition: definition() }))).toBe("failed_precondition");
    expect(await refusalOf(fixture.commitments.memberships.admitOpening({ saleUuid }))).toBe("failed_precondition");
  });

  it("keeps nobody from leaving", async () => {
    const { database } = fixture.context;
    const leave = () =>
      database.write((transaction) => leaveAllSales(transaction, database.dialect, owner.accountUuid));
    expect(await leave().catch(({ code }) => code)).toBe("failed_precondition");
    await complete();
    await leave();
  });

  it("doesn't keep other removals from being completed", async () => {
    const failing = await fixture.sale({});
    const { memberships } = fixture.commitments;
    await memberships.admitRemoval({ saleUuid: failing, removal: Removal.WITHDRAWAL });
    await fixture.context.database.write((transaction) =>
      transaction
        .updateTable("sale_access")
        .set({ removal_at_ms: 1n })
        .where("sale", "=", Buffer.from(failing.replaceAll("-", ""), "hex"))
        .execute(),
    );
    fixture.sales.failing.add(failing);
    await expect(look()).rejects.toThrow();
    expect(await stored()).toMatchObject({ status: "disabled" });
  });
});

describe("a deleted draft", () => {
  beforeEach(async () => {
    fixture.sales.set(saleUuid, { status: SaleStatus.DRAFT });
    await admit(by(owner), Removal.DELETION);
  });

  it("loses clients and members, and can be created again by an operator only", async () => {
    fixture.sales.delete(saleUuid);
    const { registerSale } = fixture.commitments.memberships;
    expect(await refusalOf(registerSale({ saleUuid, ownerAccountUuid: owner.accountUuid }))).toBe("unavailable");
    await complete();
    expect(await stored()).toBeUndefined();
    expect((await owner.memberships.listMemberships({})).memberships).toEqual([]);
    expect(await refusalOf(registerSale({ saleUuid, ownerAccountUuid: owner.accountUuid }))).toBe("already_exists");
    expect(await refusalOf(registerSale({ saleUuid }))).toBeUndefined();
  });

  it("keeps them if it wasn't deleted after all", async () => {
    fixture.context.time.advance(TWO_MINUTES_MS - 1);
    await look();
    fixture.sales.delete(saleUuid);
    fixture.sales.set(saleUuid, { status: SaleStatus.DRAFT });
    fixture.context.time.advance(1);
    await look();
    fixture.sales.delete(saleUuid);
    await look();
    expect(await stored()).toMatchObject({ status: "active" });
  });
});
