import type { ServiceImpl } from "@connectrpc/connect";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { getRules } from "./get-rules.ts";
import { listFreezes } from "./list-freezes.ts";
import { setFreeze } from "./set-freeze.ts";
import { updateRules } from "./update-rules.ts";

/** The methods of `EligibilityService` for the rules of a sale and its frozen entities. */
export function rulesMethods(
  dependencies: EntitiesContext,
): Pick<ServiceImpl<typeof EligibilityService>, "getRules" | "updateRules" | "setFreeze" | "listFreezes"> {
  return {
    getRules: getRules(dependencies),
    updateRules: updateRules(dependencies),
    setFreeze: setFreeze(dependencies),
    listFreezes: listFreezes(dependencies),
  };
}
