import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import type { SourcePosition } from "../../../common/chains/base/source-position.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { ContractFamily } from "../../../common/sale/definition/contract-family.ts";
import { sourceLocation } from "../../../common/sale/definition/source-location.ts";
import { publicStatus } from "../../../common/sale/state/status.ts";
import { type Sale, SaleStatus, type SourceStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";

/** A sale that is read from a contract, with the fields that its reader needs. */
export interface SourceSale {
  readonly uuid: string;
  readonly settled: boolean;
  /** Whether it is settled and its chain can't undo that any more. */
  readonly final: boolean;
  readonly family: ChainFamily;
  /** The chain's name in the configuration. */
  readonly chain: string;
  /** Contract or sale account. */
  readonly address: string;
  readonly paymentTokens: readonly string[];
  /** Major version of the reference contract; absent if the definition doesn't say it. */
  readonly contractVersion?: number;
  /** The family of the contract; absent for the reference contract's. */
  readonly contractFamily?: ContractFamily;
  readonly cancelledKeepsAmounts: boolean;
  /** The declared decimals of the payment tokens, by address. */
  readonly tokenDecimals: ReadonlyMap<string, number>;
  readonly definitionVersion: bigint;
  readonly revision: bigint;
  readonly hasSnapshot: boolean;
  readonly changeSetOpen: boolean;
  readonly position?: SourcePosition;
  /** Number of sweeps requested so far. */
  readonly sweepRequests: bigint;
  /** Whether a sweep was requested that hasn't begun, or one has begun and not ended, perhaps as its reader died. */
  readonly sweepPending: boolean;
}

/** Names a source. Sales with equal names are read in the same way. */
export function sourceNameOf({
  family,
  chain,
  address,
  contractFamily,
}: Pick<SourceSale, "family" | "chain" | "address" | "contractFamily">): string {
  return `${family} ${chain} ${address} ${contractFamily ?? ""}`;
}

/** @returns undefined for a draft, a withdrawn sale, or a sale without a source. */
export function sourceSaleOf(sale: Sale): SourceSale | undefined {
  const { definition, status } = sale;
  if (definition === undefined || publicStatus(status) === undefined) return undefined;
  const source = sourceLocation(definition.source);
  if (source === undefined) return undefined;
  const { sourcePosition: position } = sale;
  return {
    ...source,
    uuid: sale.uuid,
    settled: status === SaleStatus.SETTLED,
    final: sale.feedState?.final ?? false,
    paymentTokens: definition.paymentTokens.map(({ address }) => address),
    cancelledKeepsAmounts: definition.cancelledKeepsAmounts,
    tokenDecimals: new Map(definition.paymentTokens.map(({ address, decimals }) => [address, decimals])),
    definitionVersion: sale.definitionVersion,
    revision: sale.revision,
    hasSnapshot: sale.hasSnapshot,
    changeSetOpen: sale.changeSetOpen,
    sweepRequests: sale.sourceStatus?.sweepRequests ?? 0n,
    sweepPending: isSweepPending(sale.sourceStatus),
    ...(position === undefined ? {} : { position: { height: position.height, hash: hexOfBytes(position.hash) } }),
  };
}

function isSweepPending(status: SourceStatus | undefined): boolean {
  if (status?.sweep === undefined) return (status?.sweepRequests ?? 0n) > 0n;
  return status.sweep.running || status.sweepRequests > status.sweep.sweepRequests;
}
