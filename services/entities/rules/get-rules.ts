import type { ServiceImpl } from "@connectrpc/connect";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireRole } from "../access/sale-access.ts";
import type { RulesDependencies } from "./dependencies.ts";
import { readParticipantCounts } from "./participant-counts-store.ts";
import { rulesMessage } from "./rules-message.ts";
import { readRules } from "./rules-store.ts";
import { countUnexpiredPermits } from "./unexpired-permits-store.ts";

export function getRules(dependencies: RulesDependencies): ServiceImpl<typeof EligibilityService>["getRules"] {
  const { database, clock } = dependencies;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await requireRole(dependencies, context, saleUuid, "viewer");
    return database.read(async (query) => {
      const { rules, version } = await readRules(query, saleUuid);
      const { members, denied } = await readParticipantCounts(query, saleUuid);
      const unexpiredPermits = await countUnexpiredPermits(query, saleUuid, clock());
      return { rules: rulesMessage(rules), version, unexpiredPermits, memberCount: members, denyListCount: denied };
    });
  };
}
