import type { ApplicationGrant } from "../authority/application-access.ts";

/** The part of a grant that a permit depends on. */
export type PermitGrant = Omit<ApplicationGrant, "scopes">;

/** Something that was begun by what auth said before, if `granted` is there. */
interface Begun {
  readonly grant: PermitGrant;
  /** The answer of auth to this call. It may reject. */
  readonly granted?: Promise<PermitGrant>;
}

/** Auth has usually answered before the database has. A sale isn't locked for longer than this where auth is slow. */
const LONGEST_WAIT_MS = 20;

/** Returns those for which auth says now what it said before. */
export async function confirmedGrants<Each extends Begun>(begun: readonly Each[]): Promise<ReadonlySet<Each>> {
  const confirmed = new Set(begun.filter(({ granted }) => granted === undefined));
  if (confirmed.size === begun.length) return confirmed;
  const { promise: late, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, LONGEST_WAIT_MS);
  const asking = begun.map(async (each) => {
    if (each.granted !== undefined && isSame(each.grant, await each.granted)) confirmed.add(each);
  });
  await Promise.race([Promise.allSettled(asking), late]);
  clearTimeout(timer);
  // Those that are confirmed later aren't among those that were judged.
  return new Set(confirmed);
}

function isSame(before: PermitGrant, now: PermitGrant): boolean {
  return (
    before.accountUuid === now.accountUuid &&
    before.clientUuid === now.clientUuid &&
    before.saleUuid === now.saleUuid &&
    before.email === now.email
  );
}
