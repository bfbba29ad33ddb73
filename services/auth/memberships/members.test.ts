import { randomUUID } from "node:crypto";
import { beforeEach, describe, expect, it } from "vitest";
import { type FounderFixture, founderFixture, type Person, Role, refusalOf } from "../testing/founder-fixture.ts";

let fixture: FounderFixture;
let owner: Person;
let saleUuid: string;

beforeEach(async () => {
  fixture = await founderFixture();
  saleUuid = await fixture.sale({ owner: Role.OWNER, editor: Role.EDITOR, viewer: Role.VIEWER }, { name: "Harbour" });
  owner = await fixture.person("owner");
});

const set = (person: Person, name: string, role: Role) =>
  person.memberships.setMember({ saleUuid, email: `${name}@example.com`, role });
const remove = (person: Person, { accountUuid }: Pick<Person, "accountUuid">) =>
  person.memberships.removeMember({ saleUuid, accountUuid });
const rolesOf = async (person: Person) =>
  (await person.memberships.listMembers({ saleUuid })).members.map(({ email, role }) => [email.split("@")[0], role]);

describe("listMembers", () => {
  it("shows all members to a member, owners first", async () => {
    const expected = [
      ["owner", Role.OWNER],
      ["editor", Role.EDITOR],
      ["viewer", Role.VIEWER],
    ];
    for (const name of ["owner", "editor", "viewer"])
      expect(await rolesOf(await fixture.person(name))).toEqual(expected);
    expect(await refusalOf(rolesOf(await fixture.person("stranger")))).toBe("not_found");
  });
});

describe("setMember", () => {
  it("adds a person who hasn't signed in yet, and changes roles", async () => {
    const { member } = await set(owner, "Newcomer", Role.VIEWER);
    expect(member).toMatchObject({ email: "newcomer@example.com", role: Role.VIEWER });
    const newcomer = await fixture.person("newcomer");
    expect(newcomer.accountUuid).toBe(member?.accountUuid);
    await set(owner, "newcomer", Role.OWNER);
    expect(await rolesOf(newcomer)).toContainEqual(["newcomer", Role.OWNER]);
  });

  it("mails the previous and the new owners", async () => {
    await set(owner, "second", Role.OWNER);
    const notices = fixture.mails.filter(({ subject }) => subject === "The members of a sale were changed");
    expect(notices.map(({ to }) => to)).toEqual(["owner@example.com", "second@example.com"]);
    expect(notices[0]).toMatchObject({
      subject: "The members of a sale were changed",
      text: expect.stringMatching(/second@example\.com is now an owner[\s\S]*done by owner@example\.com/),
    });
    const second = await fixture.person("second");
    await remove(second, owner);
    expect(
      fixture.mails
        .slice(3)
        .map(({ to }) => to)
        .toSorted(),
    ).toEqual(["owner@example.com", "second@example.com"]);
  });

  it("mails a new member who invited them, and where the sale is", async () => {
    await set(owner, "newcomer", Role.EDITOR);
    const mail = fixture.mails.find(({ to }) => to === "newcomer@example.com");
    expect(mail?.subject).toBe("You were invited to a sale");
    expect(mail?.text).toContain("The owner with the e-mail address owner@example.com has invited you");
    expect(mail?.text).toContain("the sale that its owners call “Harbour”. There you are an editor");
    const page = `${fixture.context.issuer}/dashboard/sales/${saleUuid}`;
    expect(mail?.text).toContain(`\n    ${page}\n`);
    expect(mail?.html).toContain(`<a href="${page}">${page}</a>`);
    expect(mail?.text).toContain("Sign in there as newcomer@example.com");
  });

  it("invites nobody who is a member already, nor a member who goes", async () => {
    await set(owner, "viewer", Role.EDITOR);
    await remove(owner, await fixture.person("editor"));
    expect(fixture.mails.map(({ to }) => to)).toEqual(["owner@example.com", "owner@example.com"]);
  });

  it("counts who invites, as each invitation is a mail to somebody", async () => {
    const taken: string[] = [];
    const take = async (limit: string, key: string) => void taken.push(limit, key);
    const limited = await founderFixture({ rateLimits: { take } });
    const sale = await limited.sale({ owner: Role.OWNER });
    const person = await limited.person("owner");
    await person.memberships.setMember({ saleUuid: sale, email: "x@example.com", role: Role.VIEWER });
    expect(taken).toEqual(["invite_account", person.accountUuid]);
  });

  it("does nothing if the person has the role", async () => {
    await set(owner, "editor", Role.EDITOR);
    expect(fixture.mails).toEqual([]);
  });

  it.each(["not an address", "a@b", "a@b.c\r\nBcc: x@y.z", "ä@example.com"])(
    "refuses the address %j",
    async (email) => {
      const call = owner.memberships.setMember({ saleUuid, email, role: Role.VIEWER });
      expect(await refusalOf(call)).toBe("invalid_argument");
    },
  );

  it("is for owners with a recent sign-in", async () => {
    expect(await refusalOf(set(await fixture.person("editor"), "x", Role.VIEWER))).toBe("permission_denied");
    expect(await refusalOf(set(await fixture.person("stranger"), "x", Role.VIEWER))).toBe("not_found");
    expect(await refusalOf(set(await fixture.person("owner", 600_001), "x", Role.VIEWER))).toBe("failed_precondition");
    expect(await refusalOf(fixture.as("gateway").memberships.listMembers({ saleUuid }))).toBe("unauthenticated");
  });

  it("is open to the operator, for an existing sale", async () => {
    const request = { email: "x@example.com", role: Role.OWNER };
    const { setMember } = fixture.operator.memberships;
    expect(await refusalOf(setMember({ ...request, saleUuid: randomUUID() }))).toBe("not_found");
    expect(await refusalOf(setMember({ ...request, saleUuid }))).toBeUndefined();
  });
});

