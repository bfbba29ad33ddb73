import type { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { Html } from "../../web/pages/layout.ts";

/** One thing that wants doing. */
export interface NextStep {
  /** Text of a link, such as `Add an application`. */
  readonly text: string;
  /** The page where it is done. */
  readonly href: string;
  /** Why, or what else to know: sentences. */
  readonly why?: Html | string;
  /** The lowest role that may do it. */
  readonly needs: Role;
  /** A draft can't open without it; an open sale doesn't work as it should. */
  readonly isUrgent: boolean;
}

/** Whether somebody may do a step. */
export function mayDo({ needs }: NextStep, role: Role): boolean {
  return role >= needs;
}
