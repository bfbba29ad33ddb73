import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { chosenScopes, consentAfter, consentScopes, grantWithoutAsking, NO_CONSENT } from "./consent.ts";

const requested = [
  { scope: "read", required: true },
  { scope: "check", required: true },
  { scope: "email", required: false },
];
const [read, check, email] = requested.map(({ scope }) => scope) as [string, string, string];
const OPTIONAL_ONLY = [{ scope: email, required: false }];

describe("grantWithoutAsking", () => {
  it.each([
    ["nothing was decided", NO_CONSENT, undefined],
    ["all was granted", { granted: [email, check, read], declined: [] }, [read, check, email]],
    ["the optional one was declined", { granted: [read, check], declined: [email] }, [read, check]],
    ["the optional one wasn't decided", { granted: [read, check], declined: [] }, undefined],
    ["a required one was optional and declined", { granted: [read, email], declined: [check] }, undefined],
    ["more was granted than is asked", { granted: [read, check, email, "more"], declined: [] }, [read, check, email]],
  ])("where %s", (_, consent, grant) => {
    expect(grantWithoutAsking(requested, consent, false)).toEqual(grant);
  });

  it("asks again if nothing would be granted", () => {
    expect(grantWithoutAsking(OPTIONAL_ONLY, { granted: [], declined: [email] }, false)).toBeUndefined();
    expect(grantWithoutAsking([], NO_CONSENT, false)).toBeUndefined();
  });

  it("grants nothing but an ID token to a client that asks who the user is", () => {
    expect(grantWithoutAsking(OPTIONAL_ONLY, { granted: [], declined: [email] }, true)).toEqual([]);
    expect(grantWithoutAsking([], NO_CONSENT, true)).toEqual([]);
    expect(grantWithoutAsking(OPTIONAL_ONLY, NO_CONSENT, true)).toBeUndefined();
  });
});

describe("consentScopes", () => {
  it("preselects required ones, and optional ones as they were decided", () => {
    const granted = (consent: typeof NO_CONSENT) => consentScopes(requested, consent).map((scope) => scope.granted);
    expect(granted(NO_CONSENT)).toEqual([true, true, false]);
    expect(granted({ granted: [email], declined: [read] })).toEqual([true, true, true]);
  });
});

describe("chosenScopes", () => {
  it("are in the order of the request, each once", () => {
    expect(chosenScopes(requested, [email, check, read, email])).toEqual([read, check, email]);
    expect(chosenScopes(requested, [check, read])).toEqual([read, check]);
    expect(chosenScopes(OPTIONAL_ONLY, [])).toEqual([]);
  });

  it.each([
    ["a required one is missing", [read, email], "scopes: must have the required check"],
    ["none is there", [], "scopes: must have the required read, check"],
    ["one isn't asked for", [read, check, "<admin>"], "scopes: must be among the requested ones"],
  ])("are refused where %s", (_, chosen, message) => {
    expect(() => chosenScopes(requested, chosen)).toThrow(message);
    expect(() => chosenScopes(requested, chosen)).toThrow(expect.objectContaining({ code: "invalid_argument" }));
  });
});

describe("consentAfter", () => {
  it("keeps decisions about other scopes", () => {
    const before = { granted: [read, "other"], declined: [email, "another"] };
    expect(consentAfter(before, requested, [read, check, email])).toEqual({
      granted: ["other", read, check, email],
      declined: ["another"],
    });
  });

  it("decides every requested scope, so that the same question isn't asked twice", () => {
    const scopes = fc.uniqueArray(fc.constantFrom<string>("a", "b", "c", "d"));
    const before = fc.record({ granted: scopes, declined: scopes });
    fc.assert(
      fc.property(before, scopes, scopes, (before, names, granted) => {
        const requested = names.map((scope) => ({ scope, required: granted.includes(scope) }));
        const chosen = names.filter((scope) => granted.includes(scope));
        const after = consentAfter(before, requested, chosen);
        if (chosen.length > 0) expect(grantWithoutAsking(requested, after, false)).toEqual(chosen);
        expect(after.granted.filter((scope) => names.includes(scope) && after.declined.includes(scope))).toEqual([]);
      }),
    );
  });
});
