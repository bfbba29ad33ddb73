import type { Allocation } from "../record/allocation.ts";
import { ascending } from "../record/ascending.ts";
import type { SettledCommitment } from "./settle.ts";

/** Returns what is accepted of each entity, wallet and token, in that order ascending, without zeros. */
export function allocationsOf(commitments: readonly SettledCommitment[]): readonly Allocation[] {
  const sums = new Map<string, Allocation>();
  for (const { entityId, amounts } of commitments) {
    for (const { wallet, token, accepted } of amounts) {
      if (accepted === 0n) continue;
      const key = allocationKey({ entityId, wallet, token });
      sums.set(key, { entityId, wallet, token, accepted: accepted + (sums.get(key)?.accepted ?? 0n) });
    }
  }
  return [...sums.values()].sort(
    (one, other) =>
      ascending(one.entityId, other.entityId) ||
      ascending(one.wallet, other.wallet) ||
      ascending(one.token, other.token),
  );
}

/** Returns the text that names an allocation among others. */
export function allocationKey({ entityId, wallet, token }: Omit<Allocation, "accepted">): string {
  return `${entityId} ${wallet} ${token}`;
}
