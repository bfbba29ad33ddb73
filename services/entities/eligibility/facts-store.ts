import { CompiledQuery, type Kysely } from "kysely";
import { type Wallet, walletColumn } from "../../../common/chains/wallet.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex, hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type { EntityTable, HiddenEntityTable } from "../base/entity-tables.ts";
import { lockSaleStatement } from "../base/lock-sale.ts";
import type { PermitKeyTable, SalePermitsTable } from "../base/permit-tables.ts";
import type { DeniedWalletTable, FreezeTable, GroupMemberTable, SaleRulesTable } from "../base/rule-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import type { LivenessTable } from "../base/setup-tables.ts";
import type { WalletLinkTable } from "../base/wallet-tables.ts";
import type { SaleEntity } from "../entities/sale-entities-store.ts";
import type { MemberWallet } from "../members/matching-members-store.ts";
import { fromCountingLinks } from "../wallets/counting-links.ts";
import { countingChains } from "../wallets/proof-chain.ts";
import {
  readSaleWallets,
  type SaleOnChain,
  type SaleWalletRow,
  selectBindings,
} from "../wallets/sale-wallets-store.ts";
import { readWalletLinks } from "../wallets/wallet-links-store.ts";

export interface FactsStatementsOptions {
  readonly dialect: SqlDialect;
  readonly sale: SaleOnChain;
  /** At least one. */
  readonly entities: readonly SaleEntity[];
  readonly wallets: readonly Wallet[];
  /** Whether the sale and then the entities are locked first. */
  readonly isLocking: boolean;
}

/**
 * Builds the statements that read the facts about several entities and wallets of a sale, one for each table, for one message.
 * The text doesn't come from Kysely's builder, which would take longer than the database.
 */
export function factsStatements({ dialect, sale: onChain, entities, wallets, isLocking }: FactsStatementsOptions) {
  const { saleUuid, chainId } = onChain;
  const sale = bytesOfHex(saleUuid);
  const entityColumns = entities.map(({ entityUuid }) => bytesOfHex(entityUuid));
  const idColumns = entities.map(({ saleSpecificId }) => Buffer.from(saleSpecificId));
  const walletColumns = wallets.map(walletColumn);
  const statement = <Row>(write: (bound: BoundValues) => string): CompiledQuery<Row> => {
    const bound = new BoundValues(dialect);
    return CompiledQuery.raw(write(bound), bound.parameters) as CompiledQuery<Row>;
  };
  const ofWallets = <Row>(write: (bound: BoundValues) => string) =>
    wallets.length === 0 ? undefined : statement<Row>(write);
  return {
    lock: isLocking ? lockSaleStatement(dialect, saleUuid) : undefined,
    entities: statement<EntityTable>(
      (bound) => `select * from entity where entity in ${bound.list(entityColumns)} order by entity
        ${isLocking ? dialect.lockRowsClause : ""}`,
    ),
    hidden: statement<Pick<HiddenEntityTable, "entity" | "client">>(
      (bound) => `select entity, client from hidden_entity where entity in ${bound.list(entityColumns)}`,
    ),
    rules: statement<Pick<SaleRulesTable, "rules">>(
      (bound) => `select rules from sale_rules where sale = ${bound.one(sale)}`,
    ),
    anyMember: statement<Pick<GroupMemberTable, "sale">>(
      (bound) => `select sale from group_member where sale = ${bound.one(sale)} limit 1`,
    ),
    stop: statement<Pick<SalePermitsTable, "stopped_at_ms">>(
      (bound) => `select stopped_at_ms from sale_permits where sale = ${bound.one(sale)}`,
    ),
    keys: statement<PermitKeyTable>(
      (bound) => `select * from permit_key where sale = ${bound.one(sale)} order by created_at_ms desc, permit_key`,
    ),
    closed: statement<Pick<EntityTable, "account">>(
      (bound) => `select entity.account from entity
        join entities_account on entities_account.account = entity.account
        where entity.entity in ${bound.list(entityColumns)} and closed_at_ms is not null`,
    ),
    frozen: statement<Pick<FreezeTable, "sale_specific_id">>(
      (bound) => `select sale_specific_id from freeze
        where sale = ${bound.one(sale)} and sale_specific_id in ${bound.list(idColumns)}`,
    ),
    liveness: statement<Pick<LivenessTable, "entity">>(
      (bound) =>
        `select entity from liveness where sale = ${bound.one(sale)} and entity in ${bound.list(entityColumns)}`,
    ),
    // Two statements, since an index serves each, and none serves both.
    bindingsByEntity: statement<SaleWalletRow>(
      (bound) =>
        `${selectBindings(chainId)} where sale_wallet.sale = ${bound.one(sale)} and sale_wallet.entity in ${bound.list(entityColumns)}`,
    ),
    bindingsByWallet: ofWallets<SaleWalletRow>(
      (bound) =>
        `${selectBindings(chainId)} where sale_wallet.sale = ${bound.one(sale)} and sale_wallet.wallet in ${bound.list(walletColumns)}`,
    ),
    links: ofWallets<Pick<WalletLinkTable, "wallet" | "kind" | "entity">>(
      (bound) => `select wallet_link.wallet, wallet_link.kind, wallet_link.entity ${fromCountingLinks(chainId)}
        and wallet_link.wallet in ${bound.list(walletColumns)}`,
    ),
    denied: ofWallets<Pick<DeniedWalletTable, "wallet">>(
      (bound) =>
        `select wallet from denied_wallet where sale = ${bound.one(sale)} and wallet in ${bound.list(walletColumns)}`,
    ),
  };
}

