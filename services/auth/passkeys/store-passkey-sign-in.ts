import type { Transaction } from "kysely";
import type { CompletePasskeySignInRequest } from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { findAccount, lockAccount } from "../accounts/accounts-store.ts";
import { findSignedIn, type SignedIn, startBrowserSession } from "../accounts/browser-session.ts";
import type { AuthContext } from "../base/context.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { AuthSchema } from "../base/schema.ts";
import { networkMac } from "../mailed-codes/known-networks-store.ts";
import { stopRecoveryBySignIn } from "../recovery/stop-recovery.ts";
import type { Passkey } from "./passkey.ts";
import { findPasskey, usePasskey } from "./passkeys-store.ts";
import type { SignedState } from "./verify-answer.ts";

/** A sign-in with a passkey, with the secret of its session. */
export interface PasskeySignIn extends SignedIn {
  readonly token: string;
  /** Whether it has stopped a recovery: not all passkeys are lost. */
  readonly recoveryStopped: boolean;
}

/**
 * Stores the use of a passkey, ends the browser's previous session and starts a new one. If it runs again after a commit whose
 * outcome was lost, it finds what it has stored.
 *
 * @returns `copy_suspected` where the counter hasn't risen; `unknown` where the passkey was removed meanwhile
 */
export async function storePasskeySignIn(
  { database, clock, derivedKeys }: AuthContext,
  { accountUuid, credentialId }: Pick<Passkey, "accountUuid" | "credentialId">,
  { counter, backedUp }: Pick<SignedState, "counter" | "backedUp">,
  { previousSessionToken: previousToken, peer }: Pick<CompletePasskeySignInRequest, "previousSessionToken" | "peer">,
): Promise<PasskeySignIn | "copy_suspected" | "unknown"> {
  const { dialect } = database;
  const [nowMs, token, address] = [clock(), newOpaqueToken(), peer?.address ?? ""];
  const proven = {
    authenticatedBy: "passkey" as const,
    token,
    previousToken,
    userAgent: peer?.userAgent ?? "",
    address,
  };
  let recoveryStopped = false;
  const outcome = await database.write(async (transaction) => {
    const account = await lockedAccount(transaction, accountUuid, dialect);
    if (account === undefined) return "unknown";
    const stored = await findSignedIn(transaction, token);
    if (stored !== undefined) return stored;
    if (!(await usePasskey(transaction, { credentialId, counter, backedUp }, nowMs))) {
      return (await findPasskey(transaction, credentialId)) === undefined ? "unknown" : "copy_suspected";
    }
    const network = address === "" ? undefined : networkMac(derivedKeys.counters, account.email, address);
    recoveryStopped = await stopRecoveryBySignIn(transaction, accountUuid, address, nowMs);
    return startBrowserSession(transaction, dialect, { ...proven, account, network }, nowMs);
  });
  return typeof outcome === "string" ? outcome : { ...outcome, token, recoveryStopped };
}

/** Locks the account, so that a concurrent deletion doesn't miss the new session. */
async function lockedAccount(
  transaction: Transaction<AuthSchema>,
  accountUuid: string,
  dialect: AuthContext["database"]["dialect"],
) {
  return (await lockAccount(transaction, dialect, accountUuid)) ? findAccount(transaction, accountUuid) : undefined;
}
