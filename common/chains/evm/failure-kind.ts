import { isSuccess } from "../nodes/json-rpc-url.ts";
import type { RpcFaultKind } from "./rpc-fault.ts";

/** An error object of JSON-RPC 2.0, section 5.1. */
export interface JsonRpcError {
  readonly code: number;
  readonly message: string;
}

/** Kinds by messages of Geth, Erigon, Nethermind, Besu, Reth, anvil and the large providers. The first match counts. */
const KIND_BY_MESSAGE: readonly (readonly [RegExp, RpcFaultKind])[] = [
  // The words after it are the contract's own, which may be those of a node that is out of capacity.
  [/^(execution reverted|vm exception while processing transaction: rever)/i, "reverted"],
  [/rate limit|too many requests|compute units|capacity exceeded|throughput|daily request/i, "rate_limited"],
  // `OOG` as in `MemoryOOG` of revm, which anvil and Reth use.
  [
    /out of gas|outofgas|OOG\b|insufficient.gas|gas (limit|required|cap|too)|exceeds.*gas|intrinsic gas|gas uint64 overflow/i,
    "too_large",
  ],
  [
    /too large|too big|response size|size (limit|exceed)|exceeds.*size|more than \d+ results|too many (results|logs)/i,
    "too_large",
  ],
  [/block range|range (is )?too|range limit|query returned more|limit.*logs|max results/i, "too_large"],
  [/execution timeout|execution aborted|timed? ?out|deadline exceeded/i, "timeout"],
  [/unauthori[sz]ed|forbidden|api key|authenticate|access denied|project id/i, "unauthorised"],
  [/revert|invalid opcode|vm execution error|invalid jump|stack (under|over)flow/i, "reverted"],
];

/** Kinds by codes of EIP-1474 and of nodes that extend it. */
const KIND_BY_CODE: ReadonlyMap<number, RpcFaultKind> = new Map([
  [3, "reverted"],
  [-32005, "rate_limited"],
  [-32015, "reverted"],
  [-32601, "unsupported"],
  [-32602, "unsupported"],
  [-32004, "unsupported"],
]);

/** Characters of a message that are looked at. Some patterns take time that grows with the square of the text, which a node chooses. */
const MAX_READ_CHARACTERS = 1_024;

/** The kind of a node's error; `unavailable` for errors that may pass by themselves. */
export function kindOfRpcError({ code, message }: JsonRpcError): RpcFaultKind {
  const text = message.slice(0, MAX_READ_CHARACTERS);
  const byMessage = KIND_BY_MESSAGE.find(([pattern]) => pattern.test(text))?.[1];
  // The message first: nodes use `-32005` for rates and for sizes, and `3` also for calls that ran out of gas.
  return byMessage ?? KIND_BY_CODE.get(code) ?? "unavailable";
}

/**
 * The kind of a node's error that comes with an HTTP status. The node speaks JSON-RPC, so a status of a wrong URL, such as 404,
 * says nothing; a status tells where the error doesn't: of access, rate, size and time.
 */
export function kindOfAnswer(status: number, error: JsonRpcError): RpcFaultKind {
  const byError = kindOfRpcError(error);
  if (byError !== "unavailable" || isSuccess(status)) return byError;
  const byStatus = kindOfStatus(status);
  return byStatus === "wrong_url" ? "unavailable" : byStatus;
}

/** The kind of an HTTP status that is no success (RFC 9110, section 15). */
export function kindOfStatus(status: number): RpcFaultKind {
  if (status === 401 || status === 403 || status === 407) return "unauthorised";
  if (status === 429) return "rate_limited";
  if (status === 413) return "too_large";
  if (status === 408 || status === 504 || status === 524) return "timeout";
  if (status === 404 || status === 405 || (status >= 300 && status < 400)) return "wrong_url";
  return "unavailable";
}

const MAX_MESSAGE_LENGTH = 160;

/** A node's message, safe to show: bounded, printable, without URLs or anything that could be a key. */
export function redactedMessage(message: string): string {
  return message
    .slice(0, 4 * MAX_MESSAGE_LENGTH)
    .replaceAll(/[^\x20-\x7e]+/g, " ")
    .replaceAll(/\w+:\/\/\S+/g, "…")
    .replaceAll(/[A-Za-z0-9_-]{20,}/g, "…")
    .slice(0, MAX_MESSAGE_LENGTH);
}
