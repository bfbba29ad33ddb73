import { randomBytes, randomUUID } from "node:crypto";
import type { AuthenticationMethod } from "../base/authentication-method.ts";
import type { AuthContext } from "../base/context.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { Passkey } from "../passkeys/passkey.ts";
import { insertPasskey } from "../passkeys/passkeys-store.ts";
import { readSession, startSession } from "../sessions/sessions-store.ts";

type Accounts = Pick<AuthContext, "database" | "clock">;

/** Gives an account a passkey that no authenticator has. @returns its UUID */
export async function givePasskey({ database, clock }: Accounts, accountUuid: string): Promise<string> {
  const passkey: Passkey = {
    uuid: randomUUID(),
    accountUuid,
    credentialId: newOpaqueToken(),
    publicKey: new Uint8Array(randomBytes(77)),
    counter: 0,
    backupEligible: false,
    backedUp: false,
    transports: ["internal"],
    aaguid: "00000000-0000-0000-0000-000000000000",
    name: "Laptop",
    createdAtMs: clock(),
    lastUsedAtMs: undefined,
  };
  await database.write((transaction) => insertPasskey(transaction, passkey));
  return passkey.uuid;
}

/** Starts a session as a sign-in now would, without its ceremony. @returns its token */
export async function sessionBy(
  { database, clock }: Accounts,
  authenticatedBy: AuthenticationMethod,
  account: { readonly uuid: string; readonly email: string },
): Promise<string> {
  const token = newOpaqueToken();
  await database.write(async (transaction) => {
    if ((await readSession(transaction, token)) !== undefined) return;
    await startSession(transaction, { token, account, userAgent: "", authenticatedBy }, clock());
  });
  return token;
}
