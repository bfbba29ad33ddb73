import type { CallOptions } from "@connectrpc/connect";
import type { Member, Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Sale } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CurrentSession } from "../../web/sessions/session.ts";

/** A signed-in user of the dashboard, with the options of calls on this user's behalf. */
export interface Founder extends CurrentSession {
  /** Options of calls of the commitments service. */
  readonly atCommitments: CallOptions;
  /** Options of calls of the auth service. */
  readonly atAuth: CallOptions;
  /** Whether the sign-in is recent enough for important changes. */
  readonly isRecent: boolean;
}

/** A sale, and the user's role in it. */
export interface FounderSale {
  readonly founder: Founder;
  readonly sale: Sale;
  readonly members: readonly Member[];
  readonly role: Role;
  /** Whether owners and editors must sign in with a passkey. */
  readonly passkeysRequired: boolean;
}
