import { describe, expect, it } from "vitest";
import type { Role } from "./membership.ts";
import { checkMembers, compareMembers, type MemberRole, withMember, withoutMember } from "./membership.ts";

const member = (accountUuid: string, role: Role): MemberRole => ({ accountUuid, role });
const owner = member("a", "owner");

describe("checkMembers", () => {
  it.each<[string, readonly MemberRole[], readonly MemberRole[]]>([
    ["another owner stays", [owner, member("b", "owner")], [member("b", "owner")]],
    ["the first member of a sale without an owner is a viewer", [], [member("b", "viewer")]],
    ["a sale without members stays so", [], []],
    ["there are 100", [owner], Array.from({ length: 100 }, (_, index) => member(`${index}`, "owner"))],
  ])("accepts it where %s", (_, before, after) => {
    expect(() => checkMembers(before, after)).not.toThrow();
  });

  it.each<[string, readonly MemberRole[], readonly MemberRole[]]>([
    ["the only owner leaves", [owner, member("b", "editor")], [member("b", "editor")]],
    ["the only owner becomes an editor", [owner], [member("a", "editor")]],
    ["there would be 101", [owner], Array.from({ length: 101 }, (_, index) => member(`${index}`, "owner"))],
  ])("refuses where %s", (_, before, after) => {
    expect(() => checkMembers(before, after)).toThrow(expect.objectContaining({ code: "failed_precondition" }));
  });
});

it("withMember and withoutMember make a new list", () => {
  expect(withMember([owner], member("a", "viewer"))).toEqual([member("a", "viewer")]);
  expect(withMember([owner], member("b", "viewer"))).toEqual([owner, member("b", "viewer")]);
  expect(withoutMember([owner, member("b", "viewer")], "a")).toEqual([member("b", "viewer")]);
  expect(withoutMember([owner], "x")).toEqual([owner]);
});

it("compareMembers puts owners first, then compares addresses", () => {
  const roles: Role[] = ["viewer", "owner", "editor", "owner"];
  const members = roles.map((role, index) => ({ accountUuid: `${index}`, role, email: `${9 - index}@example.com` }));
  expect(members.toSorted(compareMembers).map(({ accountUuid }) => accountUuid)).toEqual(["3", "1", "2", "0"]);
});
