import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import { type Asked, bounded, orUnknown } from "./gather-facts.ts";
import type { Known, OpeningProblemFacts, PermitFacts } from "./sale-facts.ts";

/**
 * Asks the entities service why a draft in which people take part can't open. Undefined where it can't be asked, and for other sales.
 *
 * @param asked of one sale
 * @throws SignInRequired
 */
export async function openingProblemsOf(
  { founder, dependencies, saleUuids, next }: Asked,
  status: SaleStatus,
  permits: Known<PermitFacts>,
): Promise<Known<readonly OpeningProblemFacts[]>> {
  const [saleUuid = ""] = saleUuids;
  const { entitiesUpstream } = dependencies;
  if (entitiesUpstream === undefined || status !== SaleStatus.DRAFT || !permits?.enabled) return undefined;
  const found = await orUnknown(dependencies, "opening problems", async () => {
    const options = await atEntities(founder, dependencies, next);
    return entitiesUpstream.permits.listOpeningProblems({ saleUuid }, bounded(options));
  });
  return found?.problems;
}
