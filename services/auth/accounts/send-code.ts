import { macOf } from "../base/derived-keys.ts";
import { countSend, uncountSend } from "../base/mail-counts-store.ts";
import { newOpaqueToken } from "../base/opaque-token.ts";
import type { MailContent } from "../mail/mailer.ts";
import type { AccountDependencies } from "./dependencies.ts";
import { newOneTimeCode } from "./one-time-code.ts";
import { insertSignIn, type NewSignIn } from "./sign-ins-store.ts";

export interface SentCode {
  readonly signInHandle: string;
  readonly expiresAtMs: bigint;
}

/**
 * Sends a one-time code. Nothing here depends on whether the address is known, so that neither answer nor time tells.
 *
 * @param mailOf the mail with a code.
 * @throws ServiceError `resource_exhausted` with `retryAfterSeconds` where the address got too many; `unavailable` where
 *   the mail can't be sent, which doesn't count then.
 */
export async function sendCode(
  dependencies: AccountDependencies,
  signIn: Omit<NewSignIn, "handle" | "code">,
  mailOf: (code: string) => MailContent,
): Promise<SentCode> {
  const { database, clock, derivedKeys, mailer } = dependencies;
  const nowMs = clock();
  const counter = macOf(derivedKeys.counters, "mail", signIn.email);
  await countSend(database, counter, nowMs);
  try {
    const [signInHandle, code] = [newOpaqueToken(), newOneTimeCode()];
    const kept = { ...signIn, handle: signInHandle, code };
    const expiresAtMs = await insertSignIn(database, derivedKeys.oneTimeCode, kept, nowMs);
    await mailer.send({ ...mailOf(code), to: signIn.email });
    return { signInHandle, expiresAtMs };
  } catch (error) {
    await uncountFailedSend(dependencies, counter, nowMs);
    throw error;
  }
}

async function uncountFailedSend(
  { database, logger }: AccountDependencies,
  counter: Buffer,
  countedAtMs: bigint,
): Promise<void> {
  await uncountSend(database, counter, countedAtMs).catch((error: unknown) =>
    logger.warn({ err: error }, "a mail that wasn't sent stays counted"),
  );
}
