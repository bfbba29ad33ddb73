import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { decodeJwt, errors } from "jose";
import { ConfigError } from "../../config/config-error.ts";

/** A token file that something else creates and renews, such as Kubernetes' kubelet. */
export interface CallerTokenFile {
  /** A file that holds a JWT. It may be replaced at any time. */
  readonly tokenFile: string;
}

/** The token that a process sends with its calls. */
export interface CallerTokenSource {
  /** @throws ConnectError `unavailable` if there is none */
  current(): Promise<string>;
  /** Returns the token instead of one that was refused; the same one if there is no other. */
  instead(refused: string): Promise<string>;
}

interface HeldToken {
  readonly text: string;
  readonly expiresAtMs: number;
}

/** The time after which the file is read again, as it may have been replaced. */
const REREAD_MS = 30_000;
/** The time after a read that failed. */
const RETRY_MS = 1_000;

/** Checks the file at the start. @throws ConfigError if it has no token, or an expired one */
export function checkCallerTokenFile(variable: string, { tokenFile }: CallerTokenFile): void {
  try {
    if (Date.now() < heldToken(readFileSync(tokenFile, "utf8")).expiresAtMs) return;
  } catch (error) {
    const isFault = error instanceof Error && "code" in error && !(error instanceof errors.JOSEError);
    const reason = isFault ? `gives ${error.code}` : "holds no JWT";
    throw new ConfigError(variable, `expected a token in each file, ${JSON.stringify(tokenFile)} ${reason}`);
  }
  throw new ConfigError(variable, `expected a valid token, that of ${JSON.stringify(tokenFile)} has expired`);
}

/**
 * Gives the file's token. The file is read again every half a minute, and when its token was refused. If it can't be read, or
 * has no token, the last one is used: the called service judges its times, as this process's clock may be wrong.
 *
 * @param now a monotonic clock in milliseconds
 */
export function callerTokenFileSource(
  { tokenFile }: CallerTokenFile,
  now = () => performance.now(),
): CallerTokenSource {
  let held: string | undefined;
  let failure: unknown;
  let dueAtMs = Number.NEGATIVE_INFINITY;
  let reading: Promise<void> | undefined;
  const read = async () => {
    try {
      held = heldToken(await readFile(tokenFile, "utf8")).text;
      failure = undefined;
    } catch (error) {
      failure = error;
    }
    dueAtMs = now() + (failure === undefined ? REREAD_MS : RETRY_MS);
    reading = undefined;
  };
  const readToken = async () => {
    await reading;
    if (held !== undefined) return held;
    const message = `there is no caller token in ${tokenFile}`;
    throw new ConnectError(message, Code.Unavailable, undefined, undefined, failure);
  };
  return {
    current: () => {
      if (now() >= dueAtMs) reading ??= read();
      return readToken();
    },
    instead: (refused) => {
      if (held === refused) reading ??= read();
      return readToken();
    },
  };
}

/** @throws Error if it is no JWT */
function heldToken(content: string): HeldToken {
  const text = content.trim();
  const { exp = Number.POSITIVE_INFINITY } = decodeJwt(text);
  return { text, expiresAtMs: exp * 1_000 };
}