/**
 * Returns the wallets by which an entity may be a member of a sale: those that are linked to it by a proof that counts in the sale or bound to it in the sale,
 * and the one that it asks a permit for. A linked wallet that is bound to another entity in the sale doesn't count: what it
 * is a member of would count twice. The permit's own always counts, as it gets no permit while it is another entity's.
 */
export async function readMemberWallets(
  query: Kysely<EntitiesSchema>,
  sale: SaleOnChain,
  entityUuid: string,
  permitWallet: Wallet | undefined,
): Promise<readonly MemberWallet[]> {
  const counting = countingChains(sale.chainId);
  const links = (await readWalletLinks(query, entityUuid)).filter(({ chains }) =>
    chains.some((chain) => counting.includes(chain)),
  );
  const bound = await readSaleWallets(query, sale, entityUuid);
  const others = await readOthersWallets(
    query,
    sale.saleUuid,
    entityUuid,
    links.map(({ wallet }) => wallet),
  );
  // Of the same wallet the last entry stays: that of the strongest proof.
  const wallets = new Map<string, MemberWallet>();
  const add = ({ bytes }: Wallet, proved: boolean) => wallets.set(hexOfBytes(bytes), { bytes, proved });
  if (permitWallet !== undefined) add(permitWallet, false);
  for (const { wallet, isProved } of bound) add(wallet, isProved);
  const permitWalletKey = permitWallet && hexOfBytes(permitWallet.bytes);
  for (const { wallet } of links) {
    const key = hexOfBytes(wallet.bytes);
    if (key === permitWalletKey || !others.has(key)) add(wallet, true);
  }
  return [...wallets.values()];
}

/** Returns those of the wallets, in hex, that are bound to another entity in the sale. */
async function readOthersWallets(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  entityUuid: string,
  wallets: readonly Wallet[],
): Promise<ReadonlySet<string>> {
  if (wallets.length === 0) return new Set();
  const rows = await query
    .selectFrom("sale_wallet")
    .select("wallet")
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("wallet", "in", wallets.map(walletColumn))
    .where("entity", "!=", bytesOfHex(entityUuid))
    .execute();
  return new Set(rows.map(({ wallet }) => hexOfBytes(wallet)));
}
