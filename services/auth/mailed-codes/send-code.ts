import { outsideOfCalls } from "../../../common/platform/concurrency/call-signal.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import type { AuthContext } from "../base/context.ts";
import type { MailContent } from "../base/mailer.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import { signInState } from "./begun-sign-in.ts";
import { countSend, type SendCounter, uncountSend } from "./mail-counts-store.ts";
import { newOneTimeCode } from "./one-time-code.ts";
import { insertSignIn, type NewSignIn, readBegun, type SignInKind, sendAlone } from "./sign-ins-store.ts";

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
  const { database } = context;
  return send(context, code, async (nowMs) => {
    const decision = await countSend(database, strangersOf(context, code.signIn.email), [], nowMs);
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
  const { database } = context;
  const { email } = code.signIn;
  const knownAllowances = [
    { key: counterKey(context, "mail known browser", email), isAllowed: isKnownBrowser },
    { key: counterKey(context, "mail known network", email), isAllowed: isKnownNetwork },
  ];
  return send(context, code, async (nowMs) => {
    const { counted } = await countSend(database, strangersOf(context, email), knownAllowances, nowMs);
    return counted;
  });
}

/** Counts a mail; returns undefined where no allowance has room, and then the send is imitated. */
type CountSend = (nowMs: bigint) => Promise<SendCounter | undefined>;

async function send(context: AuthContext, code: CodeToSend, count: CountSend): Promise<SentCode> {
  // The second of two requests of a browser finds what the first has stored.
  return sendAlone(context.database, code.signIn.browserToken, () => begin(context, code, count));
}

/**
 * A code is stored once its mail is on its way: what is stored makes its browser wait, so a process that ends between the two
 * must leave a mail too many, never a wait for a mail that nobody sent. A call that ends meanwhile leaves neither: what follows
 * a mail is stored outside of it, and what follows an imitated one as well, so that nobody can tell them apart.
 */
async function begin(context: AuthContext, { signIn, mailOf }: CodeToSend, count: CountSend): Promise<SentCode> {
  const { database, clock, mailer, sendPace } = context;
  const begun = await database.read((query) => readBegun(query, signIn));
  const askedAtMs = clock();
  const { nextSendAtMs } = signInState(begun, askedAtMs);
  if (nextSendAtMs > askedAtMs) return insert(context, { ...signIn, code: undefined, hasCode: false }, askedAtMs);
  const counter = await count(askedAtMs);
  if (counter === undefined) {
    await sendPace.imitate();
    return insert(context, { ...signIn, code: undefined, hasCode: true }, askedAtMs);
  }
  const code = newOneTimeCode();
  try {
    await sendPace.send(() => mailer.send({ ...mailOf(code, askedAtMs), to: signIn.email }));
  } catch (error) {
    await outsideOfCalls(() => uncount(context, counter, askedAtMs));
    throw error;
  }
  return insert(context, { ...signIn, code, hasCode: true }, askedAtMs);
}

async function insert(
  { database, derivedKeys }: AuthContext,
  signIn: Omit<NewSignIn, "handle">,
  askedAtMs: bigint,
): Promise<SentCode> {
  const signInHandle = newOpaqueToken();
  const started = { ...signIn, handle: signInHandle };
  const store = () => insertSignIn(database, derivedKeys.oneTimeCode, started, askedAtMs);
  const expiresAtMs = await outsideOfCalls(store);
  return { signInHandle, expiresAtMs };
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
