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

interface HeldToken {
  readonly text: string;
  readonly expiresAtMs: number;
}

/** The time after which the file is read again, as it may have been replaced. */
const REREAD_MS = 30_000;
/** The time between two reads while there is no valid token. */
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
 * Returns a function that gives the file's token. The file is read again every half a minute. If it can't be read, or has
 * no token, the last token is used until it expires.
 *
 * The function throws ConnectError `unavailable` if there is no valid token.
 */
export function callerTokenFileSource({ tokenFile }: CallerTokenFile): () => Promise<string> {
  let held: HeldToken | undefined;
  let failure: unknown;
  let dueAtMs = 0;
  let reading: Promise<void> | undefined;
  const read = async () => {
    try {
      held = heldToken(await readFile(tokenFile, "utf8"));
    } catch (error) {
      failure = error;
    }
    const nowMs = Date.now();
    const expiresAtMs = held?.expiresAtMs ?? 0;
    dueAtMs = nowMs < expiresAtMs ? Math.min(nowMs + REREAD_MS, expiresAtMs) : nowMs + RETRY_MS;
    reading = undefined;
  };
  return async () => {
    if (Date.now() >= dueAtMs) reading ??= read();
    await reading;
    if (held !== undefined && Date.now() < held.expiresAtMs) return held.text;
    const message = `there is no valid caller token in ${tokenFile}`;
    throw new ConnectError(message, Code.Unavailable, undefined, undefined, failure);
  };
}

/** @throws Error if it is no JWT */
function heldToken(content: string): HeldToken {
  const text = content.trim();
  const { exp = Number.POSITIVE_INFINITY } = decodeJwt(text);
  return { text, expiresAtMs: exp * 1_000 };
}
