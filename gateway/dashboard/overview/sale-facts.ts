import type { Timestamp } from "@bufbuild/protobuf/wkt";
import type { OpeningRequirement } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleFigures } from "../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import type { OpeningProblem } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { SourceCheck } from "../definition/check-source.ts";

/** A fact that a service knows of a sale; undefined while it can't be asked. */
export type Known<Value> = Value | undefined;

/** An application of a sale. */
export interface ApplicationFacts {
  readonly uuid: string;
  readonly name: string;
  /** Why it can't sign users in, each as a continuation of "it"; empty for one that can. */
  readonly obstacles: readonly string[];
  readonly openingRequirements: readonly Pick<OpeningRequirement, "name" | "met">[];
}

/** Sign-ins of users in the last days, today (UTC) included. */
export interface SignInFacts {
  readonly today: bigint;
  readonly last7Days: bigint;
  readonly last30Days: bigint;
}

/** The permits of a sale. */
export interface PermitFacts {
  readonly permits: bigint;
  /** Those of the last 24 hours. */
  readonly lastDay: bigint;
  /** Whether taking part is on. */
  readonly enabled: boolean;
  readonly hasActiveKey: boolean;
}

/** Figures of a sale, and those with which its trend begins. */
export interface FigureFacts {
  readonly now: SaleFigures;
  readonly earlier?: { readonly at: Timestamp; readonly figures: SaleFigures };
}

/** A reason of the entities service why a draft can't open. */
export type OpeningProblemFacts = Pick<OpeningProblem, "name" | "text">;

/** Everything that is known of a sale. */
export interface SaleFacts {
  readonly sale: Sale;
  /** Null for a sale without public figures. */
  readonly figures: Known<FigureFacts | null>;
  readonly applications: Known<readonly ApplicationFacts[]>;
  readonly signIns: Known<SignInFacts>;
  readonly permits: Known<PermitFacts>;
  /** Whether this gateway has the pages about who may take part. */
  readonly hasTakingPart: boolean;
  /** Result of the check of a draft's contract; undefined where there is none, or it isn't checked here. */
  readonly contract?: SourceCheck["state"] | undefined;
  /** Whether the contract knows the active signer; undefined where that can't be asked, or isn't asked here. */
  readonly isSignerKnown?: boolean | undefined;
  /** Why a draft in which people take part can't open; undefined where that can't be asked, or isn't asked here. */
  readonly openingProblems?: readonly OpeningProblemFacts[] | undefined;
}
