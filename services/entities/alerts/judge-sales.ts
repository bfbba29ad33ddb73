import { formatWallet, type Wallet } from "../../../common/chains/wallet.ts";
import { eachApart } from "../../../common/platform/concurrency/each-apart.ts";
import { inBatches } from "../../../common/platform/db/batches.ts";
import type {
  GetBidOutcomesResponse,
  WalletBids,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import {
  ALERT_JUDGING_MS,
  ALERT_RETENTION_MS,
  CALL_TIMEOUT_MS,
  SETTLED_ALERT_RETENTION_MS,
} from "../base/lifetimes.ts";
import { deleteSaleRows } from "../base/sale-erasure.ts";
import { type SaleAlertName, type SaleAlertNotice, storeNotice } from "../notices/notices-store.ts";
import { type AlertSubscription, REASON_OF, type Standing } from "./alert.ts";
import {
  claimSale,
  type DueSale,
  deleteAlertSale,
  readAccountWallets,
  readDueSales,
  readSubscriptions,
  storeJudgement,
  storeJudging,
} from "./alerts-store.ts";
import { bidStandings } from "./bid-standings.ts";
import { type ConfirmedSale, confirmedSale, judgedSale } from "./confirmed-sale.ts";
import { type AlertJudgement, type JudgedSale, judgeSubscription } from "./judge-subscription.ts";

type Dependencies = Pick<EntitiesContext, "database" | "clock" | "sales" | "commitments" | "alertMetrics">;

/** Sales that one run judges at most. */
const MAX_SALES = 1_000;
/** Sales under way at once: one after the other, thousands would each come later than is a fault. */
const SALES_AT_ONCE = 8;
/** People of a page, and wallets of a call: `GetBidOutcomes` takes no more. */
const PAGE = 500;
/** Wallets of a person in the sale that are looked at. */
const MAX_WALLETS = 20;
/** People whose rows one transaction changes. */
const BATCH = 100;

/** Judges the sales that are due, and stores the mails to those who have asked for them. Of several processes one judges a sale. */
export async function judgeSales(dependencies: Dependencies, signal: AbortSignal): Promise<void> {
  const { database, clock } = dependencies;
  const due = await database.read((query) => readDueSales(query, clock(), MAX_SALES));
  await eachApart(due, (sale) => judgeSale(dependencies, sale, signal), signal, SALES_AT_ONCE);
}

/** A judging that is under way. */
interface Judging {
  readonly saleUuid: string;
  readonly confirmed: ConfirmedSale;
  readonly sale: JudgedSale;
}

async function judgeSale(dependencies: Dependencies, due: DueSale, signal: AbortSignal): Promise<void> {
  const { database, clock, alertMetrics } = dependencies;
  const { saleUuid } = due;
  const nowMs = clock();
  const claim = new SaleClaim(dependencies, due);
  if (!(await claim.keep())) return;
  const store = (judging: Parameters<typeof storeJudging>[3]) => {
    // A judging that has lasted longer than a minute is followed by the next at once.
    const nextAtMs = later(nowMs + ALERT_JUDGING_MS, clock());
    return database.write((transaction) => storeJudging(transaction, claim.claimed, nextAtMs, judging));
  };
  try {
    const confirmed = await readConfirmed(dependencies, saleUuid, nowMs, signal);
    if (confirmed === undefined) {
      await store(undefined);
      alertMetrics.judgings.inc({ result: "unconfirmed" });
      return;
    }
    const sale = judgedSale(confirmed, due, nowMs);
    const isWhole = await judgePages(dependencies, { saleUuid, confirmed, sale }, claim, signal);
    // The rest is left to the next judging.
    if (!isWhole) return;
    const settled = confirmed.phase === "settled";
    await store({ judgedAtMs: nowMs, generation: confirmed.generation, settled });
    alertMetrics.judgings.inc({ result: sale.isSilent ? "silent" : "judged" });
    if (confirmed.isFinal && due.settled) await endAlerts(dependencies, saleUuid);
  } catch (error) {
    if (signal.aborted) throw error;
    alertMetrics.judgings.inc({ result: "failed" });
    await store(undefined);
    throw error;
  }
}

function later(one: bigint, other: bigint): bigint {
  return one > other ? one : other;
}

/** The right to judge a sale, which lasts a minute and is prolonged while the judging goes on. */
class SaleClaim {
  readonly #dependencies: Pick<Dependencies, "database" | "clock">;
  /** The sale, and until when it is this process's. */
  claimed: Pick<DueSale, "saleUuid" | "nextAtMs">;

  constructor(dependencies: Pick<Dependencies, "database" | "clock">, due: DueSale) {
    this.#dependencies = dependencies;
    this.claimed = due;
  }

  /** Takes the sale, or prolongs that. @returns whether no other process has taken it */
  async keep(): Promise<boolean> {
    const { database, clock } = this.#dependencies;
    const { saleUuid, nextAtMs } = this.claimed;
    const untilMs = clock() + ALERT_JUDGING_MS;
    if (untilMs === nextAtMs) return true;
    const isKept = await database.write((transaction) => claimSale(transaction, this.claimed, untilMs));
    if (isKept) this.claimed = { saleUuid, nextAtMs: untilMs };
    return isKept;
  }
}

async function readConfirmed(
  { sales }: Dependencies,
  saleUuid: string,
  nowMs: bigint,
  signal: AbortSignal,
): Promise<ConfirmedSale | undefined> {
  const { sale } = await sales.getSale({ saleUuid }, { timeoutMs: CALL_TIMEOUT_MS, signal });
  return sale && confirmedSale(sale, nowMs);
}

/** @returns whether all are judged: not if the process stops, or another one has taken the sale */
async function judgePages(
  dependencies: Dependencies,
  judging: Judging,
  claim: SaleClaim,
  signal: AbortSignal,
): Promise<boolean> {
  const { database } = dependencies;
  let after: string | undefined;
  do {
    const page = await database.read((query) => readSubscriptions(query, judging.saleUuid, after, PAGE));
    await judgePage(dependencies, judging, page, signal);
    after = page.length < PAGE ? undefined : page.at(-1)?.accountUuid;
    if (signal.aborted || (after !== undefined && !(await claim.keep()))) return false;
  } while (after !== undefined);
  return true;
}

async function judgePage(
  dependencies: Dependencies,
  judging: Judging,
  page: readonly AlertSubscription[],
  signal: AbortSignal,
): Promise<void> {
  const { database } = dependencies;
  const accounts = page.map(({ accountUuid }) => accountUuid);
  const wallets = await database.read((query) => readAccountWallets(query, judging.saleUuid, accounts));
  const standings = await readStandings(dependencies, judging, wallets, signal);
  const changed = page.flatMap((subscription) => {
    // A person whose wallets are gone, with their entity, bids no more.
    if (!wallets.has(subscription.accountUuid)) return [];
    const bids = standings && (standings.get(subscription.accountUuid) ?? new Map<string, Standing>());
    const judgement = judgeSubscription(subscription, bids, judging.sale);
    return judgement.isChanged ? [{ subscription, judgement }] : [];
  });
  for (const batch of inBatches(changed, BATCH)) await storeBatch(dependencies, judging, batch);
}

/** Returns how the bids of each person stand; undefined where their prices decide nothing. */
async function readStandings(
  dependencies: Dependencies,
  { saleUuid, confirmed }: Judging,
  wallets: ReadonlyMap<string, readonly Wallet[]>,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, ReadonlyMap<string, Standing>> | undefined> {
  if (confirmed.phase !== "open") return undefined;
  const asked = [...wallets].flatMap(([account, own]) =>
    own
      // One of another kind, bound before the sale's tokens were others, would be refused with all.
      .filter(({ kind }) => kind === confirmed.walletKind)
      .slice(0, MAX_WALLETS)
      .map((wallet) => ({ account, wallet: formatWallet(wallet) })),
  );
  const standings = new Map<string, Map<string, Standing>>();
  for (const part of inBatches(asked, PAGE)) {
    const answer = await readOutcomes(
      dependencies,
      { saleUuid, confirmed },
      part.map(({ wallet }) => wallet),
      signal,
    );
    for (const [index, { account }] of part.entries()) {
      const bids = bidStandings(only(answer.wallets[index]), answer);
      standings.set(account, new Map([...(standings.get(account) ?? []), ...bids]));
    }
  }
  return standings;
}

/** @throws Error where the database was restored from a backup since the sale was read */
async function readOutcomes(
  { commitments }: Dependencies,
  { saleUuid, confirmed }: Pick<Judging, "saleUuid" | "confirmed">,
  wallets: string[],
  signal: AbortSignal,
): Promise<GetBidOutcomesResponse> {
  const answer = await commitments.getBidOutcomes({ saleUuid, wallets }, { timeoutMs: CALL_TIMEOUT_MS, signal });
  if (answer.generation === confirmed.generation) return answer;
  throw new Error(`the generation of the sale ${saleUuid} has changed`);
}

function only(bids: WalletBids | undefined): readonly WalletBids[] {
  return bids === undefined ? [] : [bids];
}

interface ChangedSubscription {
  readonly subscription: AlertSubscription;
  readonly judgement: AlertJudgement;
}

/** Stores what people know with the mails that tell them: a process that ends before has told nobody, one that ends later has lost nothing. */
async function storeBatch(
  { database, alertMetrics }: Dependencies,
  { saleUuid, confirmed, sale }: Judging,
  batch: readonly ChangedSubscription[],
): Promise<void> {
  const { nowMs } = sale;
  const stored = await database.write(async (transaction) => {
    const alerts: SaleAlertName[] = [];
    for (const { subscription, judgement } of batch) {
      if (!(await storeJudgement(transaction, saleUuid, subscription, judgement))) continue;
      for (const alert of judgement.alerts) {
        const notice = noticeOf(alert, { saleUuid, confirmed, nowMs, subscription });
        await storeNotice(transaction, subscription.accountUuid, notice, nowMs);
      }
      alerts.push(...judgement.alerts);
    }
    return alerts;
  });
  for (const alert of stored) alertMetrics.alerts.inc({ alert });
}

function noticeOf(
  alert: SaleAlertName,
  {
    saleUuid,
    confirmed: { name, closesAtMs },
    nowMs,
    subscription: { alertUuid, language },
  }: Pick<Judging, "saleUuid" | "confirmed"> & { readonly nowMs: bigint; readonly subscription: AlertSubscription },
): SaleAlertNotice {
  const reason = REASON_OF[alert];
  const untilMs = nowMs + (reason === "settled" ? SETTLED_ALERT_RETENTION_MS : ALERT_RETENTION_MS);
  return {
    kind: "sale_alert",
    alert,
    alertUuid,
    saleUuid,
    saleName: name,
    ...(reason === "closing" && closesAtMs !== undefined && { closesAtMs: Number(closesAtMs) }),
    language,
    untilMs: Number(untilMs),
  };
}

/** Deletes all that was asked for in a sale that is settled for good. Links in its mails still work and have nothing to end. */
async function endAlerts({ database }: Dependencies, saleUuid: string): Promise<void> {
  await deleteSaleRows(database, { table: "alert_subscription", column: "account" }, saleUuid);
  await database.write((transaction) => deleteAlertSale(transaction, saleUuid));
}
