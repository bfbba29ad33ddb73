import { describe, expect, it } from "vitest";
import { decideRegistration, type RegistrationState } from "./register-sale.ts";

const unknown: RegistrationState = { isKnown: false, members: [], existingOwner: undefined };
const owned: RegistrationState = { ...unknown, isKnown: true, members: [{ accountUuid: "a", role: "owner" }] };
const noted: RegistrationState = { ...unknown, isKnown: true };

describe("decideRegistration", () => {
  it.each<[boolean, string, RegistrationState, string]>([
    [true, "a", unknown, "a new sale"],
    [false, "", unknown, "a new sale for nobody"],
    [false, "a", owned, "again, where its creation failed"],
    [false, "a", { ...owned, existingOwner: "a" }, "again, where its creation succeeded"],
    [false, "", noted, "again for nobody"],
    [false, "", { ...noted, existingOwner: "" }, "again for nobody, created"],
    [true, "a", { ...unknown, existingOwner: "a" }, "one that was made without auth"],
    [true, "a", { ...noted, existingOwner: "a" }, "one that was made without auth, which has a client"],
  ])("adds an owner: %s, for %j: %o (%s)", (adds, owner, state) => {
    expect(decideRegistration(owner, state)).toBe(adds);
  });

  it.each<[string, RegistrationState, string]>([
    ["b", owned, "of another owner"],
    ["b", { ...owned, existingOwner: "a" }, "of another owner, created"],
    ["b", { ...unknown, existingOwner: "a" }, "of another owner, made without auth"],
    ["b", { ...unknown, existingOwner: "" }, "of nobody, made without auth"],
    ["b", noted, "of nobody, being created"],
    ["b", { ...noted, existingOwner: "" }, "of nobody, created"],
    ["", owned, "of somebody, for nobody"],
    ["", { ...unknown, existingOwner: "a" }, "of somebody, made without auth, for nobody"],
    ["a", { ...owned, members: [{ accountUuid: "a", role: "editor" }] }, "of somebody who isn't owner any more"],
    ["a", { ...owned, members: [{ accountUuid: "b", role: "owner" }], existingOwner: "a" }, "that was handed over"],
  ])("refuses %j a sale: %o (%s)", (owner, state) => {
    expect(() => decideRegistration(owner, state)).toThrow(expect.objectContaining({ code: "already_exists" }));
  });
});
