import { beforeAll, describe, expect, it } from "vitest";
import type { SentParameters } from "../../../../services/auth/testing/application.ts";
import { tokensIn, type WebApplication } from "../../../support/applications/web-application.ts";
import { describeAuthWeb, type WebUser } from "../../../support/pages/auth-web.ts";

type Case = readonly [attack: string, rfc: string, sent: SentParameters, error: string];

const absent: readonly string[] = [];
const UUID = "99999999-9999-4999-8999-999999999999";
const TOKEN = "t".repeat(43);
const OVERSIZED = "t".repeat(8_000);

const OF_ANY_GRANT: readonly Case[] = [
  ["grant_type missing", "RFC 6749 4.1.3", { grant_type: absent }, "invalid_request"],
  ["grant_type empty", "RFC 6749 3.2", { grant_type: "" }, "invalid_request"],
  ["grant_type doubled", "RFC 6749 3.2", { grant_type: ["authorization_code", "refresh_token"] }, "invalid_request"],
  [
    "grant_type password",
    "RFC 9700 2.4",
    { grant_type: "password", username: "a", password: "b" },
    "unsupported_grant_type",
  ],
  ["grant_type client_credentials", "RFC 6749 4.4", { grant_type: "client_credentials" }, "unsupported_grant_type"],
  [
    "grant_type token-exchange",
    "RFC 8693 2.1",
    { grant_type: "urn:ietf:params:oauth:grant-type:token-exchange" },
    "unsupported_grant_type",
  ],
  ["grant_type in other case", "RFC 6749 4.1.3", { grant_type: "Authorization_Code" }, "unsupported_grant_type"],
  ["grant_type oversized", "RFC 6749 5.2", { grant_type: OVERSIZED }, "unsupported_grant_type"],
  ["client_id doubled", "RFC 6749 3.2", { client_id: [UUID, UUID] }, "invalid_request"],
  ["client_id malformed", "RFC 6749 5.2", { client_id: "portal" }, "invalid_client"],
  ["client_id unknown", "RFC 6749 5.2", { client_id: UUID }, "invalid_client"],
  ["client_id oversized", "RFC 6749 5.2", { client_id: OVERSIZED }, "invalid_client"],
  ["client_secret in the body", "RFC 6749 2.3.1", { client_secret: "s" }, "invalid_client"],
  ["client_assertion", "RFC 7521 4.2", { client_assertion: "e30.e30.s" }, "invalid_client"],
  ["client_secret doubled", "RFC 6749 3.2", { client_secret: ["s", "s"] }, "invalid_request"],
  ["an unknown parameter doubled", "RFC 6749 3.2", { resource: ["a", "b"] }, "invalid_request"],
  ["a value above every bound", "RFC 6749 5.2", { extra: "a".repeat(8_193) }, "invalid_request"],
  ["a name above every bound", "RFC 6749 5.2", { ["a".repeat(257)]: "b" }, "invalid_request"],
  ["too many parameters", "RFC 6749 5.2", manyParameters(), "invalid_request"],
];

const OF_A_CODE: readonly Case[] = [
  ["code missing", "RFC 6749 4.1.3", { code: absent }, "invalid_request"],
  ["code empty", "RFC 6749 3.2", { code: "" }, "invalid_request"],
  ["code doubled", "RFC 6749 3.2", { code: [TOKEN, TOKEN] }, "invalid_request"],
  ["code with other letters", "RFC 6749 A.11", { code: "cöde" }, "invalid_request"],
  ["code with NUL", "RFC 6749 A.11", { code: "a\0b" }, "invalid_request"],
  ["code with a line break", "RFC 6749 A.11", { code: "a\r\nb" }, "invalid_request"],
  ["code guessed", "RFC 6749 10.10", { code: TOKEN }, "invalid_grant"],
  ["code guessed by an unknown client", "RFC 6749 5.2", { code: TOKEN, client_id: UUID }, "invalid_client"],
  ["code with SQL", "RFC 6749 5.2", { code: "' OR 1=1 --" }, "invalid_grant"],
  ["code oversized", "RFC 6749 5.2", { code: OVERSIZED }, "invalid_grant"],
  ["code_verifier missing", "RFC 9700 2.1.1", { code_verifier: absent }, "invalid_request"],
  ["code_verifier empty", "RFC 7636 4.5", { code_verifier: "" }, "invalid_request"],
  ["code_verifier doubled", "RFC 6749 3.2", { code_verifier: [TOKEN, TOKEN] }, "invalid_request"],
  ["code_verifier too short", "RFC 7636 4.1", { code_verifier: "t".repeat(42) }, "invalid_request"],
  ["code_verifier too long", "RFC 7636 4.1", { code_verifier: "t".repeat(129) }, "invalid_request"],
  ["code_verifier with other characters", "RFC 7636 4.1", { code_verifier: `${TOKEN}+` }, "invalid_request"],
  ["code_verifier wrong", "RFC 7636 4.6", { code_verifier: TOKEN }, "invalid_grant"],
  [
    "client_id missing, code_verifier wrong",
    "RFC 7636 4.6",
    { client_id: absent, code_verifier: TOKEN },
    "invalid_grant",
  ],
  [
    "redirect_uri doubled",
    "RFC 6749 3.2",
    { redirect_uri: ["https://app.example/callback", "https://app.example/callback"] },
    "invalid_request",
  ],
  ["redirect_uri of another", "RFC 6749 4.1.3", { redirect_uri: "https://evil.example/" }, "invalid_grant"],
  ["redirect_uri oversized", "RFC 6749 4.1.3", { redirect_uri: OVERSIZED }, "invalid_grant"],
  ["refresh_token doubled, though unused", "RFC 6749 3.2", { refresh_token: [TOKEN, TOKEN] }, "invalid_request"],
];

