import { createHmac, randomUUID } from "node:crypto";
import { isPermitSignature, permitFormat } from "../../../common/chains/permit-encoding.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { BodyTooLarge, readAnswerBody } from "../../../common/platform/http/answer-body.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import { REMOTE_SIGNER_DEADLINE_MS } from "../base/lifetimes.ts";
import type { PermitSigner } from "../base/permit-signer.ts";

export interface RemoteSignerOptions {
  /** `PERMIT_SIGNER_URL`. */
  readonly url: string;
  /** `PERMIT_SIGNER_SECRET`: signs the requests. */
  readonly secret: Uint8Array;
  readonly clock: Clock;
  /** The time for one request; five seconds by default. In milliseconds. */
  readonly deadlineMs?: number;
}

/** Bound of an answer. */
const MAX_ANSWER_BYTES = 4_096;
const HEX = /^0x(?:[0-9a-fA-F]{2})+$/;

/**
 * Signs with keys that another server holds. It gets the whole encoded permit, so that it can apply rules of its own, and what
 * it returns is verified against the key's address before anybody sees it.
 */
export function remoteSigner(options: RemoteSignerOptions): PermitSigner {
  return {
    async createKey(keyUuid, kind) {
      const bytes = bytesOf(await send(options, "keys", { keyUuid, kind }), "address");
      if (bytes?.length !== permitFormat(kind).walletBytes) throw wrongAnswer("an address of another form");
      return { address: bytes, remote: true };
    },
    async sign({ uuid: keyUuid, kind, address }, encoded) {
      const request = { keyUuid, kind, address: `0x${hexOfBytes(address)}`, permit: `0x${hexOfBytes(encoded)}` };
      const signature = bytesOf(await send(options, "signatures", request), "signature");
      if (signature !== undefined && isPermitSignature(kind, address, encoded, signature)) return signature;
      throw wrongAnswer("a signature that isn't the key's");
    },
  };
}

async function send(options: RemoteSignerOptions, path: string, request: object): Promise<unknown> {
  try {
    const response = await postToSigner(options, path, request);
    const text = await textOf(response);
    if (response.status !== 200) throw wrongAnswer(`status ${response.status}`);
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof ServiceError) throw error;
    // Not the error's own message: that of `fetch` may contain the URL.
    throw new ServiceError("unavailable", "the remote signer of permits doesn't answer; retry", { cause: error });
  }
}

/** Sends a request with the proof of who asks. @throws the errors of `fetch`, whose message may contain the URL */
export function postToSigner(
  { url, secret, clock, deadlineMs = REMOTE_SIGNER_DEADLINE_MS }: RemoteSignerOptions,
  path: string,
  request: object,
): Promise<Response> {
  const body = JSON.stringify(request);
  const headers = signatureHeaders(secret, `msg_${randomUUID()}`, clock() / 1_000n, body);
  return fetch(`${url.replace(/\/$/, "")}/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", accept: "application/json", ...headers },
    body,
    redirect: "manual",
    signal: AbortSignal.timeout(deadlineMs),
  });
}

async function textOf({ body }: Response): Promise<string> {
  const bytes = await readAnswerBody(body, MAX_ANSWER_BYTES).catch((error: unknown) => {
    throw error instanceof BodyTooLarge ? wrongAnswer(error.message) : error;
  });
  return bytes.toString("utf8");
}

/** Reads a field of an answer: `0x` and hexadecimal digits. */
function bytesOf(answer: unknown, field: string): Uint8Array | undefined {
  const value =
    typeof answer === "object" && answer !== null
      ? Object.entries(answer).find(([name]) => name === field)?.[1]
      : undefined;
  if (typeof value !== "string" || !HEX.test(value)) return undefined;
  return Buffer.from(value.slice(2), "hex");
}

function wrongAnswer(what: string): ServiceError {
  return new ServiceError("unavailable", `the remote signer of permits answered with ${what}`);
}

/**
 * Returns the headers that prove who sends a request, by the rules of Standard Webhooks: an HMAC-SHA-256 over ID, time and
 * body.
 *
 * @param secret at least 24 bytes
 * @param id unique, so that the receiver can refuse a request that somebody sends again
 * @param nowSeconds Unix time
 */
function signatureHeaders(
  secret: Uint8Array,
  id: string,
  nowSeconds: bigint,
  body: string,
): Readonly<Record<string, string>> {
  const mac = createHmac("sha256", secret).update(`${id}.${nowSeconds}.${body}`).digest("base64");
  return { "webhook-id": id, "webhook-timestamp": String(nowSeconds), "webhook-signature": `v1,${mac}` };
}
