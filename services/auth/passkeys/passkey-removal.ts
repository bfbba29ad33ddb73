import { ServiceError } from "../../../common/platform/errors/service-error.ts";

/** The effect of removing a passkey. */
export interface RemovalEffect {
  /** The number of passkeys that would be left. */
  readonly left: number;
  /** Whether the account requires a passkey at each sign-in. */
  readonly isRequired: boolean;
  /** UUIDs of the sales that require passkeys of the person, an owner or editor of them. */
  readonly sales: readonly string[];
}

/**
 * Checks that nobody locks themselves out by removing the last passkey.
 *
 * @throws ServiceError `failed_precondition`
 */
export function checkRemoval({ left, isRequired, sales }: RemovalEffect): void {
  if (left > 0) return;
  if (isRequired) throw refusal("your account requires a passkey: end that first, or add another passkey");
  const [sale] = sales;
  if (sale !== undefined) throw refusal(`the sale ${sale} requires a passkey of you: add another passkey first`);
}

function refusal(message: string): ServiceError {
  return new ServiceError("failed_precondition", `the last passkey can't be removed: ${message}`);
}