const OF_A_REFRESH: readonly Case[] = [
  ["refresh_token missing", "RFC 6749 6", { refresh_token: absent }, "invalid_request"],
  ["refresh_token empty", "RFC 6749 3.2", { refresh_token: "" }, "invalid_request"],
  ["refresh_token doubled", "RFC 6749 3.2", { refresh_token: [TOKEN, TOKEN] }, "invalid_request"],
  ["refresh_token with other letters", "RFC 6749 A.17", { refresh_token: "töken" }, "invalid_request"],
  ["refresh_token guessed", "RFC 6749 10.4", { refresh_token: TOKEN }, "invalid_grant"],
  ["refresh_token oversized", "RFC 6749 5.2", { refresh_token: OVERSIZED }, "invalid_grant"],
  ["client_id missing", "RFC 6749 6", { client_id: absent }, "invalid_request"],
  ["client_id empty", "RFC 6749 3.2", { client_id: "" }, "invalid_request"],
  ["scope doubled", "RFC 6749 3.2", { scope: ["read_entities", "read_entities"] }, "invalid_request"],
  ["scope malformed", "RFC 6749 3.3", { scope: 'read_entities "' }, "invalid_scope"],
  ["scope oversized", "RFC 6749 3.3", { scope: OVERSIZED }, "invalid_scope"],
  ["scope unknown, and no other", "RFC 6749 6", { scope: "admin profile" }, "invalid_scope"],
];

/** Bodies that are no valid JSON request, made from one. */
const BODIES: readonly { readonly attack: string; readonly change: (json: string) => string }[] = [
  { attack: "broken off", change: (json) => json.slice(0, -1) },
  { attack: "an array", change: (json) => `[${json}]` },
  { attack: "a string", change: (json) => JSON.stringify(json) },
  { attack: "null", change: () => "null" },
  { attack: "empty", change: () => "" },
  { attack: "with a number", change: (json) => json.replace("{", '{"extra":1,') },
  { attack: "with null", change: (json) => json.replace("{", '{"scope":null,') },
  { attack: "with an object", change: (json) => json.replace("{", '{"scope":{},') },
  { attack: "with a list", change: (json) => json.replace("{", '{"scope":["read_entities"],') },
  { attack: "with half of a character", change: (json) => json.replace("{", '{"scope":"\\ud800",') },
  {
    attack: "with a name twice",
    change: (json) => json.replace("{", '{"client_id":"99999999-9999-4999-8999-999999999999",'),
  },
  { attack: "with a name twice, once encoded", change: (json) => json.replace("{", '{"\\u0063ode":"guessed",') },
  { attack: "with a name twice, the first no string", change: (json) => json.replace("{", '{"code":{},') },
  { attack: "above every bound", change: (json) => json.replace("{", `{"extra":"${"a".repeat(16_384)}",`) },
];

