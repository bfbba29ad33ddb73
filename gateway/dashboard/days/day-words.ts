import { FailureReason } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { texts } from "../base/texts.ts";

/** Returns the state of entities' set-ups in words. */
export function stateText(state: SetupState): string {
  const { days } = texts();
  switch (state) {
    case SetupState.COMPLETE:
      return days.stateComplete;
    case SetupState.IN_PROGRESS:
      return days.stateInProgress;
    case SetupState.READY_FOR_REVIEW:
    case SetupState.IN_REVIEW:
      return days.stateInReview;
    case SetupState.FAILURE:
    case SetupState.FAILURE_FINAL:
      return days.stateRefused;
    case SetupState.TECHNICAL_ISSUE:
      return days.stateTechnicalIssue;
    default:
      return days.stateNotStarted;
  }
}

/** Returns in words why permits were refused. */
export function reasonText(reason: FailureReason): string {
  const { days } = texts();
  switch (reason) {
    case FailureReason.SALE_NOT_ACTIVE:
      return days.reasonNotActive;
    case FailureReason.OUTSIDE_TIME_WINDOW:
      return days.reasonTimeWindow;
    case FailureReason.WALLET_NOT_LINKED:
      return days.reasonNotLinked;
    case FailureReason.MAX_WALLETS_USED:
      return days.reasonMaxWallets;
    case FailureReason.WALLET_RISK:
      return days.reasonWalletRisk;
    case FailureReason.REQUIRES_LIVENESS:
      return days.reasonLiveness;
    default:
      return days.reasonExcluded;
  }
}
