import { FailureReason } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";

/** The public names of the reasons for which there is no permit, in the order in which they are checked. */
export const FAILURE_REASONS: ReadonlyMap<FailureReason, string> = new Map([
  [FailureReason.SALE_NOT_ACTIVE, "sale-not-active"],
  [FailureReason.UNKNOWN, "unknown"],
  [FailureReason.OUTSIDE_TIME_WINDOW, "outside-time-window"],
  [FailureReason.WALLET_NOT_LINKED, "wallet-not-linked"],
  [FailureReason.MAX_WALLETS_USED, "max-wallets-used"],
  [FailureReason.WALLET_RISK, "wallet-risk"],
  [FailureReason.REQUIRES_LIVENESS, "requires-liveness"],
]);