describe("no sale loses its last owner", () => {
  it("by another role, by leaving, or by the operator", async () => {
    expect(await refusalOf(set(owner, "owner", Role.EDITOR))).toBe("failed_precondition");
    expect(await refusalOf(remove(owner, owner))).toBe("failed_precondition");
    const { accountUuid } = owner;
    expect(await refusalOf(fixture.operator.memberships.removeMember({ saleUuid, accountUuid }))).toBe(
      "failed_precondition",
    );
    await set(owner, "second", Role.OWNER);
    expect(await refusalOf(remove(owner, owner))).toBeUndefined();
    expect(await refusalOf(rolesOf(owner))).toBe("not_found");
  });
});

describe("removeMember", () => {
  it("is for owners and for oneself, and can be repeated", async () => {
    const [editor, viewer] = [await fixture.person("editor"), await fixture.person("viewer")];
    expect(await refusalOf(remove(editor, viewer))).toBe("permission_denied");
    const signedInLongAgo = await fixture.person("viewer", 600_001);
    expect(await refusalOf(remove(signedInLongAgo, viewer))).toBe("failed_precondition");
    expect(await refusalOf(remove(viewer, viewer))).toBeUndefined();
    expect(await refusalOf(remove(viewer, viewer))).toBe("not_found");
    expect(await refusalOf(remove(await fixture.person("owner", 600_001), editor))).toBe("failed_precondition");
    for (const _ of [1, 2]) expect(await refusalOf(remove(owner, editor))).toBeUndefined();
    expect(await rolesOf(owner)).toEqual([["owner", Role.OWNER]]);
  });
});

describe("listMemberships and getRole", () => {
  it("return the sales of one person page by page, and of nobody else", async () => {
    const sales = [saleUuid, await fixture.sale({ viewer: Role.OWNER }), await fixture.sale({ viewer: Role.EDITOR })];
    await fixture.sale({ other: Role.OWNER });
    const viewer = await fixture.person("viewer");
    const found: string[] = [];
    let pageToken = "";
    do {
      const page = await viewer.memberships.listMemberships({ pageSize: 2, pageToken });
      found.push(...page.memberships.map((one) => one.saleUuid));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    expect(found).toEqual(sales.toSorted());
    const whole = await viewer.memberships.listMemberships({ pageSize: sales.length });
    expect([whole.memberships.length, whole.nextPageToken]).toEqual([sales.length, ""]);
  });

  it("return a role to the commitments service", async () => {
    const { memberships } = fixture.commitments;
    const roleOf = async (person: Person, sale = saleUuid) =>
      (await memberships.getRole({ saleUuid: sale.toUpperCase(), accountUuid: person.accountUuid })).role;
    expect(await roleOf(owner)).toBe(Role.OWNER);
    expect(await roleOf(await fixture.person("viewer"))).toBe(Role.VIEWER);
    expect(await roleOf(await fixture.person("stranger"))).toBe(Role.UNSPECIFIED);
    expect(await roleOf(owner, randomUUID())).toBe(Role.UNSPECIFIED);
  });
});
