import type { ServiceImpl } from "@connectrpc/connect";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { checkEligibility } from "./check-eligibility.ts";
import type { EligibilityDependencies } from "./dependencies.ts";
import { getLimits } from "./get-limits.ts";

/** The methods of `EligibilityService` for applications. */
export function eligibilityMethods(
  dependencies: EligibilityDependencies,
): Pick<ServiceImpl<typeof EligibilityService>, "checkEligibility" | "getLimits"> {
  return { checkEligibility: checkEligibility(dependencies), getLimits: getLimits(dependencies) };
}
