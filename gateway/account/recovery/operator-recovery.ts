import { isRefusedByRule } from "../../web/sessions/auth-failure.ts";
import { AUTH_PATHS } from "../../web/sessions/auth-paths.ts";

/** Whether a change was refused because the operator is recovering the account. */
export function isDuringOperatorRecovery(error: unknown): boolean {
  return isRefusedByRule(error, "account.operator_recovery");
}

/** Makes a change. @returns the page to show then: `done`, or that of the recovery, which says why nothing was changed */
export async function orRecovery(change: () => Promise<unknown>, done: string): Promise<string> {
  try {
    await change();
    return done;
  } catch (error) {
    if (!isDuringOperatorRecovery(error)) throw error;
    return AUTH_PATHS.recovery;
  }
}
