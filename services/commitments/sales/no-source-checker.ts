import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SourceChecker } from "../base/source-checker.ts";

/** Checks nothing; used without an indexer. */
export const noSourceChecker: SourceChecker = { checkSource: refuse, checkTokens: refuse };

async function refuse(): Promise<never> {
  throw new ServiceError("failed_precondition", "contracts can't be checked here: the operator must set INDEXER_URL");
}
