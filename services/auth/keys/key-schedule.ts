import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { KEY_LEAD_MS, RETIRED_KEY_MS } from "../base/lifetimes.ts";

export type KeyStatus = "next" | "active" | "retired";

/** A signing key without its key material. Times are milliseconds since 1970. */
export interface ScheduledKey {
  /** The `kid`. */
  readonly keyId: string;
  readonly status: KeyStatus;
  readonly createdAtMs: bigint;
  readonly activatedAtMs?: bigint;
  readonly retiredAtMs?: bigint;
}

/** The changes that are due, in the order in which they are carried out. */
export interface KeyPlan {
  /** Retired keys whose tokens have all expired. */
  readonly remove: readonly string[];
  readonly retire: readonly string[];
  readonly activate?: string;
  readonly create: readonly ("active" | "next")[];
}

/** Plans what is due now. @param rotationMs the time for which a key signs. */
export function planKeys(keys: readonly ScheduledKey[], nowMs: bigint, rotationMs: bigint): KeyPlan {
  const { active, next } = currentKeys(keys);
  const isDue = active === undefined || nowMs - (active.activatedAtMs ?? active.createdAtMs) >= rotationMs;
  const takesOver = next !== undefined && (active === undefined || (isDue && isKnown(next, nowMs)));
  return planOf(keys, nowMs, takesOver);
}

/**
 * Plans to make the next key the active one now.
 *
 * @throws ServiceError `failed_precondition` where verifiers may not know the next key yet
 */
export function planRotation(keys: readonly ScheduledKey[], nowMs: bigint): KeyPlan {
  const { next } = currentKeys(keys);
  if (next !== undefined && isKnown(next, nowMs)) return planOf(keys, nowMs, true);
  const from = new Date(Number((next?.createdAtMs ?? nowMs) + KEY_LEAD_MS)).toISOString();
  throw new ServiceError("failed_precondition", `verifiers may not know the next key yet; rotate after ${from}`);
}

/** Keys that are removed: those with these IDs, or all. */
export type RemovedKeys = readonly string[] | "all";

/**
 * Plans to remove leaked keys now: nothing that they signed is valid any more. Where the active one is among them, the next one
 * signs at once, however young it is: verifiers that don't know it yet load the JWKS again for it.
 */
export function planRemoval(keys: readonly ScheduledKey[], removed: RemovedKeys): KeyPlan {
  const isKept = ({ keyId }: ScheduledKey) => removed !== "all" && !removed.includes(keyId);
  const { active, next } = currentKeys(keys.filter(isKept));
  const create: KeyPlan["create"][number][] = active === undefined && next === undefined ? ["active"] : [];
  if (active === undefined || next === undefined) create.push("next");
  return {
    remove: keys.filter((key) => !isKept(key)).map(({ keyId }) => keyId),
    retire: [],
    ...(active === undefined && next !== undefined ? { activate: next.keyId } : {}),
    create,
  };
}

export function isEmptyPlan({ remove, retire, activate, create }: KeyPlan): boolean {
  return remove.length === 0 && retire.length === 0 && activate === undefined && create.length === 0;
}

function planOf(keys: readonly ScheduledKey[], nowMs: bigint, takesOver: boolean): KeyPlan {
  const { active, next } = currentKeys(keys);
  const remove = keys.filter(({ retiredAtMs }) => retiredAtMs !== undefined && nowMs - retiredAtMs >= RETIRED_KEY_MS);
  const create: KeyPlan["create"][number][] = active === undefined && next === undefined ? ["active"] : [];
  if (next === undefined || takesOver) create.push("next");
  return {
    remove: remove.map(({ keyId }) => keyId),
    retire: takesOver && active !== undefined ? [active.keyId] : [],
    ...(takesOver && next !== undefined ? { activate: next.keyId } : {}),
    create,
  };
}

function currentKeys(keys: readonly ScheduledKey[]) {
  return {
    active: keys.find(({ status }) => status === "active"),
    next: keys.find(({ status }) => status === "next"),
  };
}

function isKnown({ createdAtMs }: ScheduledKey, nowMs: bigint): boolean {
  return nowMs - createdAtMs >= KEY_LEAD_MS;
}
