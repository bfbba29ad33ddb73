import { SourceFault } from "../../../chains/base/source-fault.ts";
import { contractCode } from "../../../chains/evm/contract-code.ts";
import type { EvmEndpoint } from "../../../chains/evm/evm-endpoint.ts";
import { EmptyAnswer, type PinnedBlock } from "../../../chains/evm/pinned-block.ts";
import { RpcFault } from "../../../chains/evm/rpc-fault.ts";
import type { OptionalFunctions } from "./optional-functions.ts";
import type { SaleCalls, TokenSums } from "./sale-calls.ts";

/** Count, stage and totals of a contract at a pinned block. Those that it has no function for are absent. */
export interface SaleFacts {
  readonly count: bigint;
  readonly stageNumber?: number;
  readonly totals?: TokenSums;
}

/** Reads the facts. @throws the errors of `PinnedBlock.call`; SourceFault if there are more than `maxCommitments`. */
export async function readSaleFacts(
  pinned: PinnedBlock,
  calls: SaleCalls,
  optional: OptionalFunctions,
  maxCommitments: number,
  signal: AbortSignal,
): Promise<SaleFacts> {
  const [count, stageNumber, totals] = await Promise.all([
    pinned.call(calls.numCommitments, signal),
    optional.call(pinned, calls.stage, signal),
    optional.call(pinned, calls.totals, signal),
  ]);
  checkCount(count, maxCommitments);
  return { count, ...(stageNumber === undefined ? {} : { stageNumber }), ...(totals === undefined ? {} : { totals }) };
}

function checkCount(count: bigint, maxCommitments: number): void {
  if (count <= BigInt(maxCommitments)) return;
  const problem = `the contract says that it has ${count} commitments; no more than ${maxCommitments} are read on this chain`;
  throw new SourceFault(`${problem}: check the contract, or raise maxCommitments of the chain`, { remedy: "mend" });
}

/** @throws SourceFault if the contract belongs to another sale. */
export async function checkSaleUuid(
  pinned: PinnedBlock,
  calls: SaleCalls,
  optional: OptionalFunctions,
  saleUuid: string,
  signal: AbortSignal,
): Promise<void> {
  const actual = await optional.call(pinned, calls.saleUuid, signal);
  const expected = saleUuid.replaceAll("-", "").toLowerCase();
  if (actual === undefined || actual === expected) return;
  const problem = `saleUUID() of the contract is 0x${actual}, not that of this sale: set the contract of the right sale`;
  throw new SourceFault(problem, { remedy: "mend" });
}

/** The error itself, or a clearer one if the reason is that the address has no sale contract. */
export async function explainFault(
  error: unknown,
  endpoint: EvmEndpoint,
  contract: string,
  signal: AbortSignal,
): Promise<unknown> {
  const isReverted = error instanceof RpcFault && error.kind === "reverted";
  if (!isReverted && !(error instanceof EmptyAnswer)) return error;
  const code = await contractCode(endpoint, contract, signal).catch(() => undefined);
  if (code?.isCertain !== true) return error;
  if (!code.isPresent) {
    const problem = `there is no contract at ${contract} on this chain: check the address and the chain of the sale`;
    return new SourceFault(problem, { remedy: "mend", cause: error });
  }
  const finding = isReverted ? "is not a sale contract" : "does not answer like a sale contract";
  const problem = `the contract at ${contract} ${finding} (ICommitmentDataReader): check the address of the sale`;
  return new SourceFault(`${problem}; ${error.message}`, { remedy: "mend", cause: error });
}
