import { create } from "@bufbuild/protobuf";
import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { GetJwksResponseSchema } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthDependencies } from "../web/sessions/auth-dependencies.ts";
import { authorizationServerMetadata, jwksDocument } from "./metadata.ts";

const ISSUER = "https://auth.example";

describe("the metadata", () => {
  const metadata = JSON.parse(authorizationServerMetadata(ISSUER));

  it.each([
    "issuer",
    "authorization_endpoint",
    "token_endpoint",
    "jwks_uri",
    "response_types_supported",
    "subject_types_supported",
    "id_token_signing_alg_values_supported",
  ])("have the required %s (OpenID Connect Discovery section 3)", (name) => {
    expect(metadata).toHaveProperty(name);
  });

  it("say what Tidemark's OpenID Connect is, also where the default would say otherwise", () => {
    expect(metadata).toMatchObject({
      issuer: ISSUER,
      end_session_endpoint: `${ISSUER}/oauth/logout`,
      scopes_supported: expect.arrayContaining(["openid"]),
      subject_types_supported: ["pairwise"],
      id_token_signing_alg_values_supported: expect.arrayContaining(["RS256"]),
      claims_supported: expect.arrayContaining(["sub", "iss", "aud", "exp", "iat", "auth_time", "nonce", "acr", "amr"]),
      prompt_values_supported: ["none", "login", "consent", "select_account"],
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
    });
  });

  it("name only endpoints of the issuer, and have no empty list (RFC 8414 section 3.2)", () => {
    for (const [name, value] of Object.entries(metadata)) {
      if (name.endsWith("_endpoint") || name === "jwks_uri") expect(new URL(String(value)).origin, name).toBe(ISSUER);
      if (Array.isArray(value)) expect(value.length, name).toBeGreaterThan(0);
    }
  });
});

describe("the keys", () => {
  it("are shown for an hour while auth doesn't answer, and then no longer", async () => {
    const state = { now: 0, isAway: false };
    const getJwks = async () => {
      if (state.isAway) throw new ConnectError("away", Code.Unavailable);
      return create(GetJwksResponseSchema, { jwksJson: "{}" });
    };
    const authorization = { getJwks } as unknown as AuthDependencies["clients"]["authorization"];
    const clients = { authorization } as AuthDependencies["clients"];
    const jwks = jwksDocument({ clients, now: () => state.now });
    expect(await jwks()).toBe("{}");
    state.isAway = true;
    state.now = 60 * 60_000 - 1;
    expect(await jwks()).toBe("{}");
    state.now++;
    await expect(jwks()).rejects.toMatchObject({ code: Code.Unavailable });
  });
});
