import { ClearingOutcome, NotCountedReason } from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { SaleStage, SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { BidFacts, BidMoment } from "../state/bid-state.ts";
import { saleState } from "../state/phase.ts";
import { stageOf } from "../state/stage.ts";
import { publicStatus } from "../state/status.ts";
import type { NotCounted, ClearingOutcome as Outcome } from "./position.ts";

const REASONS: Readonly<Record<NotCounted, NotCountedReason>> = {
  refunded: NotCountedReason.REFUNDED,
  no_amount: NotCountedReason.NO_AMOUNT,
};
const OUTCOMES: Readonly<Record<Outcome, ClearingOutcome>> = {
  in: ClearingOutcome.IN,
  at_margin: ClearingOutcome.AT_MARGIN,
  out: ClearingOutcome.OUT,
  below_floor: ClearingOutcome.BELOW_FLOOR,
};

/** The fields of a message that say how a commitment counts. */
export interface CountMessage {
  readonly notCountedReason: NotCountedReason;
  readonly clearingOutcome: ClearingOutcome;
}

/** Writes how a commitment counts. */
export function countMessage(count: {
  readonly notCounted?: NotCounted;
  readonly outcome?: Outcome;
}): Partial<CountMessage> {
  const { notCounted, outcome } = count;
  return {
    ...(notCounted !== undefined && { notCountedReason: REASONS[notCounted] }),
    ...(outcome !== undefined && { clearingOutcome: OUTCOMES[outcome] }),
  };
}

/** Reads how a commitment counts, as `bidState` takes it. */
export function countFacts({
  notCountedReason,
  clearingOutcome,
}: CountMessage): Pick<BidFacts, "Counted" | "NotCountedReason" | "ClearingOutcome"> {
  const reason = keyOf(REASONS, notCountedReason);
  const outcome = keyOf(OUTCOMES, clearingOutcome);
  return {
    Counted: notCountedReason === NotCountedReason.UNSPECIFIED,
    ...(reason && { NotCountedReason: reason }),
    ...(outcome && { ClearingOutcome: outcome }),
  };
}

/** Reads the moment of a look-up, as `bidState` takes it. */
export function bidMoment(message: {
  readonly status: SaleStatus;
  readonly stage: SaleStage;
  readonly undersubscribed: boolean;
}): BidMoment {
  const [Status, Stage] = [publicStatus(message.status), stageOf(message.stage)];
  // Without times the moment doesn't matter.
  const { phase } = saleState({ ...(Status && { Status }), ...(Stage && { Stage }) }, 0);
  return { phase, stage: Stage, isUndersubscribed: message.undersubscribed };
}

/** Returns the word of a message's value; undefined for one without any, which a later version may send. */
function keyOf<Word extends string>(messages: Readonly<Record<Word, number>>, value: number): Word | undefined {
  return (Object.keys(messages) as Word[]).find((word) => messages[word] === value);
}
