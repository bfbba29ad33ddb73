import { expect, it } from "vitest";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { insertSignIn } from "../mailed-codes/sign-ins-store.ts";
import { openAuthDatabase } from "../testing/auth-database.ts";
import { openWatchedDatabase } from "../testing/watched-database.ts";
import { storeEmailChange } from "./email-change.ts";
import { storeSignIn } from "./sign-in.ts";

const NOW = 1_800_000_000_000n;

async function begun(database: AuthDatabase, email: string, accountUuid?: string) {
  const handle = newOpaqueToken();
  const signIn = { handle, browserToken: newOpaqueToken(), email, code: "BCDFGHJK", hasCode: true };
  const purpose =
    accountUuid === undefined ? ({ purpose: "sign_in" } as const) : ({ purpose: "email_change", accountUuid } as const);
  await insertSignIn(database, Buffer.alloc(32), { ...signIn, ...purpose }, NOW);
  return handle;
}

const BROWSER = { userAgent: "", address: "", network: Buffer.alloc(32, 1) };

const signIn = async (database: AuthDatabase, handle: string, token = newOpaqueToken()) =>
  storeSignIn(database, { handle, email: "a@example.com", token, previousToken: "", ...BROWSER }, NOW);

it("a sign-in whose transaction runs again after its commit is stored once", async () => {
  const database = await openWatchedDatabase();
  database.losesNextCommit = true;
  const handle = await begun(database, "a@example.com");
  expect(await database.query.selectFrom("sign_in").select("sign_in").execute()).toHaveLength(1);
  expect((await signIn(database, handle))?.account.email).toBe("a@example.com");
});

it("a completion that runs again after its commit finds its session; another call finds the code used up", async () => {
  const database = await openAuthDatabase();
  const handle = await begun(database, "a@example.com");
  const token = newOpaqueToken();
  const first = await signIn(database, handle, token);
  expect(first?.account.email).toBe("a@example.com");
  expect(await signIn(database, handle, token)).toEqual(first);
  expect(await signIn(database, handle)).toBeUndefined();
  expect(await database.query.selectFrom("session").select("session").execute()).toHaveLength(1);
});

it("a change of the address that runs again after its commit finds the changed account", async () => {
  const database = await openAuthDatabase();
  const signedIn = await signIn(database, await begun(database, "a@example.com"));
  const accountUuid = signedIn?.account.uuid ?? "";
  const handle = await begun(database, "b@example.com", accountUuid);
  const session = { accountUuid, uuid: signedIn?.session?.uuid ?? "", authenticatedBy: "code" } as const;
  const proven = { handle, session, endTokens: false, ...BROWSER };
  const change = (email: string) => storeEmailChange(database, { ...proven, email }, NOW);
  const changed = await change("b@example.com");
  expect(changed).toMatchObject({ uuid: accountUuid, email: "b@example.com" });
  expect(await change("b@example.com")).toEqual(changed);
  expect(await change("c@example.com")).toBeUndefined();
});
