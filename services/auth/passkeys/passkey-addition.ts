import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import {
  type AccountService,
  type CompletePasskeyAdditionRequest,
  PasskeyResult,
} from "../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import { lockAccount } from "../accounts/accounts-store.ts";
import { recordEvent } from "../audit/audit-store.ts";
import type { AuthContext } from "../base/context.ts";
import type { AuthDatabase } from "../base/schema.ts";
import { browserOf } from "../mail/browser-name.ts";
import { notify } from "../mail/notify.ts";
import { requirePasskeySession, requireRecentPasskeySession } from "../sessions/passkey-session.ts";
import { requireUnended, sessionEnded } from "../sessions/require-session.ts";
import type { Session } from "../sessions/session.ts";
import { newChallenge } from "./challenges-store.ts";
import { parseRegistration, transportsOf } from "./credential.ts";
import { defaultPasskeyName, MAX_PASSKEYS, type Passkey, parsePasskeyName } from "./passkey.ts";
import { passkeyMessage } from "./passkey-message.ts";
import { passkeyAddedNotice } from "./passkey-notice.ts";
import { type RefusalReason, refusalResult } from "./passkey-outcome.ts";
import { ensureUserHandle, findPasskey, insertPasskey, listPasskeys } from "./passkeys-store.ts";
import { additionQuestion } from "./question.ts";
import { relyingPartyOf } from "./relying-party.ts";
import { recordRefusedAnswer, takeAnswer } from "./take-answer.ts";
import { type NewCredential, verifyRegistration } from "./verify-answer.ts";

export function beginPasskeyAddition(context: AuthContext): ServiceImpl<typeof AccountService>["beginPasskeyAddition"] {
  const { database, clock, rateLimits, issuer } = context;
  return async ({ sessionToken, browserToken }) => {
    const { accountUuid, email } = await requireRecentPasskeySession(context, sessionToken);
    await rateLimits.take("passkey_account", accountUuid);
    const passkeys = await database.read((query) => listPasskeys(query, accountUuid));
    if (passkeys.length >= MAX_PASSKEYS) throw tooManyPasskeys();
    const userHandle = await database.write((transaction) => ensureUserHandle(transaction, accountUuid));
    if (userHandle === undefined) throw sessionEnded();
    const challenge = await newChallenge(database, { browserToken, purpose: "add", accountUuid }, clock());
    return { optionsJson: additionQuestion(challenge, relyingPartyOf(issuer), { email, userHandle, passkeys }) };
  };
}

function tooManyPasskeys(): ServiceError {
  return new ServiceError("failed_precondition", `an account has at most ${MAX_PASSKEYS} passkeys; remove one first`);
}

export function completePasskeyAddition(
  context: AuthContext,
): ServiceImpl<typeof AccountService>["completePasskeyAddition"] {
  const { rateLimits } = context;
  return async (request) => {
    const session = await requireRecentPasskeySession(context, request.sessionToken);
    const { accountUuid, email } = session;
    await rateLimits.take("change_account", accountUuid);
    const browser = browserOf(request.peer);
    const name = request.name.trim() === "" ? defaultPasskeyName(browser) : parsePasskeyName(request.name);
    const added = await addPasskey(context, request, { session, name });
    if ("reason" in added) {
      const { reason } = added;
      const address = request.peer?.address ?? "";
      await recordRefusedAnswer(context, { purpose: "add", reason, address, accountUuid });
      return { result: refusalResult(reason) };
    }
    void notify(context, [email], passkeyAddedNotice(name, browser));
    return { result: PasskeyResult.ACCEPTED, passkey: passkeyMessage(added) };
  };
}

interface Refused {
  readonly reason: RefusalReason;
}

/** The name of a new passkey, and the session in which it is added. */
interface NamedAddition {
  readonly session: Session;
  readonly name: string;
}

async function addPasskey(
  context: AuthContext,
  request: CompletePasskeyAdditionRequest,
  { session, name }: NamedAddition,
): Promise<Passkey | Refused> {
  const { database, clock } = context;
  const { accountUuid } = session;
  const credential = await newCredential(context, request, accountUuid);
  if ("reason" in credential) return credential;
  const transports = transportsOf(request.credentialJson);
  const times = { createdAtMs: clock(), lastUsedAtMs: undefined };
  const passkey = { ...credential, accountUuid, name, ...times, uuid: randomUUID(), transports };
  return (await storePasskey(database, passkey, session, request.peer?.address ?? "")) ?? passkey;
}

async function newCredential(
  { database, clock, issuer }: AuthContext,
  { credentialJson, browserToken }: CompletePasskeyAdditionRequest,
  accountUuid: string,
): Promise<NewCredential | Refused> {
  const response = parseRegistration(credentialJson);
  if (response === undefined) return { reason: "malformed" };
  const relyingParty = relyingPartyOf(issuer);
  const use = { browserToken, purpose: "add", accountUuid } as const;
  const taken = await takeAnswer(database, response.response.clientDataJSON, use, relyingParty, clock());
  if ("reason" in taken) return taken;
  return (await verifyRegistration(response, { ...taken, relyingParty })) ?? { reason: "verification" };
}

/**
 * Inserts a passkey, unless the account has too many. If it runs again after a commit whose outcome was lost, it finds what it
 * has stored.
 *
 * @throws ServiceError `failed_precondition` where the account has a passkey by now, and the session began with a code;
 *   `unauthenticated` where the session has ended meanwhile
 */
async function storePasskey(
  database: AuthDatabase,
  passkey: Passkey,
  session: Session,
  address: string,
): Promise<Refused | undefined> {
  const { accountUuid, uuid, createdAtMs } = passkey;
  try {
    return await database.write(async (transaction) => {
      if (!(await lockAccount(transaction, database.dialect, accountUuid))) return { reason: "question_over" as const };
      await requireUnended(transaction, session);
      await requirePasskeySession(transaction, session);
      const others = await listPasskeys(transaction, accountUuid);
      if (others.length >= MAX_PASSKEYS) return { reason: "too_many" as const };
      await insertPasskey(transaction, passkey);
      const details = { passkey: uuid, aaguid: passkey.aaguid, address };
      await recordEvent(transaction, { event: "passkey.added", accountUuid, details }, createdAtMs);
      return undefined;
    });
  } catch (error) {
    if (!database.dialect.isDuplicateKey(error)) throw error;
    const stored = await database.read((query) => findPasskey(query, passkey.credentialId));
    return stored?.uuid === uuid ? undefined : { reason: "already_added" };
  }
}
