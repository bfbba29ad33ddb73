import { Code, ConnectError } from "@connectrpc/connect";
import { FailureReason } from "../../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type {
  IssuePermitResponse,
  SignedPermit,
} from "../../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { Phase } from "./sale-phase.ts";

export type PermitAnswer =
  | { readonly kind: "issued"; readonly issued: SignedPermit }
  | { readonly kind: "refused"; readonly reason: FailureReason }
  | { readonly kind: "failed"; readonly code: Code; readonly message: string };

/** An event that ends an entity's permits. */
export type Exit = "frozen" | "entity deleted" | "account deleted" | "token revoked";

/** The facts about a request for a permit. */
export interface RequestFacts {
  /** The sale's phase, if no change of it was on its way at any time of the request. */
  readonly phase: Phase | undefined;
  /** Whether the entity was approved at all times of the request; undefined if only at some, or if that isn't known. */
  readonly isApproved: boolean | undefined;
  /** The exit that was on its way, or done, when the answer came. */
  readonly exit: Exit | undefined;
  /** Whether the exit had been acknowledged before the request was sent. */
  readonly hasLeft: boolean;
  /** Whether other entities want the wallet. */
  readonly isContested: boolean;
  /** Whether the entity has asked for more wallets than it may use. */
  readonly isCrowded: boolean;
}

const { SALE_NOT_ACTIVE, UNKNOWN, OUTSIDE_TIME_WINDOW, WALLET_NOT_LINKED, MAX_WALLETS_USED } = FailureReason;
/** The codes after which a caller may try again. Canceled: the connection ended. */
const RETRYABLE = new Set([Code.Unavailable, Code.DeadlineExceeded, Code.Aborted, Code.Canceled]);
const ERRORS_AFTER: Readonly<Record<Exit, readonly Code[]>> = {
  frozen: [],
  "entity deleted": [Code.NotFound],
  "account deleted": [Code.NotFound, Code.Unauthenticated],
  "token revoked": [Code.Unauthenticated],
};

/** Links are deleted with their entity. */
const REASONS_AFTER: Readonly<Record<Exit, readonly FailureReason[]>> = {
  frozen: [UNKNOWN],
  "entity deleted": [UNKNOWN, WALLET_NOT_LINKED],
  "account deleted": [UNKNOWN, WALLET_NOT_LINKED],
  "token revoked": [],
};

/** Waits for the answer of a request. */
export async function permitAnswer(call: Promise<IssuePermitResponse>): Promise<PermitAnswer> {
  try {
    const { result } = await call;
    if (result.case === "issued") return { kind: "issued", issued: result.value };
    return { kind: "refused", reason: result.value?.reason ?? FailureReason.UNSPECIFIED };
  } catch (error) {
    const { code, message } = ConnectError.from(error);
    return { kind: "failed", code, message };
  }
}

/** Whether a caller should ask again, as it isn't known what came of the request. */
export function isRetryable(answer: PermitAnswer): boolean {
  return answer.kind === "failed" && RETRYABLE.has(answer.code);
}

/** Whether a request may have this answer. */
export function isPossible(answer: PermitAnswer, facts: RequestFacts): boolean {
  const { phase, isApproved, exit, hasLeft } = facts;
  if (answer.kind === "issued")
    return isApproved !== false && !hasLeft && (phase === undefined || phase.kind === "open");
  if (answer.kind === "refused") return possibleReasons(facts).includes(answer.reason);
  return isRetryable(answer) || (exit !== undefined && ERRORS_AFTER[exit].includes(answer.code));
}

function possibleReasons(facts: RequestFacts): readonly FailureReason[] {
  const { phase, isApproved, exit, isContested, isCrowded } = facts;
  const excluded = [...(isApproved === true ? [] : [UNKNOWN]), ...(exit === undefined ? [] : REASONS_AFTER[exit])];
  const ofWallet = [...(isContested ? [WALLET_NOT_LINKED] : []), ...(isCrowded ? [MAX_WALLETS_USED] : [])];
  /** An entity that isn't approved is the first reason besides the sale's state. */
  const after = (reasons: readonly FailureReason[]) => (isApproved === false ? excluded : [...excluded, ...reasons]);
  switch (phase?.kind) {
    case undefined:
      return [SALE_NOT_ACTIVE, ...after([OUTSIDE_TIME_WINDOW, ...ofWallet])];
    case "open":
      return after(ofWallet);
    case "closed":
      return after([OUTSIDE_TIME_WINDOW]);
    default:
      return [SALE_NOT_ACTIVE];
  }
}
