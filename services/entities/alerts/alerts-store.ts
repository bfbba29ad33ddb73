import type { Kysely, Selectable, Transaction } from "kysely";
import { type Wallet, walletOfRow } from "../../../common/chains/wallet.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { uuidFromBytes } from "../../../common/platform/encoding/uuid.ts";
import type { AlertSaleTable, AlertSubscriptionTable } from "../base/alert-tables.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { ALERT_REASONS, type AlertReason, type AlertSubscription, type BadStanding } from "./alert.ts";
import type { LastJudging } from "./confirmed-sale.ts";
import type { AlertJudgement } from "./judge-subscription.ts";

type Tx = Transaction<EntitiesSchema>;

/** The reasons for which a person is mailed about a sale. */
export interface SaleReasons {
  readonly saleUuid: string;
  readonly reasons: readonly AlertReason[];
}

/** Returns the sales about which a person is mailed. */
export async function readReasons(query: Kysely<EntitiesSchema>, accountUuid: string): Promise<readonly SaleReasons[]> {
  const rows = await query
    .selectFrom("alert_subscription")
    .select(["sale", "reasons"])
    .where("account", "=", bytesOfHex(accountUuid))
    .where("reasons", ">", 0)
    .orderBy("sale")
    .execute();
  return rows.map(({ sale, reasons }) => ({ saleUuid: uuidFromBytes(sale), reasons: reasonsOf(reasons) }));
}

/** Returns what a person has asked for in a sale, also if nothing any more; undefined if they never have. */
export async function findSubscription(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  accountUuid: string,
): Promise<AlertSubscription | undefined> {
  const row = await query
    .selectFrom("alert_subscription")
    .selectAll()
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("account", "=", bytesOfHex(accountUuid))
    .executeTakeFirst();
  return row && subscriptionOf(row);
}

/** A request for mails about a sale. */
export interface AskedAlerts {
  readonly saleUuid: string;
  readonly accountUuid: string;
  readonly alertUuid: string;
  readonly reasons: readonly AlertReason[];
  readonly language: string;
}

/** Stores what a person asks for first in a sale, which is judged from `nowMs` on. The transaction has locked the sale. */
export async function insertSubscription(transaction: Tx, asked: AskedAlerts, nowMs: bigint): Promise<void> {
  const sale = bytesOfHex(asked.saleUuid);
  const row = { sale, account: bytesOfHex(asked.accountUuid), alert: bytesOfHex(asked.alertUuid) };
  const asked_at_ms = asked.reasons.includes("closing") ? nowMs : null;
  const times = { asked_at_ms, position_at_ms: null, closing_at_ms: null, settled_at_ms: null };
  const state = { reasons: bitsOf(asked.reasons), language: asked.language, is_new: 1, known: "{}", version: 1n };
  await transaction
    .insertInto("alert_subscription")
    .values({ ...row, ...state, ...times })
    .execute();
  const judged = await transaction.selectFrom("alert_sale").select("sale").where("sale", "=", sale).executeTakeFirst();
  if (judged !== undefined) return;
  const never = { next_at_ms: nowMs, judged_at_ms: null, generation: null, settled: 0 };
  await transaction
    .insertInto("alert_sale")
    .values({ sale, ...never })
    .execute();
}

/** Stores what a person asks for from now on. How the bids stand when they ask for mails about them is no news. */
export async function updateSubscription(
  transaction: Tx,
  { reasons: before }: Pick<AlertSubscription, "reasons">,
  { saleUuid, accountUuid, reasons, language }: Omit<AskedAlerts, "alertUuid">,
  nowMs: bigint,
): Promise<void> {
  const isNewly = (reason: AlertReason) => reasons.includes(reason) && !before.has(reason);
  await transaction
    .updateTable("alert_subscription")
    .set(({ eb }) => ({
      reasons: bitsOf(reasons),
      language,
      // A judging may have changed the row since it was read.
      version: eb("version", "+", 1n),
      ...(isNewly("position") && { is_new: 1, known: "{}" }),
      ...(isNewly("closing") && { asked_at_ms: nowMs }),
    }))
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("account", "=", bytesOfHex(accountUuid))
    .execute();
}

