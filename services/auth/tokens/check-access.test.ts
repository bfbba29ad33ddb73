import { create } from "@bufbuild/protobuf";
import { beforeEach, describe, expect, it } from "vitest";
import { ValidAccessSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { deleteAccountRow } from "../accounts/accounts-store.ts";
import { raiseTokenGeneration, updateClient } from "../applications/applications-store.ts";
import { consentStatement } from "../consents/consents-store.ts";
import type { Application } from "../testing/application.ts";
import { type AuthorizationClient, authorizationClient } from "../testing/authorization-client.ts";
import { openWatchedDatabase, type WatchedDatabase } from "../testing/watched-database.ts";

const SCOPES = ["read_entities", "sale_eligibility_check", "contact_email"];

describe("CheckAccess", () => {
  let database: WatchedDatabase;
  let auth: AuthorizationClient;
  let application: Application;
  let accessToken: string;
  let accountUuid: string;
  beforeEach(async () => {
    database = await openWatchedDatabase();
    auth = await authorizationClient({ database });
    application = await auth.application();
    accessToken = (await application.tokens(await auth.signIn())).accessToken;
    accountUuid = (await auth.authorization.introspectToken({ accessToken })).accountUuid;
  });

  const check = async (...accessTokens: string[]) =>
    (await auth.authorization.checkAccess({ accessTokens })).checks.map(({ access }) => access);
  const write: WatchedDatabase["write"] = (work) => database.write(work);

  it("says for whom and for what a token is valid, with the account behind it", async () => {
    const { uuid: clientUuid, saleUuid } = application.client;
    const expected = { accountUuid, email: "user@example.com", clientUuid, saleUuid, scopes: SCOPES };
    expect(await check(accessToken)).toEqual([create(ValidAccessSchema, expected)]);
  });

  it("checks a hundred tokens with one statement, each by itself and in their order", async () => {
    const other = (await application.tokens(await auth.signIn("other@example.com"))).accessToken;
    const before = database.statements;
    const checks = await check(other, "not.a.token", accessToken, `${accessToken}x`, ...Array(96).fill(accessToken));
    expect(database.statements - before).toBe(1);
    expect(checks.slice(0, 5).map((access) => access?.email)).toEqual([
      "other@example.com",
      undefined,
      "user@example.com",
      undefined,
      "user@example.com",
    ]);
    expect(checks).toHaveLength(100);
  });

  it("asks no database about tokens that were never issued", async () => {
    const before = database.statements;
    expect(await check("", "a.b.c")).toEqual([undefined, undefined]);
    expect(database.statements).toBe(before);
  });

  it("gives only the scopes of the token", async () => {
    const { refreshToken } = await application.tokens(await auth.signIn());
    const narrowed = await application.refresh(refreshToken, { scope: "sale_eligibility_check read_entities" });
    const token = narrowed.case === "tokens" ? narrowed.value.accessToken : "";
    expect((await check(token))[0]?.scopes).toEqual(SCOPES.slice(0, 2));
  });

  const consentTo = (granted: string[]) => {
    const key = { accountUuid, clientUuid: application.client.uuid };
    const { dialect } = database;
    return write((transaction) =>
      transaction.executeQuery(consentStatement(dialect, key, { granted, declined: [] }, 0n)),
    );
  };

  it("gives only scopes that the user still grants", async () => {
    await consentTo(SCOPES.slice(0, 2));
    expect((await check(accessToken))[0]?.scopes).toEqual(SCOPES.slice(0, 2));
  });

  it.each([
    ["has expired", async () => auth.context.time.advance(906_000)],
    ["was revoked", () => application.revoke(accessToken)],
    ["of a deleted account", () => write((transaction) => deleteAccountRow(transaction, accountUuid))],
    [
      "of a disabled client",
      () => write((transaction) => updateClient(transaction, { ...application.client, status: "disabled" })),
    ],
    [
      "of a client whose tokens were revoked",
      () => write((transaction) => raiseTokenGeneration(transaction, application.client.uuid)),
    ],
    ["whose user no longer grants what the client requires", () => consentTo(["read_entities"])],
  ])("refuses a token that %s", async (_, end) => {
    await end();
    expect(await check(accessToken)).toEqual([undefined]);
  });
});
