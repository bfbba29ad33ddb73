import { CompiledQuery } from "kysely";
import { walletColumn } from "../../../common/chains/wallet.ts";
import { BoundValues } from "../../../common/platform/db/sql/bound-values.ts";
import type { SqlDialect } from "../../../common/platform/db/sql/dialect.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import type { EntityTable, HiddenEntityTable } from "../base/entity-tables.ts";
import { lockSaleStatement } from "../base/lock-sale.ts";
import type { PermitKeyTable, SalePermitsTable } from "../base/permit-tables.ts";
import type { DeniedWalletTable, FreezeTable, GroupMemberTable, SaleRulesTable } from "../base/rule-tables.ts";
import type { WalletLinkTable } from "../base/wallet-tables.ts";
import type { ParticipationSubject } from "../eligibility/gather-facts.ts";
import type { SaleWalletRow } from "../wallets/sale-wallets-store.ts";

/** The locks of a batch: the sale and then its entities, these alone, or nothing. */
export type BatchLocks = "sale and entities" | "entities" | "none";

export interface BatchStatementsOptions {
  readonly dialect: SqlDialect;
  readonly saleUuid: string;
  /** At least one. */
  readonly subjects: readonly ParticipationSubject[];
  readonly locks: BatchLocks;
}

/**
 * Builds the statements that read all facts about several subjects of a sale, one for each table, for one message. The locks come
 * first. The text doesn't come from Kysely's builder, which would take longer than the database.
 */
export function batchStatements({ dialect, saleUuid, subjects, locks }: BatchStatementsOptions) {
  const sale = bytesOfHex(saleUuid);
  const wallets = subjects.map(({ wallet }) => walletColumn(wallet));
  const entities = subjects.map(({ entity }) => bytesOfHex(entity.entityUuid));
  const ids = subjects.map(({ entity }) => Buffer.from(entity.saleSpecificId));
  const statement = <Row>(write: (bound: BoundValues) => string): CompiledQuery<Row> => {
    const bound = new BoundValues(dialect);
    return CompiledQuery.raw(write(bound), bound.parameters) as CompiledQuery<Row>;
  };
  const lock = locks === "none" ? "" : dialect.lockRowsClause;
  return {
    lock: locks === "sale and entities" ? lockSaleStatement(dialect, saleUuid) : undefined,
    entities: statement<EntityTable>(
      (bound) => `select * from entity where entity in ${bound.list(entities)} order by entity ${lock}`,
    ),
    hidden: statement<Pick<HiddenEntityTable, "entity" | "client">>(
      (bound) => `select entity, client from hidden_entity where entity in ${bound.list(entities)}`,
    ),
    rules: statement<Pick<SaleRulesTable, "rules">>(
      (bound) => `select rules from sale_rules where sale = ${bound.one(sale)}`,
    ),
    member: statement<Pick<GroupMemberTable, "sale">>(
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
        where entity.entity in ${bound.list(entities)} and closed_at_ms is not null`,
    ),
    frozen: statement<Pick<FreezeTable, "sale_specific_id">>(
      (bound) => `select sale_specific_id from freeze
        where sale = ${bound.one(sale)} and sale_specific_id in ${bound.list(ids)}`,
    ),
    // Two statements, since an index serves each, and none serves both.
    bindingsByWallet: statement<SaleWalletRow>(
      (bound) =>
        `${BINDINGS} where sale_wallet.sale = ${bound.one(sale)} and sale_wallet.wallet in ${bound.list(wallets)}`,
    ),
    bindingsByEntity: statement<SaleWalletRow>(
      (bound) =>
        `${BINDINGS} where sale_wallet.sale = ${bound.one(sale)} and sale_wallet.entity in ${bound.list(entities)}`,
    ),
    links: statement<Pick<WalletLinkTable, "wallet" | "kind" | "entity">>(
      (bound) => `select wallet, kind, entity from wallet_link where wallet in ${bound.list(wallets)}`,
    ),
    denied: statement<Pick<DeniedWalletTable, "wallet">>(
      (bound) =>
        `select wallet from denied_wallet where sale = ${bound.one(sale)} and wallet in ${bound.list(wallets)}`,
    ),
  };
}

/** Bindings with the link of the same wallet to the same entity. */
const BINDINGS = `select sale_wallet.*, wallet_link.linked_at_ms from sale_wallet left join wallet_link
  on wallet_link.entity = sale_wallet.entity and wallet_link.kind = sale_wallet.kind
  and wallet_link.wallet = sale_wallet.wallet`;
