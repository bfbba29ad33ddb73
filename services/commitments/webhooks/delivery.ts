/** State of a delivery: it waits for an attempt, was answered 2xx, or isn't attempted any more. */
export type DeliveryStatus = "pending" | "delivered" | "given_up";

/** A delivery as the log shows it. */
export interface LoggedDelivery {
  readonly endpointUuid: string;
  readonly eventUuid: string;
  readonly type: string;
  /** Milliseconds since 1970, as all times here. */
  readonly eventAtMillis: bigint;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly lastAttemptMillis?: bigint;
  /** Absent if the last attempt got no answer. */
  readonly lastHttpStatus?: number;
  /** Why the last attempt got no answer; empty otherwise. */
  readonly lastFailure: string;
  /** Only while it is pending. */
  readonly nextAttemptMillis?: bigint;
}
