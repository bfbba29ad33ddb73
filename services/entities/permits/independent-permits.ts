import { walletKey } from "../../../common/chains/wallet.ts";
import type { PermitDecision, UnsignedPermit } from "./decide-permit.ts";

/**
 * Returns those permits whose decisions hold whichever of them comes first: no two have an entity, a wallet, a wallet's holder or
 * a member in common. The first of each.
 */
export function independentPermits(decisions: readonly PermitDecision[]): ReadonlySet<PermitDecision> {
  const taken = new Set<string>();
  return new Set(
    decisions.filter((decision) => {
      if (decision.kind !== "ready") return false;
      const keys = touchedKeys(decision);
      if (keys.some((key) => taken.has(key))) return false;
      for (const key of keys) taken.add(key);
      return true;
    }),
  );
}

/** Names what a permit changes, or what a permit of another changes in the facts about this one. */
function touchedKeys({ binding: { entityUuid, wallet, binding }, matchedKeys }: UnsignedPermit): readonly string[] {
  const holder = binding?.entityUuid ?? entityUuid;
  return [entityUuid, holder, walletKey(wallet), ...matchedKeys];
}
