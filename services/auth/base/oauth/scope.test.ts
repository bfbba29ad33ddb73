import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseScope, requestedScopes, scopesOfText, scopeText } from "./scope.ts";

const CONFIGURED = [
  { scope: "read_entities", required: true },
  { scope: "sale_eligibility_check", required: false },
  { scope: "contact_email", required: false },
];

describe("parseScope", () => {
  it.each([
    ["a", ["a"]],
    ["b a", ["b", "a"]],
    ["a b a", ["a", "b"]],
    ["a:b/c!#[]~", ["a:b/c!#[]~"]],
    ["x".repeat(1_024), ["x".repeat(1_024)]],
  ])("reads %s", (text, scopes) => {
    expect(parseScope(text)).toEqual(scopes);
  });

  it.each([" a", "a ", "a  b", "a\tb", "a\nb", 'a"', "a\\", "é", "a\0", "", "x".repeat(1_025)])(
    "refuses %j without repeating it",
    (text) => {
      expect(() => parseScope(text)).toThrow(expect.objectContaining({ error: "invalid_scope" }));
      expect(() => parseScope(text)).toThrow(/^invalid_scope: scope must [!-[\]-~ ]+$/);
    },
  );
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
