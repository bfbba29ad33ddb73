import { randomUUID } from "node:crypto";
import { describe, expect, it } from "vitest";
import { type FounderFixture, founderFixture, Role, refusalOf } from "../testing/founder-fixture.ts";
import { subjectSaltOf } from "./sale-access-store.ts";

const open = () => founderFixture({ onlyFounders: false });
const invited = () => founderFixture({ onlyFounders: true });

const register = ({ commitments }: FounderFixture, saleUuid: string, ownerAccountUuid = "") =>
  commitments.memberships.registerSale({ saleUuid, ownerAccountUuid });

describe("registerSale", () => {
  it("makes the owner a member and gives the sale a salt, once", async () => {
    const fixture = await open();
    const { database } = fixture.context;
    const [saleUuid, founder] = [randomUUID(), await fixture.person("founder")];
    await register(fixture, saleUuid.toUpperCase(), founder.accountUuid);
    const salt = await subjectSaltOf(database.query, saleUuid);
    expect(salt).toHaveLength(32);
    await register(fixture, saleUuid, founder.accountUuid);
    expect(await subjectSaltOf(database.query, saleUuid)).toEqual(salt);
    const { members } = await founder.memberships.listMembers({ saleUuid });
    expect(members).toMatchObject([{ accountUuid: founder.accountUuid, role: Role.OWNER }]);
  });

  it("refuses the UUID to anyone else, whether or not the sale was created", async () => {
    const fixture = await open();
    const [founder, rival] = [await fixture.person("founder"), await fixture.person("rival")];
    const [taken, forNobody, unregistered] = [randomUUID(), randomUUID(), randomUUID()];
    await register(fixture, taken, founder.accountUuid);
    await register(fixture, forNobody);
    fixture.sales.set(unregistered, { ownerAccountUuid: founder.accountUuid });
    for (const saleUuid of [taken, forNobody, unregistered]) {
      expect(await refusalOf(register(fixture, saleUuid, rival.accountUuid))).toBe("already_exists");
      expect(await refusalOf(rival.memberships.listMembers({ saleUuid }))).toBe("not_found");
    }
    expect(await refusalOf(register(fixture, unregistered, founder.accountUuid))).toBeUndefined();
    expect(await refusalOf(founder.memberships.listMembers({ saleUuid: unregistered }))).toBeUndefined();
  });

  it("accepts invited founders only, where founders need an invitation", async () => {
    const fixture = await invited();
    const founder = await fixture.person("founder");
    expect(await refusalOf(register(fixture, randomUUID(), founder.accountUuid))).toBe("permission_denied");
    const { memberships } = fixture.operator;
    const { accountUuid } = await memberships.inviteFounder({ email: "Founder@example.com" });
    expect(accountUuid).toBe(founder.accountUuid);
    expect((await memberships.inviteFounder({ email: "founder@example.com" })).accountUuid).toBe(accountUuid);
    expect(await refusalOf(register(fixture, randomUUID(), accountUuid))).toBeUndefined();
    expect(await refusalOf(register(fixture, randomUUID()))).toBeUndefined();
  });

  it("needs an existing account, and stores nothing when it refuses", async () => {
    const fixture = await open();
    const saleUuid = randomUUID();
    expect(await refusalOf(register(fixture, saleUuid, randomUUID()))).toBe("not_found");
    expect(await subjectSaltOf(fixture.context.database.query, saleUuid)).toBeUndefined();
  });

  it("can be checked without being done", async () => {
    const fixture = await invited();
    const [founder, rival] = [await fixture.person("founder"), await fixture.person("rival")];
    const [saleUuid, taken] = [randomUUID(), randomUUID()];
    await fixture.operator.memberships.inviteFounder({ email: founder.email });
    await register(fixture, taken, founder.accountUuid);
    const check = (uuid: string, ownerAccountUuid: string) =>
      refusalOf(fixture.commitments.memberships.checkRegistration({ saleUuid: uuid, ownerAccountUuid }));
    expect(await check(saleUuid, founder.accountUuid)).toBeUndefined();
    expect(await check(saleUuid, rival.accountUuid)).toBe("permission_denied");
    expect(await check(taken, founder.accountUuid)).toBeUndefined();
    expect(await check(taken, rival.accountUuid)).toBe("already_exists");
    expect(await subjectSaltOf(fixture.context.database.query, saleUuid)).toBeUndefined();
  });

  it("is for the commitments service only; inviting is for the operator", async () => {
    const fixture = await open();
    const person = await fixture.person("person");
    for (const { memberships } of [person, fixture.as("gateway"), fixture.operator]) {
      const request = { saleUuid: randomUUID(), ownerAccountUuid: person.accountUuid };
      expect(await refusalOf(memberships.registerSale(request))).toBe("permission_denied");
    }
    for (const { memberships } of [person, fixture.commitments]) {
      expect(await refusalOf(memberships.inviteFounder({ email: person.email }))).toBe("permission_denied");
    }
  });
});
