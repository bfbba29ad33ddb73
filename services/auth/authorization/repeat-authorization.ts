import type { AuthContext } from "../base/context.ts";
import type { AuthorizationStep } from "./authorization-step.ts";
import { nextStep } from "./begin-authorization.ts";
import { type AuthorizationInBrowser, continueAuthorization } from "./continue-authorization.ts";
import { answeredStep, findAuthorization, useStoredSession } from "./resume-authorization.ts";

export interface RepeatedAuthorization extends AuthorizationInBrowser {
  /** The network address of the browser; empty if it isn't known. */
  readonly peerAddress: string;
}

/**
 * Begins an answered request again, for a browser that has lost the way to the application with the answer. It is judged as the
 * application's own repetition would be: only remembered consent answers it at once. It keeps the time of the first, so that a
 * sign-in since then counts, and no chain of repetitions outlives the half hour. One that isn't answered yet continues.
 *
 * @throws ServiceError `resource_exhausted`, `unavailable`.
 */
export async function repeatAuthorization(
  context: AuthContext,
  repeated: RepeatedAuthorization,
): Promise<AuthorizationStep> {
  const { browserToken, peerAddress } = repeated;
  await context.rateLimits.take("authorize_address", peerAddress);
  const nowMs = context.clock();
  const found = await findAuthorization(context, repeated, nowMs);
  if (found.kind === "error") return found;
  if (!found.answered) return continueAuthorization(context, repeated);
  if (found.expired) return answeredStep(found);
  const session = await useStoredSession(context, found, repeated, nowMs);
  const { target, request, chosenAccountUuid } = found;
  const checked = { target, request, chosenAccountUuid, session, browserToken, peerAddress, silent: false };
  return nextStep(context, checked, nowMs);
}
