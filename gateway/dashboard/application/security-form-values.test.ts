import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ClientSchema } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { formValues } from "../base/form-table.ts";
import {
  fieldOfSecurity,
  needsOwner,
  SECURITY_TABLE,
  type SecurityFormValues,
  securityFormValues,
  securityOf,
  securityOfText,
  textOfSecurity,
  withoutSecrets,
} from "./security-form-values.ts";

const JWKS = '{"keys":[{"kty":"OKP"}]}';
const SECURITY = {
  requirePushedAuthorizationRequests: true,
  dpopBoundAccessTokens: true,
  idTokenSignedResponseAlg: "ES256",
  tokenEndpointAuthMethod: "private_key_jwt",
  jwks: JWKS,
  postLogoutRedirectUris: ["https://a.example/", "https://b.example/"],
};
const ENTRIES: SecurityFormValues = {
  demandsPush: true,
  demandsDpop: true,
  algorithm: "ES256",
  authentication: "private_key_jwt",
  jwks: JSON.stringify(JSON.parse(JWKS), null, 2),
  postLogoutUris: "https://a.example/\nhttps://b.example/",
};
const NONE: SecurityFormValues = {
  demandsPush: false,
  demandsDpop: false,
  algorithm: "RS256",
  authentication: "none",
  jwks: "",
  postLogoutUris: "",
};

describe("the form values of security settings", () => {
  it("are those that are stored, and mean the same again", () => {
    expect(securityFormValues(create(ClientSchema, { definition: { security: SECURITY } }))).toEqual(ENTRIES);
    const { jwks, ...meant } = securityOf(ENTRIES);
    expect({ ...meant, jwks: JSON.stringify(JSON.parse(jwks)) }).toEqual(SECURITY);
    // An auth service of the version before has none of them.
    expect(securityFormValues(create(ClientSchema, { definition: {} }))).toEqual(NONE);
  });

  it("are read from a form, whatever it has instead of them", () => {
    const fields: Readonly<Record<string, string>> = {
      demands_push: "yes",
      demands_dpop: "on",
      algorithm: "none",
      authentication: "client_secret_basic",
      jwks: " {} ",
      post_logout_uris: " https://a.example/ \r\n\r\n https://b.example/ \n",
    };
    const values = formValues(SECURITY_TABLE, { text: (name) => fields[name] ?? "" });
    expect(values).toMatchObject({ ...NONE, demandsPush: true, jwks: "{}", postLogoutUris: expect.any(String) });
    expect(securityOf(values).postLogoutRedirectUris).toEqual(["https://a.example/", "https://b.example/"]);
  });

  it("come back after a sign-in", () => {
    for (const values of [ENTRIES, NONE]) expect(securityOfText(textOfSecurity(values))).toEqual(values);
    expect(securityOfText("")).toBeUndefined();
  });

  it.each([
    '{"keys":[{"kty":"OKP","d":"x"}]}',
    '{"keys":[{"k" : "x"}]}',
    "-----BEGIN PRIVATE KEY-----",
    '{"keys":[{"d":',
  ])("never come back with the secret %s, in an address or on a page", (jwks) => {
    expect(securityOfText(textOfSecurity({ ...ENTRIES, jwks }))).toEqual({ ...ENTRIES, jwks: "" });
    expect(withoutSecrets({ ...ENTRIES, jwks })).toEqual({ ...ENTRIES, jwks: "" });
  });

  it("come back on a page with keys that are no JSON, and not in an address", () => {
    const values = { ...ENTRIES, jwks: "[" };
    expect(withoutSecrets(values)).toEqual(values);
    expect(withoutSecrets(ENTRIES)).toEqual(ENTRIES);
    expect(securityOfText(textOfSecurity(values))?.jwks).toBe("");
  });

  it.each<[boolean, string, Partial<SecurityFormValues>]>([
    [false, "nothing", {}],
    [false, "white space in the keys", { jwks: JWKS }],
    [false, "the algorithm", { algorithm: "RS256" }],
    [true, "a demand for pushed requests", { demandsPush: false }],
    [true, "a demand for DPoP", { demandsDpop: false }],
    [true, "how it authenticates", { authentication: "none" }],
    [true, "the keys", { jwks: "" }],
    [true, "an address", { postLogoutUris: "https://a.example/" }],
  ])("need an owner (%s) for a change of %s", (needed, _, change) => {
    expect(needsOwner(ENTRIES, { ...ENTRIES, ...change })).toBe(needed);
  });

  it("need no owner for demands that are switched on", () => {
    expect(needsOwner(NONE, { ...NONE, demandsPush: true, demandsDpop: true })).toBe(false);
  });

  it.each([
    ["definition.security.jwks", { field: "jwks", label: "Public keys" }],
    ["definition.security.jwks.keys[1]", { field: "jwks", label: "Public key 2" }],
    ["definition.security.post_logout_redirect_uris[0]", { field: "post_logout_uris", label: "Address 1" }],
    [
      "definition.security.post_logout_redirect_uris",
      { field: "post_logout_uris", label: "Addresses after a sign-out" },
    ],
    ["definition.name", undefined],
  ])("have the field of %s", (contractField, field) => {
    expect(fieldOfSecurity(contractField)).toEqual(field);
  });
});
