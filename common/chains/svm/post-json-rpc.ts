import { SourceFault } from "../base/source-fault.ts";
import { isSuccess, type JsonRpcUrl, type PostAnswer, PostFailure } from "../nodes/json-rpc-url.ts";
import { CallTooLarge } from "./call-too-large.ts";
import { NodeFault } from "./node-fault.ts";

/** The faults for missing answers. */
const FAULTS: Readonly<Record<PostFailure["kind"], { remedy: "wait" | "mend"; advice: string }>> = {
  timeout: { remedy: "wait", advice: "" },
  unreachable: { remedy: "wait", advice: "" },
  too_large: { remedy: "mend", advice: ", which is the limit" },
};

const TELLING_STATUSES: ReadonlySet<number> = new Set([401, 403, 413, 429]);

/**
 * Posts a JSON-RPC request to one URL.
 *
 * @returns the parsed body, an object that isn't checked further.
 * @throws SourceFault that contains the URL's host and nothing else of it; the signal's reason once that is aborted.
 */
export async function postJsonRpc(url: JsonRpcUrl, payload: unknown, signal: AbortSignal): Promise<object> {
  const answer = await posted(url, JSON.stringify(payload, integersAsNumbers), signal);
  const { status, body } = answer;
  const hasError = typeof body?.["error"] === "object" && body["error"] !== null;
  // A node that answers an error of JSON-RPC serves this URL: the status only says more about access and rates.
  if (!isSuccess(status) && !(hasError && !TELLING_STATUSES.has(status))) throw statusFault(url.host, answer);
  if (body !== undefined) return body;
  const message = `${url.host}: its answer isn't JSON-RPC, or was cut short`;
  throw new SourceFault(message, { remedy: "wait" });
}

async function posted(url: JsonRpcUrl, body: string, signal: AbortSignal): Promise<PostAnswer> {
  try {
    return await url.post(body, signal);
  } catch (error) {
    if (!(error instanceof PostFailure)) throw error;
    const { remedy, advice } = FAULTS[error.kind];
    const message = `${url.host}: ${error.message}${advice}`;
    throw error.kind === "too_large"
      ? new CallTooLarge(message, { remedy })
      : new NodeFault(message, { remedy, isOfUrl: error.kind === "unreachable" });
  }
}

/** A JSON replacer. The integers in our requests are slots and offsets, all less than 2^53. */
function integersAsNumbers(_key: string, value: unknown): unknown {
  return typeof value === "bigint" ? Number(value) : value;
}

function statusFault(host: string, { status, retryAfterMs }: PostAnswer): SourceFault {
  if (status === 413) return new CallTooLarge(`${host} refuses the size of a call (HTTP 413)`, { remedy: "wait" });
  if (status === 401 || status === 403) {
    return configurationFault(
      `${host} refuses access (HTTP ${status}): check the key or the user in its URL`,
      "for good",
    );
  }
  if (status === 404 || status === 405 || status === 410 || (status >= 300 && status < 400)) {
    return configurationFault(
      `${host} does not serve this request (HTTP ${status}): check the path of its URL and the node's plan`,
    );
  }
  const message = status === 429 ? `${host} limits the rate of requests` : `${host} answered HTTP ${status}`;
  const refusal = status === 429 ? "for now" : undefined;
  return new NodeFault(message, { remedy: "wait", refusal, ...(retryAfterMs === undefined ? {} : { retryAfterMs }) });
}

function configurationFault(message: string, refusal?: NodeFault["refusal"]): SourceFault {
  return new NodeFault(message, { remedy: "mend", isOfNodes: true, refusal });
}
