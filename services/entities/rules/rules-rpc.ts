import type { ServiceImpl } from "@connectrpc/connect";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireMember } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { listFreezes, setFreeze } from "./freezes.ts";
import { readParticipantCounts } from "./participant-counts-store.ts";
import type { ParticipationRules } from "./participation-rules.ts";
import { rulesMessage } from "./rules-message.ts";
import { readRules } from "./rules-store.ts";
import { countUnexpiredPermits } from "./unexpired-permits-store.ts";
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

function getRules(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["getRules"] {
  const { database, clock } = dependencies;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const role = await requireMember(dependencies, context, saleUuid);
    return database.read(async (query) => {
      const { rules, version } = await readRules(query, saleUuid);
      const { members, denied } = await readParticipantCounts(query, saleUuid);
      const unexpiredPermits = await countUnexpiredPermits(query, saleUuid, clock());
      const shown = role === "viewer" ? withoutScreenerPath(rules) : rules;
      return { rules: rulesMessage(shown), version, unexpiredPermits, memberCount: members, denyListCount: denied };
    });
  };
}

/** Shortens the screener's URL to its host: path and query may hold a secret, which viewers don't need. */
function withoutScreenerPath(rules: ParticipationRules): ParticipationRules {
  const { screenerUrl } = rules.wallets;
  if (screenerUrl === "") return rules;
  return { ...rules, wallets: { ...rules.wallets, screenerUrl: new URL(screenerUrl).origin } };
}
