import type { AuthContext } from "../base/context.ts";
import { findSession } from "../sessions/sessions-store.ts";
import { chooseAccount as storeChoice } from "./authorization-requests-store.ts";
import type { AuthorizationStep } from "./authorization-step.ts";
import { type AuthorizationInBrowser, continueAuthorization } from "./continue-authorization.ts";
import { answeredStep, resumeAuthorization } from "./resume-authorization.ts";

export interface AccountChoice extends AuthorizationInBrowser {
  /** The account that the page has shown. */
  readonly accountUuid: string;
}

/**
 * Takes the choice to go on with the signed-in account (`prompt=select_account`). A choice of an account that has signed out since
 * changes nothing.
 *
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function chooseAccount(context: AuthContext, choice: AccountChoice): Promise<AuthorizationStep> {
  const nowMs = context.clock();
  const resumed = await resumeAuthorization(context, choice, nowMs);
  if (resumed.kind === "error") return resumed;
  const session = await findSession(context.database, choice.sessionToken, nowMs);
  if (session?.accountUuid !== choice.accountUuid) return continueAuthorization(context, choice);
  const { handle, accountUuid } = choice;
  const stored = await context.database.write((transaction) => storeChoice(transaction, handle, accountUuid, nowMs));
  return stored ? continueAuthorization(context, choice) : answeredStep(resumed);
}