/** Ends the mails of a token's subscription. @returns whose it is, and of which sale; undefined if it is gone */
export async function endSubscription(
  transaction: Tx,
  alertUuid: string,
): Promise<{ readonly saleUuid: string; readonly accountUuid: string } | undefined> {
  const alert = bytesOfHex(alertUuid);
  // Written first, so that a process that is storing a mail has stored it before the mails are deleted.
  await transaction
    .updateTable("alert_subscription")
    .set(({ eb }) => ({ reasons: 0, version: eb("version", "+", 1n) }))
    .where("alert", "=", alert)
    .execute();
  const row = await transaction
    .selectFrom("alert_subscription")
    .select(["sale", "account"])
    .where("alert", "=", alert)
    .executeTakeFirst();
  return row && { saleUuid: uuidFromBytes(row.sale), accountUuid: uuidFromBytes(row.account) };
}

/** A sale that is to be judged. */
export interface DueSale extends LastJudging {
  readonly saleUuid: string;
}

/** Returns the sales about which anybody is mailed and that are to be judged now, the longest due first. */
export async function readDueSales(
  query: Kysely<EntitiesSchema>,
  nowMs: bigint,
  limit: number,
): Promise<readonly DueSale[]> {
  const rows = await query
    .selectFrom("alert_sale")
    .selectAll()
    .where("next_at_ms", "<=", nowMs)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("alert_subscription")
          .select("alert_subscription.sale")
          .whereRef("alert_subscription.sale", "=", "alert_sale.sale")
          .where("reasons", ">", 0),
      ),
    )
    .orderBy("next_at_ms")
    .limit(limit)
    .execute();
  return rows.map(dueSaleOf);
}

function dueSaleOf({ sale, next_at_ms, judged_at_ms, generation, settled }: Selectable<AlertSaleTable>): DueSale {
  return {
    saleUuid: uuidFromBytes(sale),
    nextAtMs: BigInt(next_at_ms),
    judgedAtMs: judged_at_ms === null ? undefined : BigInt(judged_at_ms),
    generation: generation === null ? undefined : BigInt(generation),
    settled: Number(settled) === 1,
  };
}

