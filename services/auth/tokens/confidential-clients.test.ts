import { beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { type Application, errorIn, parametersOf } from "../testing/application.ts";
import { type ClientKeyPair, clientKeyPair, signedAssertion } from "../testing/assertions.ts";
import { type AuthorizationClient, authorizationClient } from "../testing/authorization-client.ts";
import { sampleDefinition, sampleSecurity } from "../testing/sample-application.ts";
import { openWatchedDatabase, type WatchedDatabase } from "../testing/watched-database.ts";

/** Statements of a public client's exchange and refresh, and those of the authentication: the keys, and the `jti`. */
const [EXCHANGE, REFRESH, AUTHENTICATION] = [5, 4, 2];
const PEER = { address: "192.0.2.7", userAgent: "" };

describe("a confidential client", () => {
  let pair: ClientKeyPair;
  let database: WatchedDatabase;
  let auth: AuthorizationClient;
  let application: Application;
  let session: string;
  let limited: string[];
  let refused: string | undefined;
  beforeAll(async () => {
    pair = await clientKeyPair();
  });
  beforeEach(async () => {
    [limited, refused] = [[], undefined];
    database = await openWatchedDatabase();
    const take = async (limit: string, key: string) => {
      limited.push(`${limit} ${key}`);
      if (limit === refused) throw new ServiceError("resource_exhausted", "too many", { retryAfterSeconds: 7 });
    };
    auth = await authorizationClient({ database, rateLimits: { take } });
    const security = sampleSecurity({ tokenEndpointAuthMethod: "private_key_jwt", jwks: [pair.publicJwk] });
    application = await auth.application({ definition: sampleDefinition({ security }) });
    session = await auth.signIn();
  });

  const asserted = async () => ({
    client_assertion: await signedAssertion(pair, application.client.uuid, auth.context.clock()),
    client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
  });
  const introspect = async (token: string) =>
    (
      await auth.authorization.introspectOwnToken({
        parameters: parametersOf({ token, ...(await asserted()) }),
        peer: PEER,
      })
    ).result;
  const tokens = async () => application.exchange(await application.code(session), await asserted());
  const statementsOf = async (work: () => Promise<unknown>) => {
    const before = database.statements;
    await work();
    return database.statements - before;
  };

  it("takes two statements more than a public one, and one without its assertion", async () => {
    const code = await application.code(session);
    const sent = await asserted();
    expect(await statementsOf(() => application.exchange(code))).toBe(1);
    expect(await statementsOf(() => application.exchange(code, sent))).toBe(EXCHANGE + AUTHENTICATION);
    const result = await tokens();
    const refreshToken = result.case === "tokens" ? result.value.refreshToken : "";
    const next = await asserted();
    expect(await statementsOf(() => application.refresh(refreshToken, next))).toBe(REFRESH + AUTHENTICATION);
  });

  it("introspects with three statements, and without one if the assertion is malformed", async () => {
    const result = await tokens();
    const { accessToken, refreshToken } = result.case === "tokens" ? result.value : expect.fail();
    for (const token of [accessToken, refreshToken]) {
      expect(await statementsOf(() => introspect(token))).toBe(AUTHENTICATION + 1);
    }
    expect(await statementsOf(() => introspect("a.b.c"))).toBe(AUTHENTICATION);
    const parameters = parametersOf({ token: accessToken, ...(await asserted()), client_assertion: "a.b.c" });
    expect(await statementsOf(() => auth.authorization.introspectOwnToken({ parameters }))).toBe(0);
  });

  it("has its introspections counted: of tokens that count, of others, and refused ones", async () => {
    const result = await tokens();
    const { accessToken } = result.case === "tokens" ? result.value : expect.fail();
    const counted = async () => {
      const { values } = await auth.metrics.introspections.get();
      return Object.fromEntries(values.map(({ labels, value }) => [labels.result, value]));
    };
    expect(await counted()).toEqual({ active: 0, inactive: 0, refused: 0 });
    await introspect(accessToken);
    for (const token of ["a.b.c", "guessed"]) await introspect(token);
    const unauthenticated = parametersOf({ token: accessToken, client_id: application.client.uuid });
    for (const _ of [1, 2, 3]) await auth.authorization.introspectOwnToken({ parameters: unauthenticated });
    expect(await counted()).toEqual({ active: 1, inactive: 2, refused: 3 });
  });

  it("introspects within limits by address and by client", async () => {
    limited = [];
    await introspect("guessed");
    expect(limited).toEqual(["introspection_address 192.0.2.7", `introspection_client ${application.client.uuid}`]);
    refused = "introspection_client";
    await expect(introspect("guessed")).rejects.toThrow("too many");
    limited = [];
    const unauthenticated = {
      parameters: parametersOf({ token: "t", client_id: application.client.uuid }),
      peer: PEER,
    };
    const { result } = await auth.authorization.introspectOwnToken(unauthenticated);
    expect(result).toMatchObject({ case: "error", value: { error: "invalid_client" } });
    expect(limited).toEqual(["introspection_address 192.0.2.7"]);
  });

  it("needs no new assertion if the database's answer is lost", async () => {
    const code = await application.code(session);
    const sent = await asserted();
    database.losesNextCommit = true;
    expect(errorIn(await application.exchange(code, sent))).toBe("");
    expect(errorIn(await application.exchange(code, sent))).toBe("invalid_client");
  });
});
