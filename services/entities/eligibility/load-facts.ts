import type { Kysely } from "kysely";
import { type Wallet, walletOfRow } from "../../../common/chains/wallet.ts";
import { executeNamed, type RowsByName } from "../../../common/platform/db/sql/statement-batch.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { EntitiesContext } from "../base/context.ts";
import { type Entity, effectiveSetupState } from "../base/entity.ts";
import type { SaleFacts } from "../base/sale-facts.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { entityOfRow } from "../entities/entities-store.ts";
import type { SaleEntity } from "../entities/sale-entities-store.ts";
import { type MatchedMember, matchMembers } from "../members/matching-members-store.ts";
import type { PermitKey } from "../permit-keys/permit-key.ts";
import { keyOfRow } from "../permit-keys/permit-keys-store.ts";
import { DEFAULT_RULES, rulesOfText } from "../rules/participation-rules.ts";
import { SaleBindings } from "../wallets/binding.ts";
import { saleWalletOfRow } from "../wallets/sale-wallets-store.ts";
import type { SubjectFacts, WalletEligibilityFacts } from "./decide.ts";
import type { EligibilityFacts, ParticipantFacts } from "./entity-eligibility.ts";
import { factsStatements, readMemberWallets } from "./facts-store.ts";

/** An entity in a sale, and the address of its account. */
export interface SaleParticipant {
  readonly sale: SaleFacts;
  readonly entity: SaleEntity;
  /** In lower case. */
  readonly email: string;
  /** A wallet that counts besides the entity's own ones. */
  readonly wallet?: Wallet;
}

/** An entity that asks for a permit for a wallet. */
export interface EligibilitySubject extends SaleParticipant {
  readonly wallet: Wallet;
}

/** The facts about a list, in its order; undefined for an entity that was deleted. */
export interface LoadedFacts<Facts> {
  /** The keys of the sale, the newest first. */
  readonly keys: readonly PermitKey[];
  readonly facts: readonly (Facts | undefined)[];
}

export type LoadingContext = Pick<EntitiesContext, "clock" | "derivedKeys"> & {
  readonly database: Pick<EntitiesContext["database"], "dialect">;
};

interface Loading<Participant> {
  /** At least one, all of one sale. */
  readonly subjects: readonly Participant[];
  /** Whether the sale and then the entities are locked first, for the transaction that records permits. */
  readonly isLocking: boolean;
}

/** Loads the facts about entities that ask for permits: with one message, and some more for each in a sale with members. */
export async function loadFacts(
  context: LoadingContext,
  query: Kysely<EntitiesSchema>,
  { subjects, isLocking }: Loading<EligibilitySubject>,
): Promise<LoadedFacts<SubjectFacts>> {
  const rows = await readRows(context, query, { subjects, isLocking });
  const members = await readMembers(context, query, subjects, rows);
  const nowMs = context.clock();
  const factsOf = participantFacts(rows, nowMs);
  const bindings = saleBindings(rows);
  const denied = new Set(rows.denied?.map(({ wallet }) => hexOfBytes(wallet)));
  const proved = new Set(rows.liveness.map(({ entity }) => uuidFromBytes(entity)));
  const [stop] = rows.stop;
  const facts = subjects.map((subject, index): SubjectFacts | undefined => {
    const { sale, entity, wallet } = subject;
    const participant = factsOf(subject, members[index] ?? []);
    if (participant === undefined) return undefined;
    const { eligibility: ofEntity, ...visibility } = participant;
    const { rules } = ofEntity;
    const eligibility: WalletEligibilityFacts = {
      ...ofEntity,
      sale,
      nowSeconds: nowMs / 1_000n,
      permitsStopped: stop !== undefined && stop.stopped_at_ms !== null,
      wallet: "usable",
      walletRisk: rules.wallets.denyList && denied.has(hexOfBytes(wallet.bytes)),
      livenessProved: rules.livenessRequired && proved.has(entity.entityUuid),
    };
    const binding = bindings.factsOf({ entityUuid: entity.entityUuid, wallet });
    return { eligibility, binding, nowMs, ...visibility };
  });
  return { keys: rows.keys.map(keyOfRow), facts };
}

