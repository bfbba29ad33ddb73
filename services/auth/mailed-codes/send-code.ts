import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import type { AuthContext } from "../base/context.ts";
import type { MailContent } from "../base/mailer.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import { signInState } from "./begun-sign-in.ts";
import { countSend, type SendCounter, uncountSend } from "./mail-counts-store.ts";
import { newOneTimeCode } from "./one-time-code.ts";
import {
  deleteSignIn,
  insertSignIn,
  type NewSignIn,
  ofOneBrowser,
  readBegun,
  type SignInKind,
} from "./sign-ins-store.ts";

export interface SentCode {
  readonly signInHandle: string;
  readonly expiresAtMs: bigint;
}

/** A code to send. */
export interface CodeToSend {
  readonly signIn: SignInKind;
  /** Makes the mail with a code. */
  readonly mailOf: (code: string, askedAtMs: bigint) => MailContent;
}

/** Facts about the browser that asks for a code. Each gives an allowance that no stranger can use up. */
export interface AskerTraits {
  /** Whether the browser has signed in to the address before. */
  readonly isKnownBrowser: boolean;
  /** Whether somebody has signed in to the address from the same network. */
  readonly isKnownNetwork: boolean;
}

/**
 * Sends a one-time code, under the allowance that all share; nothing while the browser has to wait for the next one, and then
 * the codes before it complete the sign-in.
 *
 * @throws ServiceError `resource_exhausted` with `retryAfterSeconds` where the address was sent too many; `unavailable`
 *   where the mail can't be sent, which then doesn't count.
 */
export async function sendCode(context: AuthContext, code: CodeToSend): Promise<SentCode> {
  const { database, clock } = context;
  return send(context, code, async () => {
    const decision = await countSend(database, strangersOf(context, code.signIn.email), [], clock());
    if (decision.counted === undefined) throw tooManySends(decision.retryAfterSeconds);
    return decision.counted;
  });
}

/**
 * Does the same for somebody who says to own the address. It never reveals whether the address has an account, whether it
 * was signed in to from this browser or network, nor which allowance applies: where none has room, the answer and its time
 * are those of a code that was sent.
 *
 * @throws ServiceError `unavailable`
 */
export async function sendSignInCode(
  context: AuthContext,
  code: CodeToSend,
  { isKnownBrowser, isKnownNetwork }: AskerTraits,
): Promise<SentCode> {
  const { database, clock } = context;
  const { email } = code.signIn;
  const knownAllowances = [
    { key: counterKey(context, "mail known browser", email), isAllowed: isKnownBrowser },
    { key: counterKey(context, "mail known network", email), isAllowed: isKnownNetwork },
  ];
  return send(context, code, async () => {
    const { counted } = await countSend(database, strangersOf(context, email), knownAllowances, clock());
    return counted;
  });
}

/** A sign-in that was stored. */
interface Begun extends SentCode {
  readonly askedAtMs: bigint;
  /** The counter under which its mail counts; undefined where none is sent. */
  readonly counter?: SendCounter;
  /** Sends its mail, or imitates that. */
  readonly deliver?: () => Promise<void>;
}

/** @param count counts a mail; returns undefined where no allowance has room, and then the send is imitated */
async function send(
  context: AuthContext,
  code: CodeToSend,
  count: () => Promise<SendCounter | undefined>,
): Promise<SentCode> {
  // Requests of one browser wait for each other, so that the second of two finds what the first has stored.
  const begun = await ofOneBrowser(context.database, code.signIn.browserToken, () => begin(context, code, count));
  try {
    await begun.deliver?.();
  } catch (error) {
    await undo(context, begun);
    throw error;
  }
  return begun;
}

async function begin(
  context: AuthContext,
  { signIn, mailOf }: CodeToSend,
  count: () => Promise<SendCounter | undefined>,
): Promise<Begun> {
  const { database, clock, mailer, sendPace } = context;
  const begun = await database.read((query) => readBegun(query, signIn));
  const { nextSendAtMs } = signInState(begun, clock());
  if (nextSendAtMs > clock()) return insert(context, { ...signIn, code: undefined, hasCode: false });
  const counter = await count();
  if (counter === undefined) {
    const withheld = await insert(context, { ...signIn, code: undefined, hasCode: true });
    return { ...withheld, deliver: () => sendPace.imitate() };
  }
  const code = newOneTimeCode();
  const sent = await insert(context, { ...signIn, code, hasCode: true }, counter);
  const mail = { ...mailOf(code, sent.askedAtMs), to: signIn.email };
  return { ...sent, counter, deliver: () => sendPace.send(() => mailer.send(mail)) };
}

async function insert(
  context: AuthContext,
  signIn: Omit<NewSignIn, "handle">,
  counter?: SendCounter,
): Promise<Omit<Begun, "deliver">> {
  const { database, clock, derivedKeys } = context;
  const [signInHandle, askedAtMs] = [newOpaqueToken(), clock()];
  try {
    const started = { ...signIn, handle: signInHandle };
    const expiresAtMs = await insertSignIn(database, derivedKeys.oneTimeCode, started, askedAtMs);
    return { signInHandle, expiresAtMs, askedAtMs };
  } catch (error) {
    if (counter !== undefined) await uncount(context, counter, askedAtMs);
    throw error;
  }
}

/** Forgets a sign-in whose mail couldn't be sent, so that the next attempt needs no wait. */
async function undo(context: AuthContext, { signInHandle, counter, askedAtMs }: Begun): Promise<void> {
  const { database, logger } = context;
  if (counter !== undefined) await uncount(context, counter, askedAtMs);
  await deleteSignIn(database, signInHandle).catch((error: unknown) =>
    logger.warn({ err: error }, "a sign-in whose mail wasn't sent stays stored"),
  );
}

function strangersOf(context: AuthContext, email: string): SendCounter {
  return { key: counterKey(context, "mail", email), isAllowed: true };
}

function counterKey({ derivedKeys }: AuthContext, name: string, email: string): Buffer {
  return macOf(derivedKeys.counters, name, email);
}

function tooManySends(retryAfterSeconds: number): ServiceError {
  const message = "too many codes were sent to this address; use the last one, or try again later";
  return new ServiceError("resource_exhausted", message, { retryAfterSeconds });
}

async function uncount({ database, logger }: AuthContext, counter: SendCounter, countedAtMs: bigint): Promise<void> {
  await uncountSend(database, counter, countedAtMs).catch((error: unknown) =>
    logger.warn({ err: error }, "a mail that wasn't sent stays counted"),
  );
}
