import type { HandlerContext } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { passingRefusals } from "../../../common/platform/rpc/client/upstream-refusal.ts";
import { type Principal, principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { EntitiesContext } from "../base/context.ts";

type Dependencies = Pick<EntitiesContext, "accounts" | "identity">;

/** Whether a caller may decide reviews: an operator, or a person whose account has an address of `REVIEWERS`. */
export async function isReviewer({ accounts, identity }: Dependencies, principal: Principal): Promise<boolean> {
  if (principal.kind === "operator") return true;
  if (identity.reviewers.size === 0) return false;
  const { accountUuid } = principal;
  const answer = await passingRefusals(accounts.getAccounts({ accountUuids: [accountUuid] }));
  return answer.accounts.some(({ uuid, email }) => uuid === accountUuid && identity.reviewers.has(email));
}

/**
 * Returns the reviewer or operator of a call. Reviews show what people declared about themselves, and decide who may take part:
 * reading a reviewer's mails must not be enough.
 *
 * @throws ServiceError `permission_denied` for anyone else; `failed_precondition` for a reviewer who signed in without a passkey
 */
export async function requireReviewer(
  dependencies: Dependencies,
  context: Pick<HandlerContext, "values">,
): Promise<Principal> {
  const principal = principalOf(context);
  if (!(await isReviewer(dependencies, principal))) {
    throw new ServiceError("permission_denied", "only reviewers may do this");
  }
  if (principal.kind === "person" && principal.authenticatedBy !== "passkey") {
    throw new ServiceError("failed_precondition", "reviewers must sign in with a passkey");
  }
  return principal;
}
