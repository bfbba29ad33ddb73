import type { ChainFamily } from "../../chains/base/chain-family.ts";
import { loadFastKeccak } from "../../chains/base/keccak.ts";
import { safeBatch } from "../../chains/evm/safe-batch.ts";
import type { Allocation } from "../../sale/record/allocation.ts";
import { loadSettlementFunctions } from "./evm/settlement-functions.ts";

/** The allocations of a settlement, and the contract that they are set in. */
export interface SettlementCalls {
  /** EIP-155. */
  readonly chainId: bigint;
  readonly contract: string;
  readonly allocations: readonly Allocation[];
  /** The most allocations of a call, at least 1; those of one entity are never divided. */
  readonly batchSize: number;
}

/** A file that carries a settlement out. */
export interface SettlementFile {
  /** Path below the settlement's folder. */
  readonly path: string;
  /** Its content in parts. */
  readonly texts: Iterable<string>;
}

/** A call, with what people must know to send it. */
interface Call {
  readonly function: string;
  readonly role: string;
  readonly allocations?: number;
  readonly expectedTotalAccepted?: string;
  readonly data: string;
}

/** The major version of the reference contract whose calls are known here. */
export const CALLED_VERSION = 2;

/** Why the calls of a contract aren't known here. */
export type UnknownCalls = "other_version" | "unknown_version" | "only_accounts";

/**
 * Returns why the calls of a contract aren't known here; undefined where they are.
 *
 * @param version major version of the contract; undefined if nobody says it
 */
export function unknownCalls(family: ChainFamily, version: number | undefined): UnknownCalls | undefined {
  return REASONS[family](version);
}

const REASONS: Readonly<Record<ChainFamily, (version: number | undefined) => UnknownCalls | undefined>> = {
  evm(version) {
    if (version === CALLED_VERSION) return undefined;
    return version === undefined ? "unknown_version" : "other_version";
  },
  // Of the program only the accounts are known here, not its instructions.
  svm: () => "only_accounts",
};

/** Yields the files with the calls of a settlement, for a contract whose calls are known here. */
export async function* settlementFiles({
  chainId,
  contract,
  ...rest
}: SettlementCalls): AsyncGenerator<SettlementFile, void> {
  await loadFastKeccak();
  const calls: Call[] = [];
  for await (const call of evmCalls(rest)) {
    calls.push(call);
    const name = `${String(calls.length).padStart(4, "0")} ${call.function}`;
    const text = safeBatch({ chainId, name, to: contract, data: call.data });
    yield { path: `safe/${name.replace(" ", "-")}.json`, texts: [text] };
  }
  yield { path: "calls.json", texts: callTexts(`${chainId}`, contract, calls) };
}

/** Yields the list of all calls, which may be long, one by one. */
function* callTexts(chainId: string, contract: string, calls: readonly Call[]): Generator<string, void> {
  yield `{"chainId":${JSON.stringify(chainId)},"contract":${JSON.stringify(contract)},"calls":[`;
  for (const [index, call] of calls.entries()) yield `${index === 0 ? "" : ","}\n${JSON.stringify(call)}`;
  yield "\n]}\n";
}

async function* evmCalls({ allocations, batchSize }: Pick<SettlementCalls, "allocations" | "batchSize">) {
  const functions = await loadSettlementFunctions();
  let total = 0n;
  for (const batch of batchesOf(allocations, batchSize)) {
    for (const { accepted } of batch) total += accepted;
    const data = functions.setAllocations(batch);
    yield { function: "setAllocations", role: "SETTLER_ROLE", allocations: batch.length, data } satisfies Call;
  }
  yield {
    ...{ function: "finalizeSettlement", role: "SETTLEMENT_FINALIZER_ROLE" },
    ...{ expectedTotalAccepted: `${total}`, data: functions.finalizeSettlement(total) },
  } satisfies Call;
}

/** Divides allocations, without dividing those of an entity: a contract may refuse one that has some already. */
function* batchesOf(allocations: readonly Allocation[], batchSize: number): Generator<readonly Allocation[], void> {
  let batch: Allocation[] = [];
  for (const own of Map.groupBy(allocations, ({ entityId }) => entityId).values()) {
    if (batch.length > 0 && batch.length + own.length > batchSize) {
      yield batch;
      batch = [];
    }
    batch.push(...own);
  }
  if (batch.length > 0) yield batch;
}