/** Loads the facts about entities in a sale, whether or not they ask for a permit. */
export async function loadEligibility(
  context: LoadingContext,
  query: Kysely<EntitiesSchema>,
  participants: readonly SaleParticipant[],
): Promise<readonly (ParticipantFacts["eligibility"] | undefined)[]> {
  const rows = await readRows(context, query, { subjects: participants, isLocking: false });
  const members = await readMembers(context, query, participants, rows);
  const factsOf = participantFacts(rows, context.clock());
  return participants.map((participant, index) => factsOf(participant, members[index] ?? [])?.eligibility);
}

type Rows = RowsByName<ReturnType<typeof factsStatements>>;

function readRows(
  { database: { dialect } }: LoadingContext,
  query: Kysely<EntitiesSchema>,
  { subjects, isLocking }: Loading<SaleParticipant>,
): Promise<Rows> {
  const sale = subjects[0]?.sale ?? { saleUuid: "" };
  const entities = subjects.map(({ entity }) => entity);
  const wallets = subjects.flatMap(({ wallet }) => wallet ?? []);
  return executeNamed(query, dialect, factsStatements({ dialect, sale, entities, wallets, isLocking }));
}

/** Reads the memberships of each participant; none in a sale without members. */
async function readMembers(
  { derivedKeys }: LoadingContext,
  query: Kysely<EntitiesSchema>,
  participants: readonly SaleParticipant[],
  { anyMember }: Rows,
): Promise<readonly (readonly MatchedMember[])[]> {
  if (anyMember.length === 0) return [];
  const members: (readonly MatchedMember[])[] = [];
  for (const { sale, entity, email, wallet } of participants) {
    const wallets = await readMemberWallets(query, sale, entity.entityUuid, wallet);
    members.push(await matchMembers(query, derivedKeys, sale.saleUuid, { ...entity, email, wallets }));
  }
  return members;
}

/** Returns a function that composes what doesn't depend on a permit's wallet. @param nowMs milliseconds since 1970 */
function participantFacts(rows: Rows, nowMs: bigint) {
  const [stored] = rows.rules;
  const rules = stored === undefined ? DEFAULT_RULES : rulesOfText(stored.rules);
  const entities = new Map(rows.entities.map(entityOfRow).map((entity) => [entity.uuid, entity]));
  const closed = new Set(rows.closed.map(({ account }) => uuidFromBytes(account)));
  const frozen = new Set(rows.frozen.map(({ sale_specific_id }) => hexOfBytes(sale_specific_id)));
  const hidden = Map.groupBy(rows.hidden, ({ entity }) => uuidFromBytes(entity));
  return (
    { sale, entity: { entityUuid, saleSpecificId } }: SaleParticipant,
    members: readonly MatchedMember[],
  ): ParticipantFacts | undefined => {
    const entity = entities.get(entityUuid);
    if (entity === undefined) return undefined;
    const { accountUuid } = entity;
    return {
      eligibility: {
        sale,
        rules,
        entity: ruledEntity(entity, nowMs),
        accountClosed: closed.has(accountUuid),
        frozen: frozen.has(hexOfBytes(saleSpecificId)),
        members,
      },
      accountUuid,
      hiddenFrom: new Set(hidden.get(entityUuid)?.map(({ client }) => uuidFromBytes(client))),
    };
  };
}

type BindingRows = Pick<Rows, "bindingsByEntity" | "bindingsByWallet" | "links">;

/** Composes the bindings that were read. */
export function saleBindings({ bindingsByEntity, bindingsByWallet = [], links = [] }: BindingRows): SaleBindings {
  return new SaleBindings(
    [...bindingsByEntity, ...bindingsByWallet].map(saleWalletOfRow),
    links.map((row) => ({ wallet: walletOfRow(row), entityUuid: uuidFromBytes(row.entity) })),
  );
}

/** Returns what counts about an entity at a time. @param nowMs milliseconds since 1970 */
function ruledEntity(entity: Entity, nowMs: bigint): EligibilityFacts["entity"] {
  const { type, country, provider } = entity;
  return { type, country, provider, isComplete: effectiveSetupState(entity, nowMs) === "complete" };
}
