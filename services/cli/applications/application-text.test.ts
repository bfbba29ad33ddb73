import { create } from "@bufbuild/protobuf";
import { describe, expect, it } from "vitest";
import { ClientSchema, ClientStatus } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { unpainted } from "../output/paint.ts";
import { applicationJson, applicationTable, applicationText } from "./application-text.ts";

const application = create(ClientSchema, {
  uuid: "22222222-2222-4222-8222-222222222222",
  saleUuid: "11111111-1111-4111-8111-111111111111",
  testTenancy: true,
  status: ClientStatus.ACTIVE,
  definition: {
    name: "Portal \u001b[31m",
    redirectUris: ["https://a.example/", "https://b.example/"],
    scopes: [{ scope: "read_entities", required: true }, { scope: "contact_email" }],
  },
  squareLogo: "aa".repeat(32),
  version: 7n,
  createdAt: { seconds: 1_769_860_800n },
  obstacles: ["has no wide logo", "is \u001b[31m"],
});

describe("applicationText", () => {
  it("has a line for each detail, and nothing that acts on a terminal", () => {
    expect(applicationText(application).split("\n")).toEqual([
      "UUID            22222222-2222-4222-8222-222222222222",
      "Name            Portal \ufffd[31m",
      "Sale            11111111-1111-4111-8111-111111111111",
      "Status          active, test tenancy",
      "Redirect URI    https://a.example/",
      "Redirect URI    https://b.example/",
      "Scope           read_entities, required",
      "Scope           contact_email, optional",
      `Square logo     ${"aa".repeat(32)}`,
      "Wide logo       none",
      "Version         7",
      "Created         2026-01-31T12:00:00Z",
      "Signs users in  no: it has no wide logo, is \ufffd[31m",
    ]);
  });
});

describe("applicationText of security settings", () => {
  it("has a line for each that differs from those of a new application", () => {
    const security = {
      requirePushedAuthorizationRequests: true,
      dpopBoundAccessTokens: true,
      idTokenSignedResponseAlg: "ES256",
      tokenEndpointAuthMethod: "private_key_jwt",
      jwks: '{"keys":[{"kid":"one"},{"kid":"\\u001b[31m"}]}',
      postLogoutRedirectUris: ["https://a.example/bye"],
    };
    const rows = applicationText(create(ClientSchema, { definition: { security } })).split("\n");
    const names = /^(?:Pushed|DPoP|ID token|Client authentication|Public key|Post-logout)/;
    expect(rows.filter((row) => names.test(row))).toEqual([
      "Pushed authorization requests  required",
      "DPoP                           required",
      "ID token algorithm             ES256",
      "Client authentication          private_key_jwt",
      "Public key                     one",
      "Public key                     \ufffd[31m",
      "Post-logout redirect URI       https://a.example/bye",
    ]);
    const usual = { idTokenSignedResponseAlg: "RS256", tokenEndpointAuthMethod: "none" };
    expect(applicationText(create(ClientSchema, { definition: { security: usual } }))).not.toMatch(
      /RS256|optional|Client authentication/,
    );
  });
});

describe("applicationTable", () => {
  it("has a line for each", () => {
    const lines = applicationTable([application, create(ClientSchema, { uuid: "x" })], unpainted).split("\n");
    expect(lines[0]).toMatch(/^UUID +STATUS +TENANCY +READY +NAME$/);
    expect(lines[1]).toMatch(/^22222222\S+ +active +test +no +Portal \ufffd\[31m$/);
    expect(lines[2]).toMatch(/^x +unknown +live +yes$/);
  });
});

describe("applicationJson", () => {
  it("has the status as a name and 64-bit integers as text", () => {
    expect(applicationJson(application)).toMatchObject({
      status: "active",
      version: "7",
      testTenancy: true,
      wideLogo: "",
    });
  });
});
