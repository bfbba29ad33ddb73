import { describe, expect, it } from "vitest";
import {
  type ClientDefinition,
  changesRedirectUris,
  checkClientDefinition,
  type EnteredDefinition,
} from "./application-definition.ts";
import { DEFAULT_SECURITY } from "./application-security.ts";

const definition: ClientDefinition = {
  name: "Portal",
  redirectUris: ["https://a.example/"],
  scopes: [{ scope: "read_entities", required: true }],
  security: DEFAULT_SECURITY,
};
const { security: _, ...entered } = definition;

function rulesOf(change: Partial<EnteredDefinition>): readonly [field: string, rule: string][] {
  try {
    checkClientDefinition({ ...entered, ...change }, "live");
    return [];
  } catch (error) {
    const { violations } = error as { violations: { field: string; rule: string }[] };
    return violations.map(({ field, rule }) => [field, rule]);
  }
}

describe("checkClientDefinition", () => {
  it("trims the name and keeps the rest", () => {
    expect(checkClientDefinition({ ...entered, name: "\t Portal " }, "live")).toEqual(definition);
  });

  it("accepts an incomplete definition", () => {
    expect(rulesOf({ redirectUris: [], scopes: [] })).toEqual([]);
  });

  it.each(["A", "Käuferportal", "申請", "Δ-Sale 2.0 (beta)", "pump.fun", "𝒳".repeat(100), `  ${"x".repeat(100)}  `])(
    "takes the name %s",
    (name) => {
      expect(rulesOf({ name })).toEqual([]);
    },
  );

  it.each([
    ["name.empty", ""],
    ["name.empty", " \u00a0\u3000"],
    ["name.length", "x".repeat(101)],
    ["name.product", "Tide mark"],
    ["name.product", "Тіdеmаrk"],
    ["name.markup", "a<b"],
    ["name.markup", "a>b"],
    ["name.link", "https://evil.example"],
    ["name.link", "log in at www.evil.example"],
    ["name.link", "help@evil.example"],
    ["name.link", "evil.example/login"],
    ["name.characters", "a\u0000b"],
    ["name.characters", "a\nb"],
    ["name.characters", "a\u001b[31m"],
    ["name.characters", "a\u2028b"],
    ["name.characters", "a\u202eb"],
    ["name.characters", "a\u2066b"],
    ["name.characters", "a\u200eb"],
    ["name.characters", "a\u200fb"],
    ["name.characters", "a\u061cb"],
    ["name.characters", "a\u200bb"],
    ["name.characters", "a\u200db"],
    ["name.characters", "a\u2060b"],
    ["name.characters", "a\u00adb"],
    ["name.characters", "a\ufe0fb"],
    ["name.characters", "a\u3164b"],
    ["name.characters", "a\u2800b"],
    ["name.characters", "a\u{e0041}b"],
    ["name.characters", "a\ue000b"],
    ["name.characters", "a\ud800b"],
  ])("refuses by %s the name %j", (rule, name) => {
    expect(rulesOf({ name })).toEqual([["definition.name", rule]]);
  });

  it("keeps a name that is older than the rule about links", () => {
    const before = { ...definition, name: "Portal / App" };
    expect(checkClientDefinition({ ...entered, name: " Portal / App" }, "live", before)).toEqual(before);
    expect(() => checkClientDefinition({ ...entered, name: "Portal / Two" }, "live", before)).toThrow(
      "definition.name",
    );
  });

  it("refuses unknown and repeated scopes", () => {
    const scopes = ["read_entities", "read_entities", "openid", "Read_Entities", ""].map((scope) => ({
      scope,
      required: false,
    }));
    expect(rulesOf({ scopes })).toEqual([
      ["definition.scopes[1].scope", "scope.doubled"],
      ["definition.scopes[2].scope", "scope.unknown"],
      ["definition.scopes[3].scope", "scope.unknown"],
      ["definition.scopes[4].scope", "scope.unknown"],
    ]);
  });

  it("names everything that is wrong at once", () => {
    expect(rulesOf({ name: "", redirectUris: ["x"] }).map(([field]) => field)).toEqual([
      "definition.name",
      "definition.redirect_uris[0]",
    ]);
  });
});

describe("changesRedirectUris", () => {
  it.each([
    [false, ["a", "b"], ["b", "a"]],
    [true, ["a", "b"], ["a"]],
    [true, ["a"], ["a", "b"]],
    [true, ["a"], ["b"]],
    [false, [], []],
  ])("is %s for %j and %j", (changes, before, after) => {
    expect(changesRedirectUris({ ...definition, redirectUris: before }, { ...definition, redirectUris: after })).toBe(
      changes,
    );
  });
});
