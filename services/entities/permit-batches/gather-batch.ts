import type { Kysely } from "kysely";
import { hexOfBytes } from "../../shared/encoding/hex.ts";
import type { ParticipationFacts } from "../eligibility/decide.ts";
import { type ParticipationSubject, ruledEntity } from "../eligibility/gather-facts.ts";
import { closedAccounts } from "../entities/closed-accounts-store.ts";
import type { Entity } from "../entities/entity.ts";
import { readDenied } from "../members/denied-wallets-store.ts";
import { frozenAmong } from "../rules/freezes-store.ts";
import type { EntitiesSchema } from "../schema/schema.ts";
import { bindingFactsOf } from "../wallets/bind-wallet.ts";
import type { BindingFacts, SaleWallet } from "../wallets/binding.ts";
import { readBindingsOf } from "../wallets/sale-wallets-store.ts";
import { walletColumn, walletKey } from "../wallets/wallet.ts";
import { readLinkedEntitiesOf } from "../wallets/wallet-links-store.ts";
import type { PlainSale } from "./plain-sale.ts";

/** The facts that `gatherFacts` and `readBindingFacts` would read for one subject, its wallet not yet judged. */
export interface BatchedFacts {
  /** `walletRisk` says what the deny list does. */
  readonly facts: ParticipationFacts;
  readonly binding: BindingFacts;
}

/** The rows about all subjects of a batch. */
interface BatchRows {
  readonly closed: ReadonlySet<string>;
  readonly frozen: ReadonlySet<string>;
  readonly bindings: readonly SaleWallet[];
  readonly linked: ReadonlyMap<string, readonly string[]>;
  readonly denied: ReadonlySet<string>;
}

const NOBODY: ReadonlySet<string> = new Set();

/**
 * Reads the facts about several subjects in a plain sale with one statement for each table.
 *
 * @param entities those of the subjects that exist, by UUID
 * @returns the facts in the order of the subjects; undefined for an entity that was deleted
 */
export async function gatherBatch(
  query: Kysely<EntitiesSchema>,
  sale: PlainSale,
  entities: ReadonlyMap<string, Entity>,
  subjects: readonly ParticipationSubject[],
  nowMs: bigint,
): Promise<readonly (BatchedFacts | undefined)[]> {
  if (entities.size === 0) return subjects.map(() => undefined);
  const rows = await readRows(query, sale, entities, subjects);
  return subjects.map((subject) => {
    const entity = entities.get(subject.entity.entityUuid);
    return entity && factsOf(sale, rows, subject, entity, nowMs);
  });
}

async function readRows(
  query: Kysely<EntitiesSchema>,
  { saleUuid, rules }: PlainSale,
  entities: ReadonlyMap<string, Entity>,
  subjects: readonly ParticipationSubject[],
): Promise<BatchRows> {
  const wallets = subjects.map(({ wallet }) => wallet);
  const keys = subjects.map(({ entity, wallet }) => ({ entityUuid: entity.entityUuid, wallet }));
  const ids = subjects.map(({ entity }) => entity.saleSpecificId);
  return {
    closed: await closedAccounts(
      query,
      [...entities.values()].map(({ accountUuid }) => accountUuid),
    ),
    frozen: await frozenAmong(query, saleUuid, ids),
    bindings: await readBindingsOf(query, saleUuid, keys),
    linked: await readLinkedEntitiesOf(query, wallets),
    denied: rules.wallets.denyList ? await readDenied(query, saleUuid, wallets.map(walletColumn)) : NOBODY,
  };
}

function factsOf(
  { saleUuid, rules, permitsStopped }: PlainSale,
  rows: BatchRows,
  { sale, entity: { entityUuid, saleSpecificId }, wallet }: ParticipationSubject,
  entity: Entity,
  nowMs: bigint,
): BatchedFacts {
  const facts: ParticipationFacts = {
    ...{ sale, rules, permitsStopped, nowSeconds: nowMs / 1_000n, members: [], livenessProved: false },
    entity: ruledEntity(entity, nowMs),
    accountClosed: rows.closed.has(entity.accountUuid),
    frozen: rows.frozen.has(hexOfBytes(saleSpecificId)),
    wallet: "usable",
    walletRisk: rows.denied.has(hexOfBytes(wallet.bytes)),
  };
  const concerns = (each: SaleWallet) => each.entityUuid === entityUuid || walletKey(each.wallet) === walletKey(wallet);
  const linked = rows.linked.get(walletKey(wallet)) ?? [];
  const key = { saleUuid, entityUuid, wallet };
  return { facts, binding: bindingFactsOf(key, rows.bindings.filter(concerns), linked) };
}
