import { SourceFault } from "../base/source-fault.ts";
import { CallTooLarge, isAboutSize } from "./call-too-large.ts";
import { NodeFault } from "./node-fault.ts";

/** JSON-RPC 2.0, section 5.1, and the codes of Solana nodes. */
const INVALID_REQUEST = -32600;
const METHOD_NOT_FOUND = -32601;
const NOT_IN_SECONDARY_INDEX = -32010;
const MIN_CONTEXT_SLOT_NOT_REACHED = -32016;
const NODE_UNHEALTHY = -32005;
const RATE_LIMITED = new Set([429, -32429]);

/**
 * Checks that a node's answer is a result, and not from before the requested `minContextSlot`, which some proxies ignore.
 * Slots stay far below 2^53.
 *
 * @throws SourceFault that names the host. It never contains the node's own message, which may repeat a key.
 */
export function checkAnswer(host: string, payload: unknown, answer: object): void {
  const error = "error" in answer ? answer.error : undefined;
  if (error !== undefined && error !== null) throw errorFault(host, error);
  if (!("result" in answer)) {
    throw new SourceFault(`${host} answered neither a result nor an error`, { remedy: "wait" });
  }
  const requested = minContextSlotOf(payload);
  const slot = contextSlotOf(answer.result);
  if (requested !== undefined && slot !== undefined && slot < requested) {
    throw new SourceFault(`${host} lags: it is at slot ${slot}, ${requested} was read before`, { remedy: "wait" });
  }
}

function codeOf(error: unknown): number | undefined {
  const code = typeof error === "object" && error !== null && "code" in error ? error.code : undefined;
  return typeof code === "number" ? code : undefined;
}

function errorFault(host: string, error: unknown): SourceFault {
  const code = codeOf(error);
  switch (code) {
    case INVALID_REQUEST:
    case METHOD_NOT_FOUND:
    case NOT_IN_SECONDARY_INDEX:
      return new NodeFault(
        `${host} does not serve this request for the program's accounts (error ${code}): use a node that does`,
        { remedy: "mend", refusal: code === INVALID_REQUEST ? undefined : "for good" },
      );
    case MIN_CONTEXT_SLOT_NOT_REACHED:
    case NODE_UNHEALTHY:
      return new SourceFault(`${host} lags behind the chain (error ${code})`, { remedy: "wait" });
    default: {
      const isRate = code !== undefined && RATE_LIMITED.has(code);
      if (!isRate && isAboutSize(error)) {
        return new CallTooLarge(`${host} refuses what a call asks for (error ${code ?? "without a code"})`, {
          remedy: "wait",
        });
      }
      const problem = isRate ? "limits the rate of requests" : "answered an error";
      const message = `${host} ${problem} (error ${code ?? "without a code"})`;
      return new NodeFault(message, { remedy: "wait", refusal: isRate ? "for now" : undefined });
    }
  }
}

function minContextSlotOf(payload: unknown): bigint | undefined {
  if (typeof payload !== "object" || payload === null || !("params" in payload)) return undefined;
  const config: unknown = Array.isArray(payload.params) ? payload.params.at(-1) : undefined;
  if (typeof config !== "object" || config === null || !("minContextSlot" in config)) return undefined;
  return typeof config.minContextSlot === "bigint" ? config.minContextSlot : undefined;
}

function contextSlotOf(result: unknown): number | undefined {
  if (typeof result !== "object" || result === null || !("context" in result)) return undefined;
  const { context } = result;
  if (typeof context !== "object" || context === null || !("slot" in context)) return undefined;
  return typeof context.slot === "number" ? context.slot : undefined;
}
