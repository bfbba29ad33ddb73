import { VERSION } from "../../../../common/platform/config/version.ts";
import { OutboundFault } from "../../../../common/platform/outbound/outbound-fault.ts";
import type { OutboundFetcher } from "../../../../common/platform/outbound/outbound-fetcher.ts";
import type { DueDelivery, StoredAttempt } from "../due-deliveries-store.ts";
import { nextAttemptMillis } from "../retry-schedule.ts";
import { signedHeaders } from "../webhook-secret.ts";
import type { EndpointSecrets } from "../wrapped-secrets-store.ts";

/** Bound of an answer's body, which nobody reads. */
const MAX_ANSWER_BYTES = 16 * 1_024;

export interface AttemptDependencies {
  readonly fetcher: Pick<OutboundFetcher, "send">;
  readonly secrets: EndpointSecrets;
  /** The time for the request and its answer, in milliseconds. */
  readonly timeoutMs: number;
}

/** An answer, or why there is none. */
type Outcome = { readonly httpStatus: number } | { readonly failure: string };

/**
 * Sends a delivery once.
 *
 * @returns what is to be stored of the attempt
 * @throws the signal's reason once that is aborted
 */
export async function attemptDelivery(
  dependencies: AttemptDependencies,
  due: DueDelivery,
  nowMillis: bigint,
  signal: AbortSignal,
): Promise<StoredAttempt> {
  const outcome = await send(dependencies, due, nowMillis, signal);
  const { httpStatus, failure } = { httpStatus: undefined, failure: undefined, ...outcome };
  const attempt = { atMillis: nowMillis, httpStatus, failure };
  if (httpStatus !== undefined && httpStatus >= 200 && httpStatus < 300) return { ...attempt, status: "delivered" };
  const next = nextAttemptMillis(nowMillis, due.attempts + 1, due.giveUpAtMillis);
  return { ...attempt, status: next === undefined ? "given_up" : "pending", nextAttemptMillis: next };
}

async function send(
  { fetcher, secrets, timeoutMs }: AttemptDependencies,
  { endpointUuid, eventUuid, url, body, secrets: wrapped }: DueDelivery,
  sentAtMillis: bigint,
  signal: AbortSignal,
): Promise<Outcome> {
  const opened = wrapped.map((secret) => secrets.unwrap(endpointUuid, secret));
  const usable = opened.filter((secret) => secret !== undefined);
  if (opened[0] === undefined) return { failure: "its secret can’t be opened here: replace the secret" };
  const headers = {
    "content-type": "application/json",
    "user-agent": `Tidemark-Webhooks/${VERSION}`,
    ...signedHeaders({ eventUuid, sentAtMillis, body }, usable),
  };
  const bounds = { maxBytes: MAX_ANSWER_BYTES, deadlineMs: timeoutMs };
  try {
    const { status } = await fetcher.send({ method: "POST", url, headers, body, ...bounds }, signal);
    return { httpStatus: status };
  } catch (error) {
    if (error instanceof OutboundFault) return { failure: error.message };
    throw error;
  }
}
