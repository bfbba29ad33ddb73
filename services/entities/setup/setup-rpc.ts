import type { ServiceImpl } from "@connectrpc/connect";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { EntityService } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { providerMessage } from "../entities/entity-message.ts";
import { beginSetup } from "./begin-setup.ts";
import { chooseDemoSetup } from "./choose-demo-setup.ts";
import { decideReview } from "./decide-review.ts";
import { listReviews } from "./list-reviews.ts";
import { confirmLiveness } from "./liveness.ts";
import { reportSetup } from "./report-setup.ts";
import { isReviewer } from "./reviewers.ts";

/** The methods of `EntityService` for the set-up of entities. */
export function setupMethods(
  dependencies: EntitiesContext,
): Pick<
  ServiceImpl<typeof EntityService>,
  | "beginSetup"
  | "reportSetup"
  | "chooseDemoSetup"
  | "listReviews"
  | "decideReview"
  | "confirmLiveness"
  | "getSetupPolicy"
> {
  return {
    beginSetup: beginSetup(dependencies),
    reportSetup: reportSetup(dependencies),
    chooseDemoSetup: chooseDemoSetup(dependencies),
    listReviews: listReviews(dependencies),
    decideReview: decideReview(dependencies),
    confirmLiveness: confirmLiveness(dependencies),

    async getSetupPolicy(_request, context) {
      const provider = providerMessage(dependencies.identity.provider);
      return { provider, isReviewer: await isReviewer(dependencies, principalOf(context)) };
    },
  };
}
