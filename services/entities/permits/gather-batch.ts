import type { Kysely } from "kysely";
import { walletKey, walletOfRow } from "../../../common/chains/wallet.ts";
import { executeNamed, type RowsByName } from "../../../common/platform/db/sql/statement-batch.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { ParticipationFacts } from "../eligibility/decide.ts";
import { type ParticipationSubject, ruledEntity } from "../eligibility/gather-facts.ts";
import { entityOfRow } from "../entities/entity-rows.ts";
import type { PermitKey } from "../permit-keys/permit-key.ts";
import { keyOfRow } from "../permit-keys/permit-keys-store.ts";
import { DEFAULT_RULES, type ParticipationRules } from "../rules/participation-rules.ts";
import { rulesOfText } from "../rules/rules-text.ts";
import { bindingFactsOf } from "../wallets/bind-wallet.ts";
import type { BindingFacts } from "../wallets/binding.ts";
import { BatchBindings } from "./batch-bindings.ts";
import { type BatchStatementsOptions, batchStatements } from "./batch-statements.ts";

/** The facts that `gatherFacts` and `readBindingFacts` would read for one subject, its wallet not yet judged. */
export interface BatchedFacts {
  /** `walletRisk` says what the deny list does. */
  readonly facts: ParticipationFacts;
  readonly binding: BindingFacts;
  readonly accountUuid: string;
  /** The applications from which the entity is hidden. */
  readonly hiddenFrom: ReadonlySet<string>;
}

/** The facts about several subjects of a sale. */
export interface GatheredBatch {
  readonly rules: ParticipationRules;
  /** The keys of the sale, the newest first. */
  readonly keys: readonly PermitKey[];
  /** Whether the sale has neither members nor proofs of presence: their facts aren't read. */
  readonly isPlain: boolean;
  /**
   * Returns the facts at a time, in the order of the subjects; undefined for an entity that was deleted.
   *
   * @param nowMs milliseconds since 1970
   */
  at(nowMs: bigint): readonly (BatchedFacts | undefined)[];
}

type Rows = RowsByName<ReturnType<typeof batchStatements>>;

/** Reads the facts about several subjects in a plain sale, and locks what `options.locks` says, with one message. */
export async function gatherBatch(
  query: Kysely<EntitiesSchema>,
  options: BatchStatementsOptions,
): Promise<GatheredBatch> {
  const rows = await executeNamed(query, options.dialect, batchStatements(options));
  const [stored] = rows.rules;
  const rules = stored === undefined ? DEFAULT_RULES : rulesOfText(stored.rules);
  return {
    rules,
    keys: rows.keys.map(keyOfRow),
    isPlain: !rules.livenessRequired && rows.member.length === 0,
    at: (nowMs) => factsOf(options, rules, rows, nowMs),
  };
}

function factsOf(
  { saleUuid, subjects }: BatchStatementsOptions,
  rules: ParticipationRules,
  rows: Rows,
  nowMs: bigint,
): readonly (BatchedFacts | undefined)[] {
  const entities = new Map(rows.entities.map(entityOfRow).map((entity) => [entity.uuid, entity]));
  const closed = new Set(rows.closed.map(({ account }) => uuidFromBytes(account)));
  const frozen = new Set(rows.frozen.map(({ sale_specific_id }) => hexOfBytes(sale_specific_id)));
  const denied = new Set(rules.wallets.denyList ? rows.denied.map(({ wallet }) => hexOfBytes(wallet)) : []);
  const bindings = new BatchBindings([...rows.bindingsByWallet, ...rows.bindingsByEntity]);
  const linked = linkedEntities(rows.links);
  const hidden = Map.groupBy(rows.hidden, ({ entity }) => uuidFromBytes(entity));
  const [stop] = rows.stop;
  const permitsStopped = stop !== undefined && stop.stopped_at_ms !== null;
  return subjects.map(({ sale, entity: { entityUuid, saleSpecificId }, wallet }: ParticipationSubject) => {
    const entity = entities.get(entityUuid);
    if (entity === undefined) return undefined;
    const facts: ParticipationFacts = {
      ...{ sale, rules, permitsStopped, nowSeconds: nowMs / 1_000n, members: [], livenessProved: false },
      entity: ruledEntity(entity, nowMs),
      accountClosed: closed.has(entity.accountUuid),
      frozen: frozen.has(hexOfBytes(saleSpecificId)),
      wallet: "usable",
      walletRisk: denied.has(hexOfBytes(wallet.bytes)),
    };
    const key = { saleUuid, entityUuid, wallet };
    return {
      facts,
      binding: bindingFactsOf(key, bindings.of(key), linked.get(walletKey(wallet)) ?? []),
      accountUuid: entity.accountUuid,
      hiddenFrom: new Set(hidden.get(entityUuid)?.map(({ client }) => uuidFromBytes(client))),
    };
  });
}

/** Returns the UUIDs of the entities to which wallets are linked, by `walletKey`. */
function linkedEntities(rows: Rows["links"]): ReadonlyMap<string, readonly string[]> {
  const byWallet = Map.groupBy(rows, (row) => walletKey(walletOfRow(row)));
  return new Map([...byWallet].map(([key, of]) => [key, of.map(({ entity }) => uuidFromBytes(entity))]));
}
