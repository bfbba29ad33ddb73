import type { ServiceImpl } from "@connectrpc/connect";
import { parseWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireApplication } from "../authority/application-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { readSaleFacts } from "../base/sale-facts.ts";
import type { MatchedMember } from "../members/matching-members-store.ts";
import { largestAmount } from "../rules/amount-rules.ts";
import { checkEligibility } from "./check-eligibility.ts";
import {
  type AmountLimits,
  amountLimits,
  chosenGroup,
  type EligibilityFacts,
  isExcluded,
} from "./entity-eligibility.ts";
import { loadEligibility } from "./load-facts.ts";
import { requireEntityOfWallet } from "./visible-entity.ts";

/** The methods of `EligibilityService` for applications. */
export function eligibilityMethods(
  dependencies: EntitiesContext,
): Pick<ServiceImpl<typeof EligibilityService>, "checkEligibility" | "getLimits"> {
  return { checkEligibility: checkEligibility(dependencies), getLimits: getLimits(dependencies) };
}

/** The limits of an entity, and whether they come from a membership. */
interface EntityLimits extends AmountLimits {
  readonly custom: boolean;
}

function getLimits(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["getLimits"] {
  const { database } = dependencies;
  return async ({ access, saleUuid, wallet: address }) => {
    const needed = { scope: "sale_eligibility_check", saleUuid } as const;
    const grant = await requireApplication(dependencies, access, needed);
    const sale = await readSaleFacts(dependencies, grant.saleUuid);
    if (sale.kind === undefined) throw new ServiceError("not_found", "the sale has no contract, and so no wallets");
    const wallet = parseWallet(sale.kind, address, "wallet");
    const { entity, isTied } = await requireEntityOfWallet(dependencies, grant, sale, wallet);
    // Else whoever types in a stranger's wallet would learn by their own limits what it is allotted.
    const participant = { sale, entity, email: grant.email, ...(isTied && { wallet }) };
    const [facts] = await database.read((query) => loadEligibility(dependencies, query, [participant]));
    if (facts === undefined) throw new ServiceError("not_found", "the wallet belongs to no entity in this sale");
    const { custom, minAmount, maxAmount = largestAmount(sale.kind) } = entityLimits(facts);
    return { custom, minAmount: minAmount.toString(), maxAmount: maxAmount.toString() };
  };
}

/** Returns the limits of an entity at any time; 0 for one that may not take part. */
export function entityLimits(facts: EligibilityFacts & { readonly members: readonly MatchedMember[] }): EntityLimits {
  const chosen = chosenGroup(facts.rules, facts.members);
  if (chosen === undefined || isExcluded(facts)) return { custom: false, minAmount: 0n, maxAmount: 0n };
  return { custom: chosen.members.length > 0, ...amountLimits(chosen) };
}
