import { ServiceError } from "../../shared/errors/service-error.ts";
import type { Role } from "./role.ts";

/** An attempt on a sale by a person whose role in it doesn't allow it. */
export interface RefusedAttempt {
  readonly accountUuid: string;
  readonly saleUuid: string;
  /** Undefined for a person who is no member. */
  readonly role: Role | undefined;
  readonly needed: Role;
}

/** The error of such an attempt. The caller sees only code and message. */
export class RoleRefusal extends ServiceError {
  readonly attempt: RefusedAttempt;

  constructor({ code, message }: ServiceError, attempt: RefusedAttempt) {
    super(code, message);
    this.attempt = attempt;
  }
}
