import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Code, ConnectError } from "@connectrpc/connect";
import { decodeJwt, errors } from "jose";
import { ConfigError } from "../../config/config-error.ts";

/** A token that somebody else makes and renews, such as Kubernetes' kubelet. */
export interface CallerTokenFile {
  /** A file that holds a JWT. It may be replaced at any time. */
  readonly tokenFile: string;
}

interface HeldToken {
  readonly text: string;
  readonly expiresAtMs: number;
}

/** A replaced file is seen within this time. */
const REREAD_MS = 30_000;
/** While there is no good token, it is looked for this often. */
const RETRY_MS = 1_000;

/** @throws ConfigError where the file holds no token that is good now */
export function checkCallerTokenFile(variable: string, { tokenFile }: CallerTokenFile): void {
  try {
    if (Date.now() < heldToken(readFileSync(tokenFile, "utf8")).expiresAtMs) return;
  } catch (error) {
    const isFault = error instanceof Error && "code" in error && !(error instanceof errors.JOSEError);
    const reason = isFault ? `gives ${error.code}` : "holds no JWT";
    throw new ConfigError(variable, `expected a token in each file, ${JSON.stringify(tokenFile)} ${reason}`);
  }
  throw new ConfigError(
    variable,
    `expected a token that is good now, that of ${JSON.stringify(tokenFile)} has expired`,
  );
}

/**
 * The file's token, read again every half a minute. Where it can't be read, or holds none, the last one goes on until
 * it expires.
 *
 * The source throws ConnectError `unavailable` where there is no good token.
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
    const message = `there is no good caller token in ${tokenFile}`;
    throw new ConnectError(message, Code.Unavailable, undefined, undefined, failure);
  };
}

/** @throws Error where it is no JWT. */
function heldToken(content: string): HeldToken {
  const text = content.trim();
  const { exp = Number.POSITIVE_INFINITY } = decodeJwt(text);
  return { text, expiresAtMs: exp * 1_000 };
}
