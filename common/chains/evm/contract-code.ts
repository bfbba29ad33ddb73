import type { EvmEndpoint } from "./evm-endpoint.ts";
import { RpcFault } from "./rpc-fault.ts";
import type { RpcUrl } from "./rpc-url.ts";

const NO_CODE = "0x";

/** Whether there is a contract at an address, as of the newest block. */
export interface ContractCode {
  readonly isPresent: boolean;
  /** Whether the answer can be relied on: that there is none needs a second, independent answer. */
  readonly isCertain: boolean;
}

/**
 * Asks whether an address has code. A URL that says that it has none is believed if another one says so too, or where there is none, if
 * code that it executes finds none: one that is behind answers `0x` as well.
 *
 * @param address `0x` and 40 hex digits
 * @throws SourceFault if the nodes don't answer; the signal's reason
 */
export async function contractCode(
  endpoint: Pick<EvmEndpoint, "answer" | "urls">,
  address: string,
  signal: AbortSignal,
): Promise<ContractCode> {
  const { result, url } = await endpoint.answer("eth_getCode", [address, "latest"], signal);
  if (result !== NO_CODE) return { isPresent: true, isCertain: typeof result === "string" };
  const second =
    (await otherCode(endpoint, address, url, signal)) ?? (await hasCodeWithin(endpoint, address, url, signal));
  return { isPresent: second ?? false, isCertain: second !== undefined };
}

/** Asks another URL; undefined if none answers. */
async function otherCode(
  endpoint: Pick<EvmEndpoint, "answer" | "urls">,
  address: string,
  first: RpcUrl,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  if (endpoint.urls.length < 2) return undefined;
  const options = { last: new Set([first]), rounds: 1 };
  const answer = await orNothing(endpoint.answer("eth_getCode", [address, "latest"], signal, options));
  if (answer === undefined || answer.url === first || typeof answer.result !== "string") return undefined;
  return answer.result !== NO_CODE;
}

/** Asks a URL by a call that belongs to no contract: EXTCODESIZE of the address, as one word. Undefined if it doesn't say. */
async function hasCodeWithin(
  endpoint: Pick<EvmEndpoint, "answer">,
  address: string,
  only: RpcUrl,
  signal: AbortSignal,
): Promise<boolean | undefined> {
  const data = `0x73${address.slice(2).toLowerCase()}3b60005260206000f3`;
  const answer = await orNothing(endpoint.answer("eth_call", [{ data }, "latest"], signal, { only, rounds: 1 }));
  const size = answer?.result;
  return typeof size === "string" && /^0x[0-9a-f]{64}$/i.test(size) ? BigInt(size) > 0n : undefined;
}

async function orNothing<Result>(answer: Promise<Result>): Promise<Result | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (!(error instanceof RpcFault)) throw error;
    return undefined;
  }
}