/** Takes a sale to judge it, or keeps it, until `untilMs`. @returns whether no other process has taken it */
export async function claimSale(
  transaction: Tx,
  due: Pick<DueSale, "saleUuid" | "nextAtMs">,
  untilMs: bigint,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("alert_sale")
    .set({ next_at_ms: untilMs })
    .where("sale", "=", bytesOfHex(due.saleUuid))
    .where("next_at_ms", "=", due.nextAtMs)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Notes a judging of a sale and when the next is due, unless another process has taken the sale since. */
export async function storeJudging(
  transaction: Tx,
  { saleUuid, nextAtMs: claimedUntilMs }: Pick<DueSale, "saleUuid" | "nextAtMs">,
  nextAtMs: bigint,
  judging: { readonly judgedAtMs: bigint; readonly generation: bigint; readonly settled: boolean } | undefined,
): Promise<void> {
  const row =
    judging === undefined
      ? { judged_at_ms: null, next_at_ms: nextAtMs }
      : {
          judged_at_ms: judging.judgedAtMs,
          next_at_ms: nextAtMs,
          generation: judging.generation.toString(),
          settled: judging.settled ? 1 : 0,
        };
  await transaction
    .updateTable("alert_sale")
    .set(row)
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("next_at_ms", "=", claimedUntilMs)
    .execute();
}

/** Returns a page of those who are mailed about a sale, by account. @param after the last account of the page before */
export async function readSubscriptions(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  after: string | undefined,
  limit: number,
): Promise<readonly AlertSubscription[]> {
  const page = query
    .selectFrom("alert_subscription")
    .selectAll()
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("reasons", ">", 0)
    .orderBy("account")
    .limit(limit);
  const rows = await (after === undefined ? page : page.where("account", ">", bytesOfHex(after))).execute();
  return rows.map(subscriptionOf);
}

/** Returns the wallets that permits have bound to entities of some accounts in a sale, by account. */
export async function readAccountWallets(
  query: Kysely<EntitiesSchema>,
  saleUuid: string,
  accountUuids: readonly string[],
): Promise<ReadonlyMap<string, readonly Wallet[]>> {
  if (accountUuids.length === 0) return new Map();
  const rows = await query
    .selectFrom("entity")
    .innerJoin("sale_wallet", "sale_wallet.entity", "entity.entity")
    .select(["entity.account", "sale_wallet.kind", "sale_wallet.wallet"])
    .where("sale_wallet.sale", "=", bytesOfHex(saleUuid))
    .where("entity.account", "in", accountUuids.map(bytesOfHex))
    .orderBy("sale_wallet.wallet")
    .execute();
  const byAccount = Map.groupBy(rows, ({ account }) => uuidFromBytes(account));
  return new Map([...byAccount].map(([account, own]) => [account, own.map(walletOfRow)]));
}

/** Stores what came of a judging for a person. @returns false if another process, or the person, has changed it since it was read */
export async function storeJudgement(
  transaction: Tx,
  saleUuid: string,
  { accountUuid, version }: AlertSubscription,
  { known, mailedAtMs }: AlertJudgement,
): Promise<boolean> {
  const { numUpdatedRows } = await transaction
    .updateTable("alert_subscription")
    .set({
      is_new: 0,
      known: JSON.stringify(Object.fromEntries(known)),
      position_at_ms: mailedAtMs.position ?? null,
      closing_at_ms: mailedAtMs.closing ?? null,
      settled_at_ms: mailedAtMs.settled ?? null,
      version: version + 1n,
    })
    .where("sale", "=", bytesOfHex(saleUuid))
    .where("account", "=", bytesOfHex(accountUuid))
    .where("version", "=", version)
    .executeTakeFirstOrThrow();
  return numUpdatedRows === 1n;
}

/** Deletes what a person has asked for, in all sales. */
export async function deleteSubscriptionsOf(transaction: Tx, accountUuid: string): Promise<void> {
  await transaction.deleteFrom("alert_subscription").where("account", "=", bytesOfHex(accountUuid)).execute();
}

/** Deletes when a sale is judged, after which it isn't any more. */
export async function deleteAlertSale(transaction: Tx, saleUuid: string): Promise<void> {
  await transaction.deleteFrom("alert_sale").where("sale", "=", bytesOfHex(saleUuid)).execute();
}

function subscriptionOf(row: Selectable<AlertSubscriptionTable>): AlertSubscription {
  const timeOf = (value: bigint | string | null) => (value === null ? undefined : BigInt(value));
  const [position, closing, settled] = [row.position_at_ms, row.closing_at_ms, row.settled_at_ms].map(timeOf);
  return {
    accountUuid: uuidFromBytes(row.account),
    alertUuid: uuidFromBytes(row.alert),
    language: row.language,
    reasons: new Set(reasonsOf(row.reasons)),
    isNew: Number(row.is_new) === 1,
    closingAskedAtMs: timeOf(row.asked_at_ms),
    known: new Map(Object.entries(JSON.parse(row.known) as Readonly<Record<string, BadStanding>>)),
    mailedAtMs: {
      ...(position !== undefined && { position }),
      ...(closing !== undefined && { closing }),
      ...(settled !== undefined && { settled }),
    },
    version: BigInt(row.version),
  };
}

function bitsOf(reasons: readonly AlertReason[]): number {
  return ALERT_REASONS.reduce((bits, reason, index) => (reasons.includes(reason) ? bits | (1 << index) : bits), 0);
}

function reasonsOf(bits: bigint | number): readonly AlertReason[] {
  return ALERT_REASONS.filter((_, index) => (Number(bits) & (1 << index)) !== 0);
}
