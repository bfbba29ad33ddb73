import { describe, expect, it } from "vitest";
import { sampleClient, sampleDefinition } from "../testing/sample-application.ts";
import type { Client } from "./application.ts";
import {
  admitsOpening,
  obstaclesOf,
  obstaclesToOpening,
  openingRequirements,
  requireOpenable,
} from "./application-readiness.ts";

/** Removes properties, because `exactOptionalPropertyTypes` doesn't allow setting them to undefined. */
function without(key: "squareLogo" | "wideLogo"): Client {
  const { [key]: _, ...rest } = sampleClient();
  return rest;
}

const optional = (scope: string) =>
  sampleClient({
    definition: sampleDefinition({
      scopes: sampleDefinition().scopes.map((one) => (one.scope === scope ? { ...one, required: false } : one)),
    }),
  });

describe("obstaclesOf", () => {
  it.each<[string, Client, string[]]>([
    ["one that is ready", sampleClient(), []],
    ["a disabled one", sampleClient({ status: "disabled" }), ["is disabled"]],
    [
      "one without redirect URI",
      sampleClient({ definition: sampleDefinition({ redirectUris: [] }) }),
      ["has no redirect URI"],
    ],
    ["one without scope", sampleClient({ definition: sampleDefinition({ scopes: [] }) }), ["has no scope"]],
    ["one without square logo", without("squareLogo"), ["has no square logo"]],
    ["one without wide logo", without("wideLogo"), ["has no wide logo"]],
    ["one that requires nothing", optional("read_entities"), []],
  ])("of %s", (_, client, obstacles) => {
    expect(obstaclesOf(client)).toEqual(obstacles);
  });
});

describe("the opening of a sale", () => {
  it.each(["read_entities", "sale_eligibility_check"])("needs %s to be required", (scope) => {
    const words = [`doesn't require the scope ${scope}`];
    expect(obstaclesToOpening(optional(scope))).toEqual(words);
    const rest = sampleDefinition().scopes.filter((one) => one.scope !== scope);
    expect(obstaclesToOpening(sampleClient({ definition: sampleDefinition({ scopes: rest }) }))).toEqual(words);
  });

  it("is reported as requirements, each met or not", () => {
    const requirements = openingRequirements(without("wideLogo"));
    expect(requirements.map(({ name, met }) => [name, met])).toEqual([
      ["active", true],
      ["redirect_uri", true],
      ["square_logo", true],
      ["wide_logo", false],
      ["scope:read_entities", true],
      ["scope:sale_eligibility_check", true],
    ]);
  });

  it("doesn't need the e-mail address", () => {
    const scopes = sampleDefinition().scopes.slice(0, 2);
    expect(obstaclesToOpening(sampleClient({ definition: sampleDefinition({ scopes }) }))).toEqual([]);
  });

  it("needs one ready client; two that are half ready don't count", () => {
    expect(admitsOpening([without("wideLogo"), sampleClient()])).toBe(true);
    expect(admitsOpening([without("wideLogo"), without("squareLogo")])).toBe(false);
    expect(admitsOpening([])).toBe(false);
    expect(requireOpenable([without("wideLogo"), sampleClient({ uuid: "fit" })]).uuid).toBe("fit");
  });

  it("is refused with an error that says what each client lacks", () => {
    const second = sampleClient({
      status: "disabled",
      definition: sampleDefinition({ name: "Second", redirectUris: [] }),
    });
    expect(() => requireOpenable([without("wideLogo"), second])).toThrow(
      expect.objectContaining({
        code: "failed_precondition",
        message: expect.stringMatching(/: Portal has no wide logo; Second is disabled and has no redirect URI$/),
      }),
    );
    expect(() => requireOpenable([])).toThrow(/: it has none$/);
  });
});
