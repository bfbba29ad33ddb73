import type { FailureReason } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { SetupState } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { Known } from "../overview/sale-facts.ts";

/** Numbers of a sale's last 30 days, the earliest day first; undefined where a service doesn't say. */
export interface SaleDays {
  /** Total amount at the end of each day, in smallest units. */
  readonly committed: Known<readonly bigint[]>;
  /** Commitments that were added. */
  readonly commitments: Known<readonly bigint[]>;
  readonly signIns: Known<readonly bigint[]>;
  /** Null where this gateway has no pages about taking part. */
  readonly takingPart: TakingPartDays | null;
}

/** The days of those who take part. */
export interface TakingPartDays {
  readonly permits: Known<readonly bigint[]>;
  /** Entities that applications of the sale saw for the first time. */
  readonly entities: Known<readonly bigint[]>;
  readonly refused: Known<readonly bigint[]>;
  /** Refused permits of all these days, by reason. */
  readonly reasons: Known<readonly { readonly reason: FailureReason; readonly permits: bigint }[]>;
  /** Entities by the state of their set-up now. */
  readonly states: Known<readonly { readonly state: SetupState; readonly entities: bigint }[]>;
}
