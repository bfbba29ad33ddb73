import { SourceFault } from "../../../chains/base/source-fault.ts";
import { decodeAccount, unusableAnswer } from "../../../chains/svm/account-answer.ts";
import { CallTooLarge } from "../../../chains/svm/call-too-large.ts";
import { decodeEntityState, decodeWalletBinding, type SettlementSale } from "../../reference/svm/account-layout.ts";
import type { BindingDirectory } from "../../reference/svm/binding-directory.ts";
import { type EntityRow, entityRow } from "../../reference/svm/entity-row.ts";
import { accountDigest } from "../../reference/svm/entity-table.ts";
import type { EntityAccount } from "../../reference/svm/polled-entities.ts";
import type { AccountsAtSlot, SaleAccounts } from "../../reference/svm/sale-accounts.ts";

/** Attempts for an entity. It may get a wallet between the listing of its bindings and their read. */
const MAX_ATTEMPTS = 4;

/** An entity and all its bindings at one slot. */
export interface ReadEntity {
  readonly row: EntityRow;
  /** Digest of the EntityState's bytes. */
  readonly digest: Uint8Array;
  readonly slot: bigint;
  /** The sale at the same slot. */
  readonly sale: SettlementSale;
}

interface EntityWithBindings extends EntityAccount {
  /** Base58. */
  readonly bindings: readonly string[];
}

/**
 * Reads entities with their wallet bindings, each entity at one slot. An entity is accepted if its bindings add up to its
 * amount.
 *
 * @param directory the probable addresses of the bindings. Without it, or if some are wrong, the bindings are listed.
 * @throws SourceFault, also if an entity is gone or isn't accepted after several attempts.
 */
export async function readEntities(
  accounts: SaleAccounts,
  accountsToRead: readonly EntityAccount[],
  minSlot: bigint,
  signal: AbortSignal,
  directory?: BindingDirectory,
): Promise<readonly ReadEntity[]> {
  const read: ReadEntity[] = [];
  let pending = accountsToRead;
  for (let attempt = 1; attempt <= MAX_ATTEMPTS && pending.length > 0; attempt += 1) {
    const cached = attempt === 1 ? directory : undefined;
    const bindings = cached ?? (await accounts.bindings(idsOf(pending), minSlot, signal));
    const withBindings = pending.map((entity) => ({ ...entity, bindings: bindings.of(entity.entityId) }));
    const accepted = await readGroups(accounts, withBindings, minSlot, signal);
    read.push(...accepted);
    const acceptedIds = new Set(accepted.map(({ row }) => row.entityId));
    pending = pending.filter(({ entityId }) => !acceptedIds.has(entityId));
  }
  const [refused] = pending;
  if (refused === undefined) return read;
  const message = `the wallet bindings of entity 0x${refused.entityId} do not add up to its amount`;
  throw new SourceFault(message, { remedy: "wait" });
}

function idsOf(entities: readonly EntityAccount[]): readonly string[] {
  return entities.map(({ entityId }) => entityId);
}

/** Reads entities by calls for as many accounts as the nodes allow. @returns the accepted entities. */
async function readGroups(
  accounts: SaleAccounts,
  entities: readonly EntityWithBindings[],
  minSlot: bigint,
  signal: AbortSignal,
): Promise<readonly ReadEntity[]> {
  const { maxOthers } = accounts;
  const { accepted, left } = await readTrial(accounts, entities, minSlot, signal);
  const read = async (group: readonly EntityWithBindings[]): Promise<readonly ReadEntity[]> => {
    try {
      return await readGroup(accounts, group, maxOthers, minSlot, signal);
    } catch (error) {
      if (!(error instanceof CallTooLarge)) throw error;
      if (accounts.maxOthers === maxOthers) throw refusedAlone(group, error);
      return readGroups(accounts, group, minSlot, signal);
    }
  };
  return [...accepted, ...(await Promise.all(grouped(left, maxOthers).map(read))).flat()];
}

