import { describe, expect, it } from "vitest";
import { OAuthParameters } from "../base/oauth/oauth-parameters.ts";
import { parametersOf, type SentParameters } from "../testing/application.ts";
import { readClientCredentials } from "./client-credentials.ts";

const UUID = "22222222-2222-4222-8222-222222222222";
const OTHER = "33333333-3333-4333-8333-333333333333";
const TYPE = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

const jwtOf = (claims: unknown) => `e30.${Buffer.from(JSON.stringify(claims)).toString("base64url")}.c2ln`;
const ASSERTION = jwtOf({ sub: UUID });
const ASSERTED = { client_assertion: ASSERTION, client_assertion_type: TYPE };
const read = (sent: SentParameters) => readClientCredentials(new OAuthParameters(parametersOf(sent)));

describe("readClientCredentials", () => {
  it("reads a client with and without an assertion", () => {
    expect(read({})).toEqual({ clientUuid: undefined, assertion: undefined });
    expect(read({ client_id: UUID.toUpperCase(), client_secret: "" })).toEqual({ clientUuid: UUID });
    expect(read({ client_id: UUID, ...ASSERTED })).toEqual({ clientUuid: UUID, assertion: ASSERTION });
    expect(read(ASSERTED)).toEqual({ clientUuid: UUID, assertion: ASSERTION });
  });

  it.each<[string, SentParameters, string]>([
    ["a malformed client_id", { client_id: "portal" }, "invalid_client: client_id must be a UUID"],
    ["a secret", { client_id: UUID, client_secret: "s" }, "invalid_client: no client has a secret"],
    ["a secret beside an assertion", { ...ASSERTED, client_secret: "s" }, "invalid_client: no client has a secret"],
    ["no type", { client_assertion: ASSERTION }, "invalid_client: client_assertion_type must be"],
    ["a type alone", { client_assertion_type: TYPE }, "invalid_client: client_assertion is missing"],
    ["another type", { ...ASSERTED, client_assertion_type: "saml" }, "invalid_client: client_assertion_type must be"],
    [
      "two assertions",
      { ...ASSERTED, client_assertion: [ASSERTION, ASSERTION] },
      "invalid_request: client_assertion is",
    ],
    ["another client", { ...ASSERTED, client_id: OTHER }, "sub must be the client_id of the request"],
    ["no JWT", { ...ASSERTED, client_assertion: "no" }, "it must be a JWT whose sub is the client_id"],
    ["no sub", { ...ASSERTED, client_assertion: jwtOf({}) }, "it must be a JWT whose sub is the client_id"],
    ["a sub that is no text", { ...ASSERTED, client_assertion: jwtOf({ sub: [UUID] }) }, "it must be a JWT whose sub"],
    ["too long an assertion", { ...ASSERTED, client_assertion: "a".repeat(4_097) }, "longer than 4096 characters"],
  ])("refuses %s", (_, sent, message) => {
    expect(() => read(sent)).toThrow(message);
  });
});
