import { decodeJwt, decodeProtectedHeader } from "jose";
import { beforeEach, describe, expect, it } from "vitest";
import { type Application, parametersOf, type SentParameters, tokensIn } from "../testing/application.ts";
import { type ClientKeyPair, clientKeyPair, signedAssertion } from "../testing/assertions.ts";
import { type AuthorizationClient, authorizationClient } from "../testing/authorization-client.ts";
import { sampleDefinition, sampleSecurity } from "../testing/sample-application.ts";

/** The members that have the same value for everybody: they say nothing about a person. */
const CONSTANTS = ["scope", "tokenType", "expiresInSeconds", "isAccessToken"];
/** Members that are read claim by claim. */
const TOKENS = ["accessToken", "idToken"];
const CONSTANT_CLAIMS = ["iss", "scope", "tenancy", "acr", "amr", "alg", "typ", "kid"];
const SALES = [
  ["11111111-1111-4111-8111-111111111111", "22222222-2222-4222-8222-222222222222"],
  ["55555555-5555-4555-8555-555555555555", "66666666-6666-4666-8666-666666666666"],
] as const;

describe("two sales of one person", () => {
  let auth: AuthorizationClient;
  let session: string;
  let pair: ClientKeyPair;
  beforeEach(async () => {
    auth = await authorizationClient();
    session = await auth.signIn();
    pair = await clientKeyPair();
  });

  /** Everything that an application of a sale gets to know, some minutes after it asked the last time. */
  async function knownTo([saleUuid, uuid]: (typeof SALES)[number], request: SentParameters) {
    const security = sampleSecurity({ tokenEndpointAuthMethod: "private_key_jwt", jwks: [pair.publicJwk] });
    const application = await auth.application({ saleUuid, uuid, definition: sampleDefinition({ security }) });
    const asserted = async () => ({
      client_assertion: await signedAssertion(pair, uuid, auth.context.clock()),
      client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
    });
    auth.context.time.advance(61_000);
    const first = tokensIn(await application.exchange(await application.code(session, request), await asserted()));
    auth.context.time.advance(67_000);
    const second = tokensIn(await application.refresh(first.refreshToken, await asserted()));
    const introspect = async (token: string) =>
      (
        await auth.authorization.introspectOwnToken({
          parameters: parametersOf({ token, ...(await asserted()) }),
        })
      ).result.value;
    const answers = [
      first,
      second,
      (await auth.authorization.getUserInfo({ accessToken: second.accessToken })).result.value,
      await introspect(second.accessToken),
      await introspect(second.refreshToken),
    ];
    const tokens = [first, second].flatMap(({ accessToken, idToken }) => [accessToken, idToken]);
    return [
      ...answers.flatMap((answer) => valuesOf(answer ?? {}, [...CONSTANTS, ...TOKENS])),
      ...tokens.flatMap((token) => valuesOf({ ...decodeProtectedHeader(token), ...decodeJwt(token) }, CONSTANT_CLAIMS)),
    ];
  }

  it("have no value in common that isn't the same for everybody", async () => {
    const [one, other] = [await knownTo(SALES[0], { scope: "openid" }), await knownTo(SALES[1], { scope: "openid" })];
    expect(one.length).toBeGreaterThan(30);
    const common = one.filter((value) => other.includes(value));
    expect(new Set(common)).toEqual(new Set([auth.context.issuer]));
  });

  it("have the time of the sign-in in common only where both ask for it by max_age", async () => {
    const request = { scope: "openid", max_age: "3600" };
    const signedInAt = String(auth.context.clock() / 1_000n);
    const [one, other] = [await knownTo(SALES[0], request), await knownTo(SALES[1], request)];
    const common = one.filter((value) => other.includes(value));
    expect(new Set(common)).toEqual(new Set([auth.context.issuer, signedInAt]));
    expect(common.filter((value) => value === signedInAt)).toHaveLength(2);
  });

  it("are told apart by our own services, which get the time of the sign-in by introspection", async () => {
    const application: Application = await auth.application();
    const seconds = auth.context.clock() / 1_000n;
    const { accessToken } = await application.tokens(session);
    auth.context.time.advance(60_000);
    const { authenticatedAt } = await auth.authorization.introspectToken({ accessToken });
    expect(authenticatedAt?.seconds).toBe(seconds);
  });
});

/** Returns the leaves of an answer as texts, those of JWTs and IDs in parts, except for members with a name that is left out. */
function valuesOf(answer: object, left: readonly string[]): readonly string[] {
  return Object.entries(answer).flatMap(([name, value]) => {
    if (name.startsWith("$") || left.includes(name) || value === "" || value === undefined) return [];
    if (typeof value === "object" && "seconds" in value) return [String(value.seconds)];
    if (typeof value === "object") return valuesOf(value, left);
    return String(value).includes("://") ? [String(value)] : String(value).split(".");
  });
}
