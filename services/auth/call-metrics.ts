import type { ServiceImpl } from "@connectrpc/connect";
import { type AccountService, CodeResult } from "../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import type { AuthorizationService } from "../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import type { AuthMetrics } from "./base/auth-metrics.ts";

type CompleteSignIn = ServiceImpl<typeof AccountService>["completeSignIn"];
type IssueTokens = ServiceImpl<typeof AuthorizationService>["issueTokens"];

const RESULTS: ReadonlyMap<CodeResult | undefined, string> = new Map([
  [CodeResult.CORRECT, "correct"],
  [CodeResult.WRONG, "wrong"],
]);
/** Labels take values of a small set only. */
const GRANTS: ReadonlySet<string | undefined> = new Set(["authorization_code", "refresh_token"]);

export function countedSignIn(handler: CompleteSignIn, { signIns }: AuthMetrics): CompleteSignIn {
  return async (request, context) => {
    const response = await handler(request, context);
    signIns.inc({ result: RESULTS.get(response.result) ?? "new_code_required" });
    return response;
  };
}

export function countedTokens(handler: IssueTokens, { tokens, refusals }: AuthMetrics): IssueTokens {
  return async (request, context) => {
    const response = await handler(request, context);
    const { result } = response;
    if (result?.case === "tokens") tokens.inc({ grant: grantOf(request.parameters) });
    if (result?.case === "error") refusals.inc({ error: result.value.error ?? "" });
    return response;
  };
}

function grantOf(parameters: readonly { readonly name: string; readonly value: string }[]): string {
  const grant = parameters.find(({ name }) => name === "grant_type")?.value;
  return grant !== undefined && GRANTS.has(grant) ? grant : "other";
}
