import { ContractKnowledge, PermitKeyStatus } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { atEntities } from "../../web/sessions/at-entities.ts";
import { type Asked, bounded, orUnknown } from "./gather-facts.ts";
import type { Known, PermitFacts } from "./sale-facts.ts";

/**
 * Asks whether the contract of a sale knows the key that signs its permits. Undefined where it can't be asked, and where no
 * permits are signed.
 *
 * @param asked of one sale
 * @throws SignInRequired
 */
export async function isSignerKnown(
  { founder, dependencies, saleUuids, next }: Asked,
  permits: Known<PermitFacts>,
): Promise<Known<boolean>> {
  const [saleUuid = ""] = saleUuids;
  const { entitiesUpstream } = dependencies;
  if (entitiesUpstream === undefined || !permits?.enabled || !permits.hasActiveKey) return undefined;
  const found = await orUnknown(dependencies, "signer", async () => {
    const options = await atEntities(founder, dependencies, next);
    return entitiesUpstream.permits.listKeys({ saleUuid }, bounded(options));
  });
  const contract = found?.keys.find(({ status }) => status === PermitKeyStatus.ACTIVE)?.contract;
  if (contract === ContractKnowledge.KNOWN) return true;
  return contract === ContractKnowledge.UNKNOWN_KEY ? false : undefined;
}