describeAuthWeb("a hostile token request", (web) => {
  let application: WebApplication;
  let user: WebUser;
  let refreshToken: string;
  let code: string;
  beforeAll(async () => {
    [application, user] = [await web().application(), await web().user()];
    refreshToken = (await application.tokens(user.browser)).refreshToken;
    code = await application.code(user.browser);
  });

  describe("for a code", () => {
    it.each([...OF_ANY_GRANT, ...OF_A_CODE])("is refused: %s (%s)", async (_, __, sent, error) => {
      const answer = await application.exchange(code, sent);
      expect(answer).toMatchObject({ status: statusOf(error), error });
      expect(answer.headers.has("www-authenticate")).toBe(false);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.body["error_description"]).toMatch(/^[ !#-[\]-~]+$/);
    });

    it.each(BODIES)("in JSON is refused: $attack (RFC 8259 4)", async ({ change }) => {
      const body = change(JSON.stringify(application.exchangeParameters(code)));
      const answer = await application.post("/oauth/token", body, { "content-type": "application/json" });
      expect([answer.status === 400 || answer.status === 413, answer.error]).toEqual([true, "invalid_request"]);
    });

    it.each(["multipart/form-data", "text/plain", "application/xml", ""])(
      "of the type %j is refused (RFC 6749 4.1.3)",
      async (type) => {
        const body = new URLSearchParams(application.exchangeParameters(code) as Record<string, string>);
        const answer = await application.post("/oauth/token", body.toString(), { "content-type": type });
        expect(answer).toMatchObject({ status: 415, error: "invalid_request" });
      },
    );

    it("is refused with a client secret (RFC 6749 2.3.1)", async () => {
      const headers = {
        authorization: `Basic ${Buffer.from(`${application.client.uuid}:secret`).toString("base64")}`,
        "content-type": "application/x-www-form-urlencoded",
      };
      const answer = await application.post("/oauth/token", "grant_type=authorization_code", headers);
      expect(answer).toMatchObject({ status: 401, error: "invalid_client" });
      expect(answer.headers.get("www-authenticate")).toMatch(/^Basic /);
    });

    it("is refused to a disabled client (RFC 6749 5.2)", async () => {
      const disabled = await web().application({ status: "disabled" });
      const sent = { client_id: disabled.client.uuid };
      expect(await application.exchange(code, sent)).toMatchObject({ status: 401, error: "invalid_client" });
      expect(await application.refresh(refreshToken, sent)).toMatchObject({ status: 401, error: "invalid_client" });
    });

    it("is not read from the query (RFC 6749 2.3.1)", async () => {
      const query = new URLSearchParams(application.exchangeParameters(code) as Record<string, string>);
      const answer = await application.post(`/oauth/token?${query}`, "a=b");
      expect(answer).toMatchObject({ status: 400, error: "invalid_request" });
      const get = await fetch(`${web().origin}/oauth/token?${query}`);
      expect(get.status).toBe(405);
    });

    it("of another client gets nothing for it (RFC 6749 4.1.3)", async () => {
      const other = await web().application();
      const sent = { client_id: other.client.uuid };
      expect(await application.exchange(code, sent)).toMatchObject({ status: 400, error: "invalid_grant" });
    });

    it.each(["refresh token", "access token"])("gets nothing for a %s (RFC 6749 5.2)", async (kind) => {
      const other = await application.tokens(user.browser);
      const token = kind === "refresh token" ? other.refreshToken : other.accessToken;
      expect(await application.exchange(token)).toMatchObject({ status: 400, error: "invalid_grant" });
      expect(await application.refresh(other.refreshToken)).toMatchObject({ status: 200 });
    });

    it("doesn't use the code up", async () => {
      tokensIn(await application.exchange(code));
    });
  });

  describe("for a refresh", () => {
    it.each([...OF_ANY_GRANT, ...OF_A_REFRESH])("is refused: %s (%s)", async (_, __, sent, error) => {
      const answer = await application.refresh(refreshToken, sent);
      expect(answer).toMatchObject({ status: statusOf(error), error });
      expect(answer.headers.has("www-authenticate")).toBe(false);
    });

    it("of another client gets nothing for it (RFC 6749 6)", async () => {
      const other = await web().application();
      expect(await other.refresh(refreshToken)).toMatchObject({ status: 400, error: "invalid_grant" });
    });

    it("gets nothing for a code, nor for an access token (RFC 6749 5.2)", async () => {
      const { accessToken } = await application.tokens(user.browser);
      for (const token of [await application.code(user.browser), accessToken]) {
        expect(await application.refresh(token)).toMatchObject({ status: 400, error: "invalid_grant" });
      }
    });

    it("doesn't use the refresh token up", async () => {
      tokensIn(await application.refresh(refreshToken));
    });
  });

  describe("for a revocation", () => {
    it.each<Case>([
      ["client_id malformed", "RFC 7009 2.2.1", { client_id: "portal" }, "invalid_client"],
      ["client_id unknown", "RFC 7009 2.2.1", { client_id: UUID }, "invalid_client"],
      ["client_id unknown, token too", "RFC 7009 2.1", { client_id: UUID, token: TOKEN }, "invalid_client"],
      ["client_id doubled", "RFC 6749 3.2", { client_id: [UUID, UUID] }, "invalid_request"],
      ["client_secret in the body", "RFC 6749 2.3.1", { client_secret: "s" }, "invalid_client"],
      ["token missing", "RFC 7009 2.1", { token: absent }, "invalid_request"],
    ])("is refused: %s (%s)", async (_, __, sent, error) => {
      const { accessToken, refreshToken: token } = await application.tokens(user.browser);
      const answer = await application.revoke(token, sent);
      expect(answer).toMatchObject({ status: statusOf(error), error });
      expect(answer.headers.has("www-authenticate")).toBe(false);
      expect(await application.userInfo(accessToken)).toMatchObject({ status: 200 });
    });
  });

  it("never lets a cache store a token (RFC 6749 5.1)", async () => {
    const answer = await application.exchange(await application.code(user.browser));
    expect(answer.headers.get("cache-control")).toBe("no-store");
    expect(answer.headers.get("pragma")).toBe("no-cache");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });
});

/** The status of an error (RFC 6749 section 5.2). */
function statusOf(error: string): number {
  return error === "invalid_client" ? 401 : 400;
}

function manyParameters(): SentParameters {
  return Object.fromEntries(Array.from({ length: 65 }, (_, index) => [`extra${index}`, "a"]));
}
