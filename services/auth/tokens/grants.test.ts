import { beforeEach, describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { ErrorReason } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { type Application, answerOf, errorIn, parametersOf, tokensIn } from "../testing/application.ts";
import { type AuthorizationClient, authorizationClient } from "../testing/authorization-client.ts";
import { openWatchedDatabase, type WatchedDatabase } from "../testing/watched-database.ts";

/** The limit is six, without begin, commit and the rate limit. */
const EXCHANGE_STATEMENTS = 5;
const REFRESH_STATEMENTS = 4;

describe("grants", () => {
  let database: WatchedDatabase;
  let auth: AuthorizationClient;
  let application: Application;
  let session: string;
  const limited: [string, string][] = [];
  let refused: string | undefined;
  beforeEach(async () => {
    limited.length = 0;
    refused = undefined;
    database = await openWatchedDatabase();
    const take = async (limit: string, key: string) => {
      limited.push([limit, key]);
      if (limit === refused) throw new ServiceError("resource_exhausted", "too many", { retryAfterSeconds: 7 });
    };
    auth = await authorizationClient({ database, rateLimits: { take } });
    application = await auth.application();
    session = await auth.signIn();
  });

  const statementsOf = async <Result>(work: () => Promise<Result>) => {
    const before = database.statements;
    const result = await work();
    return { result, statements: database.statements - before };
  };

  describe("in statements", () => {
    it(`takes ${EXCHANGE_STATEMENTS} for an exchange`, async () => {
      const code = await application.code(session);
      const { result, statements } = await statementsOf(() => application.exchange(code));
      expect([errorIn(result), statements]).toEqual(["", EXCHANGE_STATEMENTS]);
    });

    it(`takes ${REFRESH_STATEMENTS} for a refresh, and one to repeat it`, async () => {
      const { refreshToken } = await application.tokens(session);
      const refresh = () => application.refresh(refreshToken);
      expect((await statementsOf(refresh)).statements).toBe(REFRESH_STATEMENTS);
      expect((await statementsOf(refresh)).statements).toBe(1);
    });

    it("takes one for a refused request, and none for a malformed one", async () => {
      const code = await application.code(session);
      const wrong = () => application.exchange(code, { code_verifier: "w".repeat(43) });
      expect((await statementsOf(wrong)).statements).toBe(1);
      const malformed = () => application.exchange(code, { code_verifier: "w" });
      expect((await statementsOf(malformed)).statements).toBe(0);
    });

    it("takes one to check an access token", async () => {
      const { accessToken } = await application.tokens(session);
      const { statements } = await statementsOf(() => auth.authorization.getUserInfo({ accessToken }));
      expect(statements).toBe(1);
    });
  });

  describe("where the outcome of a commit was lost", () => {
    it("an exchange returns the tokens that it has issued", async () => {
      const code = await application.code(session);
      database.losesNextCommit = true;
      const { accessToken, refreshToken } = tokensIn(await application.exchange(code));
      expect(await application.isValid(accessToken)).toBe(true);
      expect(errorIn(await application.refresh(refreshToken))).toBe("");
    });

    it("a refresh returns the token that it has issued", async () => {
      const { refreshToken } = await application.tokens(session);
      database.losesNextCommit = true;
      const next = tokensIn(await application.refresh(refreshToken));
      expect(errorIn(await application.refresh(next.refreshToken))).toBe("");
    });

    it("a consent ends with a link to go on", async () => {
      const attempt = await application.begin(session);
      database.losesNextCommit = true;
      const step = await application.decide(attempt, session);
      expect(step).toMatchObject({
        value: { reason: ErrorReason.ANSWERED, redirectUrl: expect.stringContaining("error=") },
      });
    });

    it("an authorization without a page returns a code", async () => {
      await application.tokens(session);
      database.losesNextCommit = true;
      const { step } = await application.begin(session);
      expect(answerOf(step).has("code")).toBe(true);
    });
  });

  describe("within limits", () => {
    it("counts by address and by account", async () => {
      const peer = { address: "192.0.2.7", userAgent: "" };
      await application.tokens(session);
      const parameters = parametersOf({ grant_type: "refresh_token" });
      await auth.authorization.issueTokens({ parameters, peer });
      await auth.authorization.revokeToken({ parameters: [], peer });
      const names = limited.map(([limit, key]) => `${limit} ${key}`);
      expect(names).toEqual([
        "authorize_address ",
        "authorize_page_address ",
        expect.stringMatching(/^authorize_account [0-9a-f-]{36}$/),
        "token_address ",
        expect.stringMatching(/^token_account [0-9a-f-]{36} [0-9a-f-]{36}$/),
        "token_address 192.0.2.7",
        "token_address 192.0.2.7",
      ]);
    });

    it.each(["token_address", "token_account"])("doesn't use a code up when %s is exceeded", async (limit) => {
      const code = await application.code(session);
      refused = limit;
      await expect(application.exchange(code)).rejects.toThrow("too many");
      refused = undefined;
      expect(errorIn(await application.exchange(code))).toBe("");
    });

    it("revokes a family on reuse, even if a thief has used up the limit", async () => {
      const code = await application.code(session);
      const { accessToken, refreshToken } = tokensIn(await application.exchange(code));
      const next = tokensIn(await application.refresh(refreshToken));
      await application.refresh(next.refreshToken);
      refused = "token_account";
      expect(errorIn(await application.refresh(refreshToken))).toBe("invalid_grant");
      expect(await application.isValid(accessToken)).toBe(false);
    });

    it("revokes the tokens of a replayed code, even if a thief has used up the limit", async () => {
      const code = await application.code(session);
      const { accessToken } = tokensIn(await application.exchange(code));
      refused = "token_account";
      expect(errorIn(await application.exchange(code))).toBe("invalid_grant");
      expect(await application.isValid(accessToken)).toBe(false);
    });
  });

  it("stores no secret in plain form", async () => {
    const code = await application.code(session);
    const tokens = tokensIn(await application.exchange(code));
    const attempt = await application.begin(session, { prompt: "consent" });
    const handle = attempt.step.case === "consent" ? attempt.step.value.authorizationHandle : "";
    const secrets = [code.code, code.codeVerifier, tokens.refreshToken, attempt.browserToken, handle, session];
    const tables = ["authorization_request", "authorization_code", "token_family", "refresh_token", "audit"] as const;
    const rows = await Promise.all(tables.map((table) => database.query.selectFrom(table).selectAll().execute()));
    const values = rows.flat().flatMap((row) => Object.values(row));
    const bytes = values.map((value) =>
      value instanceof Uint8Array ? Buffer.from(value) : Buffer.from(String(value)),
    );
    const leaked = secrets.filter((secret) =>
      bytes.some((value) => value.includes(secret) || value.equals(Buffer.from(secret, "base64url"))),
    );
    expect([handle.length, values.length > 20, leaked]).toEqual([43, true, []]);
  });
});
