import type { ChainFamily } from "../../../common/chains/base/chain-family.ts";
import { utcTime } from "../../../common/platform/encoding/utc-time.ts";
import { paymentTokenKind } from "../../../common/sale/definition/payment-tokens.ts";
import { sourceLocation } from "../../../common/sale/definition/source-location.ts";
import { type SalePhase, saleState } from "../../../common/sale/state/phase.ts";
import { stageOf } from "../../../common/sale/state/stage.ts";
import { publicStatus } from "../../../common/sale/state/status.ts";
import { FeedFault, type Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { ALERT_FAULT_MS } from "../base/lifetimes.ts";
import type { JudgedSale } from "./judge-subscription.ts";

/** A sale whose figures are those of its contract. */
export interface ConfirmedSale {
  readonly name: string;
  /** The kind of the wallets that can bid. */
  readonly walletKind: ChainFamily;
  readonly generation: bigint;
  readonly phase: SalePhase;
  readonly closesAtMs: bigint | undefined;
  /** Whether it is settled and nothing can change any more. */
  readonly isFinal: boolean;
}

/** Reads a sale; undefined while its figures may not be those of its contract: it isn't read, its feed is stale, or a sweep runs. */
export function confirmedSale(sale: Sale, nowMs: bigint): ConfirmedSale | undefined {
  const { definition, status, stage, generation, feedState } = sale;
  const Status = publicStatus(status);
  if (definition === undefined || Status === undefined || !isConfirmed(sale)) return undefined;
  const Stage = stageOf(stage);
  const { opensAtSeconds, closesAtSeconds } = definition.presentation ?? {};
  const times = {
    ...(opensAtSeconds !== undefined && { OpensAt: timeOf(opensAtSeconds) }),
    ...(closesAtSeconds !== undefined && { ClosesAt: timeOf(closesAtSeconds) }),
  };
  const { phase } = saleState({ Status, ...(Stage && { Stage }), ...times }, Number(nowMs));
  const hasSource = sourceLocation(definition.source) !== undefined;
  return {
    name: definition.name,
    walletKind: paymentTokenKind(definition),
    generation,
    phase,
    closesAtMs: closesAtSeconds === undefined ? undefined : closesAtSeconds * 1_000n,
    isFinal: phase === "settled" && (!hasSource || feedState?.final === true),
  };
}

function isConfirmed({ definition, hasSnapshot, changeSetOpen, feedState, sourceStatus }: Sale): boolean {
  if (changeSetOpen) return false;
  if (definition !== undefined && sourceLocation(definition.source) === undefined) return true;
  if (!hasSnapshot || feedState?.asOf === undefined) return false;
  return feedState.fault === FeedFault.UNSPECIFIED && sourceStatus?.sweep?.running !== true;
}

function timeOf(seconds: bigint): string {
  return utcTime(new Date(Number(seconds) * 1_000));
}

/** The judging of a sale before this one, and when this one was due. Times are milliseconds since 1970. */
export interface LastJudging {
  /** Undefined before the first by confirmed figures, and after one without. */
  readonly judgedAtMs: bigint | undefined;
  readonly nextAtMs: bigint;
  readonly generation: bigint | undefined;
  readonly settled: boolean;
}

/**
 * Returns how a sale is judged. After a pause, as after a fault or the restore of a database, nobody is mailed how bids have changed
 * meanwhile, so that there are no late mails in bulk.
 */
export function judgedSale(confirmed: ConfirmedSale, last: LastJudging, nowMs: bigint): JudgedSale {
  const { judgedAtMs, nextAtMs, generation } = last;
  const isLate = nowMs - nextAtMs > ALERT_FAULT_MS;
  const isSilent = judgedAtMs === undefined || isLate || generation !== confirmed.generation;
  const { phase, closesAtMs } = confirmed;
  return { nowMs, isSilent, phase, closesAtMs };
}
