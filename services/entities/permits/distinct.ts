import { walletKey } from "../../../common/chains/wallet.ts";
import type { ParticipationSubject } from "../eligibility/gather-facts.ts";

/** Returns requests of which no two have an entity or a wallet in common: the first of each. */
export function distinctSubjects<Request extends { readonly subject: ParticipationSubject }>(
  requests: readonly Request[],
): readonly Request[] {
  const taken = new Set<string>();
  return requests.filter(({ subject: { entity, wallet } }) => {
    const keys = [entity.entityUuid, walletKey(wallet)];
    if (keys.some((key) => taken.has(key))) return false;
    for (const key of keys) taken.add(key);
    return true;
  });
}
