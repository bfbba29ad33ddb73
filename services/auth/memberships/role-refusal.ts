import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Role } from "./role.ts";

/** An attempt on a sale by a person whose role in it doesn't allow it. */
export interface RefusedAttempt {
  readonly accountUuid: string;
  readonly saleUuid: string;
  /** Undefined for a person who is no member. */
  readonly role: Role | undefined;
  readonly needed: Role;
  /** Whether only the passkey was missing that the sale requires. */
  readonly passkeyMissing?: boolean;
}

/** The error of such an attempt. The caller sees only code, message and rule. */
export class RoleRefusal extends ServiceError {
  readonly attempt: RefusedAttempt;

  constructor({ code, message, violations }: ServiceError, attempt: RefusedAttempt) {
    super(code, message, { violations });
    this.attempt = attempt;
  }
}
