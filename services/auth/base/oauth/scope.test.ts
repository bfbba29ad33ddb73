import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { KNOWN_SCOPES, parseScope, requestedScopes, scopesOfText, scopeText } from "./scope.ts";

const CONFIGURED = [
  { scope: "read_entities", required: true },
  { scope: "sale_eligibility_check", required: false },
  { scope: "contact_email", required: false },
];

describe("parseScope", () => {
  it.each([
    ["openid", ["openid"]],
    ["contact_email read_entities", ["contact_email", "read_entities"]],
    ["read_entities openid read_entities", ["read_entities", "openid"]],
    ["  openid   read_entities ", ["openid", "read_entities"]],
    ["openid profile email", ["openid"]],
    ["offline_access", []],
    ["OpenID READ_ENTITIES a:b/c!#[]~ constructor", []],
    ["x".repeat(1_024), []],
    ["", undefined],
    ["  ", undefined],
    [undefined, undefined],
  ])("reads %j: what it knows, once each", (text, scopes) => {
    expect(parseScope(text)).toEqual(scopes);
  });

  it("ignores any name that it doesn't know, wherever it stands", () => {
    const known = fc.subarray(["openid", ...KNOWN_SCOPES]);
    const unknown = fc.array(fc.stringMatching(/^[!#-[\]-~]{1,20}$/)).map((names) => names.map((name) => `${name}!`));
    fc.assert(
      fc.property(known, unknown, fc.infiniteStream(fc.boolean()), (names, others, choices) => {
        const [left, mixed] = [[...others], [...names]];
        for (const other of left) mixed.splice(choices.next().value ? 0 : mixed.length, 0, other);
        expect(parseScope(mixed.join("  "))).toEqual(mixed.length === 0 ? undefined : names);
      }),
    );
  });

  it.each(["a\tb", "a\nb", 'a"', "a\\", "é", "a\0", "x".repeat(1_025)])("refuses %j without repeating it", (text) => {
    expect(() => parseScope(text)).toThrow(expect.objectContaining({ error: "invalid_scope" }));
    expect(() => parseScope(text)).toThrow(/^invalid_scope: scope must [!-[\]-~ ]+$/);
  });
});

describe("requestedScopes", () => {
  it.each([
    [undefined, ["read_entities", "sale_eligibility_check", "contact_email"]],
    [[], ["read_entities"]],
    [["contact_email"], ["read_entities", "contact_email"]],
    [
      ["contact_email", "sale_eligibility_check"],
      ["read_entities", "sale_eligibility_check", "contact_email"],
    ],
    [["not_configured"], ["read_entities"]],
  ])("of %j are %j: required ones always, as configured and in that order", (named, asked) => {
    expect(requestedScopes(CONFIGURED, named).map(({ scope }) => scope)).toEqual(asked);
  });
});

it("scopes come back from their text", () => {
  const scope = fc.stringMatching(/^[!#-[\]-~]{1,20}$/);
  fc.assert(
    fc.property(fc.array(scope), (scopes) => {
      expect(scopesOfText(scopeText(scopes))).toEqual(scopes);
    }),
  );
});