/** Tries one call for more accounts than the nodes allowed before. @returns the accepted entities, and those that it didn't ask for. */
async function readTrial(
  accounts: SaleAccounts,
  entities: readonly EntityWithBindings[],
  minSlot: bigint,
  signal: AbortSignal,
): Promise<{ readonly accepted: readonly ReadEntity[]; readonly left: readonly EntityWithBindings[] }> {
  const { maxOthers, trialOthers } = accounts;
  const [group = []] = trialOthers === undefined ? [] : grouped(entities, trialOthers);
  if (trialOthers === undefined || accountsOf(group) <= maxOthers) return { accepted: [], left: entities };
  try {
    const accepted = await readGroup(accounts, group, trialOthers, minSlot, signal);
    return { accepted, left: entities.slice(group.length) };
  } catch (error) {
    if (!(error instanceof SourceFault)) throw error;
    // Whatever its reason, calls for fewer accounts may be answered.
    return { accepted: [], left: entities };
  }
}

function accountsOf(entities: readonly EntityWithBindings[]): number {
  return entities.reduce((count, { bindings }) => count + 1 + bindings.length, 0);
}

/** A fault of the sale, not of its nodes, which answer other calls, unless one of them doesn't answer now. */
function refusedAlone([entity]: readonly EntityWithBindings[], error: CallTooLarge): SourceFault {
  const message = `the accounts of entity 0x${entity?.entityId} are refused even alone (${error.message})`;
  return new SourceFault(message, { remedy: error.mayBeTaken ? "wait" : "mend", cause: error });
}

/** Groups of entities that fit into one call each. An entity that doesn't fit into a call is a group of its own. */
function grouped(
  entities: readonly EntityWithBindings[],
  maxOthers: number,
): readonly (readonly EntityWithBindings[])[] {
  const groups: EntityWithBindings[][] = [];
  let room = 0;
  for (const entity of entities) {
    const size = 1 + entity.bindings.length;
    if (size > room) {
      groups.push([]);
      room = maxOthers;
    }
    groups.at(-1)?.push(entity);
    room -= size;
  }
  return groups;
}

/** @returns the accepted entities. */
async function readGroup(
  accounts: SaleAccounts,
  group: readonly EntityWithBindings[],
  maxOthers: number,
  minSlot: bigint,
  signal: AbortSignal,
): Promise<readonly ReadEntity[]> {
  const [first] = group;
  if (first !== undefined && first.bindings.length >= maxOthers) {
    return readLarge(accounts, first, maxOthers, minSlot, signal);
  }
  const addresses = group.flatMap(({ address, bindings }) => [address, ...bindings]);
  const answer = await accounts.withSale(addresses, minSlot, signal);
  let next = 0;
  return group.flatMap((entity) => {
    const begin = next;
    next += 1 + entity.bindings.length;
    return accept(entity, answer, answer.others.slice(begin, next));
  });
}

/** Reads an entity by several calls, which must all be answered at the same slot. */
async function readLarge(
  accounts: SaleAccounts,
  entity: EntityWithBindings,
  maxOthers: number,
  minSlot: bigint,
  signal: AbortSignal,
): Promise<readonly ReadEntity[]> {
  const parts: (readonly string[])[] = [];
  for (let begin = 0; begin < entity.bindings.length; begin += maxOthers - 1) {
    parts.push(entity.bindings.slice(begin, begin + maxOthers - 1));
  }
  const calls = parts.map((part) => accounts.withSale([entity.address, ...part], minSlot, signal));
  const answers = await Promise.all(calls);
  const [first] = answers;
  if (first === undefined || answers.some(({ slot }) => slot !== first.slot)) return [];
  const bindings = answers.flatMap(({ others }) => others.slice(1));
  return accept(entity, first, [first.others[0], ...bindings]);
}

/**
 * Accepts an entity if its bindings add up. Bindings that are gone don't matter if the others do.
 *
 * @param data the data of the entity's account, then of its bindings.
 * @returns the entity, or nothing if its bindings must be listed again.
 */
function accept(
  entity: EntityWithBindings,
  { slot, sale }: AccountsAtSlot,
  [stateData, ...bindingData]: readonly (Uint8Array | undefined)[],
): readonly ReadEntity[] {
  if (stateData === undefined) throw unusableAnswer(`entity 0x${entity.entityId} vanished while it was read`);
  const state = decodeAccount(entity.address, () => decodeEntityState(stateData));
  if (state.entityId !== entity.entityId) throw unusableAnswer(`account ${entity.address} is another entity`);
  const bindings = bindingData.flatMap((data, index) =>
    data === undefined ? [] : [decodeAccount(entity.bindings[index] ?? "", () => decodeWalletBinding(data))],
  );
  const row = entityRow(state, bindings, sale);
  return row === undefined ? [] : [{ row, digest: accountDigest(stateData), slot, sale }];
}
