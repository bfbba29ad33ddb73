import type { Kysely } from "kysely";
import type { Wallet } from "../../../common/chains/wallet.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { SaleFacts } from "../authority/sale-facts.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { isAccountClosed } from "../entities/closed-accounts-store.ts";
import { readEntity } from "../entities/entities-store.ts";
import { type Entity, effectiveSetupState } from "../entities/entity.ts";
import type { SaleEntity } from "../entities/sale-entities-store.ts";
import { type MatchedMember, matchMembers } from "../members/match-members.ts";
import { isFrozen } from "../rules/freezes-store.ts";
import type { WalletRules } from "../rules/participation-rules.ts";
import { readRules } from "../rules/rules-store.ts";
import { isDenied } from "../screening/deny-list-store.ts";
import { hasLiveness } from "../setup/liveness-store.ts";
import type { BindingRefusal } from "../wallets/binding.ts";
import type { ParticipationFacts } from "./decide.ts";
import type { EligibilityFacts } from "./entity-eligibility.ts";
import { readMemberWallets } from "./member-wallets.ts";

/** An entity in a sale, and the address of its account. */
export interface SaleParticipant {
  readonly sale: SaleFacts;
  readonly entity: SaleEntity;
  /** In lower case. */
  readonly email: string;
}

/** An entity that wants a permit for a wallet. */
export interface ParticipationSubject extends SaleParticipant {
  readonly wallet: Wallet;
}

/** The part of a sale's rules that says how wallets are screened by HTTP. */
export type Screening = Pick<WalletRules, "screenerUrl" | "onScreeningFailure">;

/** The facts that aren't read from the tables of rules, members and entities. */
export interface JudgedWallet {
  readonly wallet: ParticipationFacts["wallet"];
  /** Whether the screener refuses it. The deny list is read anew. */
  readonly walletRisk: boolean;
  /** The rules by which the screener was asked. By others the wallet must be judged anew. */
  readonly screening: Screening;
}

/** Returns the state of a wallet that an entity may not use. */
export function refusedWallet(reason: BindingRefusal): ParticipationFacts["wallet"] {
  return reason === "wallet-not-linked" ? "not_linked" : "max_wallets_used";
}

/** The keys and the time that facts are read with. */
export interface GatheringContext {
  readonly derivedKeys: Pick<DerivedKeys, "index">;
  /** Milliseconds since 1970. */
  readonly nowMs: bigint;
}

/**
 * Reads the facts for `decideParticipation`, each by an index. A transaction that records a permit calls it again after
 * `lockSale` and `lockEntity`.
 *
 * @returns undefined if the entity was deleted
 */
export async function gatherFacts(
  query: Kysely<EntitiesSchema>,
  context: GatheringContext,
  subject: ParticipationSubject,
  judged: Pick<JudgedWallet, "wallet" | "walletRisk">,
): Promise<ParticipationFacts | undefined> {
  const { sale, wallet } = subject;
  const { saleUuid } = sale;
  const found = await gatherEligibility(query, context, subject, wallet);
  if (found === undefined) return undefined;
  const { entityUuid } = subject.entity;
  const { denyList } = found.rules.wallets;
  return {
    ...found,
    sale,
    nowSeconds: context.nowMs / 1_000n,
    permitsStopped: await arePermitsStopped(query, saleUuid),
    wallet: judged.wallet,
    walletRisk: judged.walletRisk || (denyList && (await isDenied(query, saleUuid, wallet))),
    livenessProved: found.rules.livenessRequired && (await hasLiveness(query, saleUuid, entityUuid)),
  };
}

/**
 * Reads the facts for `saleEligibility`.
 *
 * @param wallet a wallet that counts besides the entity's own ones; undefined: none
 * @returns undefined if the entity was deleted
 */
export async function gatherEligibility(
  query: Kysely<EntitiesSchema>,
  context: GatheringContext,
  participant: SaleParticipant,
  wallet?: Wallet,
): Promise<(EligibilityFacts & { readonly members: readonly MatchedMember[] }) | undefined> {
  const { sale, entity, email } = participant;
  const { saleUuid } = sale;
  const stored = await readEntity(query, entity.entityUuid);
  if (stored === undefined) return undefined;
  const { rules } = await readRules(query, saleUuid);
  const wallets = await readMemberWallets(query, saleUuid, entity.entityUuid, wallet);
  return {
    sale,
    rules,
    entity: ruledEntity(stored, context.nowMs),
    accountClosed: await isAccountClosed(query, stored.accountUuid),
    frozen: await isFrozen(query, saleUuid, entity.saleSpecificId),
    members: await matchMembers(query, context.derivedKeys, saleUuid, { ...entity, email, wallets }),
  };
}

/** Returns what counts about an entity at a time. @param nowMs milliseconds since 1970 */
export function ruledEntity(entity: Entity, nowMs: bigint): EligibilityFacts["entity"] {
  const { type, country, provider } = entity;
  return { type, country, provider, isComplete: effectiveSetupState(entity, nowMs) === "complete" };
}

/** Whether a change of the sale has stopped its permits, and it isn't known yet what came of it. */
export async function arePermitsStopped(query: Kysely<EntitiesSchema>, saleUuid: string): Promise<boolean> {
  const row = await query
    .selectFrom("sale_permits")
    .select("stopped_at_ms")
    .where("sale", "=", bytesOfHex(saleUuid))
    .executeTakeFirst();
  return row !== undefined && row.stopped_at_ms !== null;
}
