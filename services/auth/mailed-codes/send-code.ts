import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { macOf } from "../../../common/platform/secrets/mac.ts";
import type { AuthContext } from "../base/context.ts";
import type { MailContent } from "../base/mailer.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import { countSend, type SendCounter, uncountSend } from "./mail-counts-store.ts";
import { newOneTimeCode } from "./one-time-code.ts";
import { insertSignIn, type NewSignIn } from "./sign-ins-store.ts";

export interface SentCode {
  readonly signInHandle: string;
  readonly expiresAtMs: bigint;
}

/** A code to send. */
export interface CodeToSend {
  readonly signIn: Omit<NewSignIn, "handle" | "code">;
  /** Makes the mail with a code. */
  readonly mailOf: (code: string) => MailContent;
}

/** Facts about the browser that asks for a code. Each gives an allowance that no stranger can use up. */
export interface AskerTraits {
  /** Whether the browser has signed in to the address before. */
  readonly isKnownBrowser: boolean;
  /** Whether somebody has signed in to the address from the same network. */
  readonly isKnownNetwork: boolean;
}

/**
 * Sends a one-time code, under the allowance that all share.
 *
 * @throws ServiceError `resource_exhausted` with `retryAfterSeconds` where the address was sent too many; `unavailable`
 *   where the mail can't be sent, which then doesn't count.
 */
export async function sendCode(context: AuthContext, { signIn, mailOf }: CodeToSend): Promise<SentCode> {
  const { database, clock } = context;
  const decision = await countSend(database, strangersOf(context, signIn.email), [], clock());
  if (decision.counted === undefined) throw tooManySends(decision.retryAfterSeconds);
  return deliver(context, { signIn, mailOf }, decision.counted);
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
  const { counted } = await countSend(database, strangersOf(context, email), knownAllowances, clock());
  return counted === undefined ? imitateDelivery(context, code) : deliver(context, code, counted);
}

async function deliver(context: AuthContext, { signIn, mailOf }: CodeToSend, counter: SendCounter): Promise<SentCode> {
  const { database, clock, derivedKeys, mailer, sendPace } = context;
  const nowMs = clock();
  try {
    const [signInHandle, code] = [newOpaqueToken(), newOneTimeCode()];
    const started = { ...signIn, handle: signInHandle, code };
    const expiresAtMs = await insertSignIn(database, derivedKeys.oneTimeCode, started, nowMs);
    await sendPace.send(() => mailer.send({ ...mailOf(code), to: signIn.email }));
    return { signInHandle, expiresAtMs };
  } catch (error) {
    await uncountFailedSend(context, counter, nowMs);
    throw error;
  }
}

/** Begins a sign-in that no code completes. */
async function imitateDelivery(
  { database, clock, derivedKeys, sendPace }: AuthContext,
  { signIn }: CodeToSend,
): Promise<SentCode> {
  const signInHandle = newOpaqueToken();
  const started = { ...signIn, handle: signInHandle, code: undefined };
  const expiresAtMs = await insertSignIn(database, derivedKeys.oneTimeCode, started, clock());
  await sendPace.imitate();
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

async function uncountFailedSend(
  { database, logger }: AuthContext,
  counter: SendCounter,
  countedAtMs: bigint,
): Promise<void> {
  await uncountSend(database, counter, countedAtMs).catch((error: unknown) =>
    logger.warn({ err: error }, "a mail that wasn't sent stays counted"),
  );
}
