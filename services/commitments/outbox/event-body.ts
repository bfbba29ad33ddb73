import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { presentClearing } from "../../../common/sale/figures/commitment-data.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import type { SaleEvent } from "./sale-event.ts";

/** The sums of all active commitments. */
export interface EventFigures {
  /** Normalised. */
  readonly amount: bigint;
  readonly commitments: bigint;
  /** Only in an auction. */
  readonly clearingTick?: bigint;
}

/** A sale as it is when an event happens. */
export interface EventFacts {
  readonly saleUuid: string;
  /** Milliseconds since 1970. */
  readonly nowMillis: bigint;
  readonly definition: SaleDefinition;
  readonly state: Pick<SaleState, "status" | "stage" | "revision">;
  /** Absent while the public sees none. */
  readonly figures?: EventFigures | undefined;
}

/**
 * Returns the body of an event as JSON, with the form that Standard Webhooks recommend: `type`, `timestamp` and `data`. `data` has
 * the names and the forms of the public read: amounts and prices are strings. Nothing in it is personal.
 */
export function eventBody(event: SaleEvent, facts: EventFacts): string {
  const { saleUuid, nowMillis, definition, state, figures } = facts;
  const data = {
    SaleUUID: saleUuid,
    SaleName: definition.name,
    Status: state.status,
    Stage: state.stage,
    PreviousStage: "previousStage" in event ? event.previousStage : undefined,
    Fault: "fault" in event ? event.fault : undefined,
    Revision: state.revision.toString(),
    ...(figures && figuresData(definition, figures)),
  };
  return JSON.stringify({ type: event.type, timestamp: new Date(Number(nowMillis)).toISOString(), data });
}

function figuresData(definition: SaleDefinition, figures: EventFigures) {
  const { clearing } = presentClearing(definition, figures);
  return {
    TotalCommitmentAmount: figures.amount.toString(),
    // A count of rows is far below 2^53.
    UniqueCommitmentCount: Number(figures.commitments),
    PaymentTokenDecimals: definition.paymentTokenDecimals,
    ClearingPriceNumerator: clearing?.price.numerator.toString(),
    ClearingPriceDenominator: clearing?.price.denominator.toString(),
    ClearingPriceMicroUSD: clearing?.microUsd?.toString(),
  };
}
