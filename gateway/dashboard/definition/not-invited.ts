import { Code } from "@connectrpc/connect";
import { PageError } from "../../web/pages/page-error.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import { SALES_LINK } from "../base/sales-link.ts";

/** Turns the refusal to create sales at all into a page. */
export async function orNotInvited<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (isRefused(error, Code.PermissionDenied)) throw notInvited();
    throw error;
  }
}

function notInvited(): PageError {
  return new PageError(
    403,
    ({ dashboard }) => dashboard.definition.notInvitedTitle,
    ({ dashboard }) => dashboard.definition.notInvitedText,
    { link: SALES_LINK },
  );
}
