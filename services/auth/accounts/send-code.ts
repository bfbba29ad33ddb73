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
 * Sends a one-time code. It does the same whether or not the address has an account, so that neither the response nor its
 * time reveals that.
 *
 * @param mailOf makes the mail with a code.
 * @throws ServiceError `resource_exhausted` with `retryAfterSeconds` where the address was sent too many; `unavailable`
 *   where the mail can't be sent, which then doesn't count.
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
    const started = { ...signIn, handle: signInHandle, code };
    const expiresAtMs = await insertSignIn(database, derivedKeys.oneTimeCode, started, nowMs);
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
