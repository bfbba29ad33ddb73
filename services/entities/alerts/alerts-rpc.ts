import { randomUUID } from "node:crypto";
import type { ServiceImpl } from "@connectrpc/connect";
import type { Kysely } from "kysely";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { DEFAULT_LANGUAGE, knownLanguage } from "../../../common/platform/language/language.ts";
import type { AlertService } from "../../../proto/gen/tidemark/entities/v1/alert_service_pb.ts";
import { requirePerson } from "../authority/person.ts";
import { alertOfToken } from "../base/alert-token.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { ensureAccount, lockAccount } from "../entities/closed-accounts-store.ts";
import { deleteSaleAlerts, type SaleAlertName } from "../notices/notices-store.ts";
import { REASON_OF } from "./alert.ts";
import {
  type AskedAlerts,
  endSubscription,
  findSubscription,
  insertSubscription,
  readAccountWallets,
  readReasons,
  updateSubscription,
} from "./alerts-store.ts";
import { reasonsOfMessage, saleAlertsMessage } from "./reason-message.ts";

type Methods = ServiceImpl<typeof AlertService>;

/** The methods of `AlertService`. */
export function alertMethods(dependencies: EntitiesContext): Methods {
  const { database } = dependencies;
  return {
    async listAlerts(_request, context) {
      const { accountUuid } = requirePerson(context);
      const alerts = await database.read((query) => readReasons(query, accountUuid));
      return { alerts: alerts.map(saleAlertsMessage) };
    },
    setAlerts: setAlerts(dependencies),
    stopAlerts: stopAlerts(dependencies),
  };
}

function setAlerts(dependencies: EntitiesContext): Methods["setAlerts"] {
  const { database, recentSales } = dependencies;
  return async ({ saleUuid: uuid, reasons, language }, context) => {
    const { accountUuid } = requirePerson(context);
    const saleUuid = uuid.toLowerCase();
    const asked = {
      saleUuid,
      accountUuid,
      reasons: reasonsOfMessage(reasons),
      language: knownLanguage(language) ?? DEFAULT_LANGUAGE,
    };
    if (asked.reasons.length === 0) {
      await database.write((transaction) => endMails(transaction, asked));
      return {};
    }
    const { sale } = await recentSales.read(saleUuid);
    if (sale.status !== "open") throw new ServiceError("failed_precondition", "the sale isn't open");
    await ensureAccount(database, accountUuid);
    await database.writeExclusive(saleUuid, async (transaction) => {
      await lockSaleForChange(transaction, database.dialect, saleUuid);
      const { closed } = await lockAccount(transaction, database.dialect, accountUuid);
      if (closed) throw new ServiceError("failed_precondition", "the account is being deleted");
      await requireWallet(transaction, asked);
      await storeAsked(dependencies, transaction, asked);
    });
    return {};
  };
}

type Transaction = Parameters<typeof insertSubscription>[0];
type Asked = Omit<AskedAlerts, "alertUuid">;

/** Without a wallet in it, nobody is a bidder of the sale: that also bounds for how many sales a person can ask. */
async function requireWallet(query: Kysely<EntitiesSchema>, { saleUuid, accountUuid }: Asked): Promise<void> {
  const wallets = await readAccountWallets(query, saleUuid, [accountUuid]);
  if (wallets.size === 0) throw new ServiceError("failed_precondition", "the person has no wallet in the sale");
}

async function storeAsked({ clock }: EntitiesContext, transaction: Transaction, asked: Asked): Promise<void> {
  const before = await findSubscription(transaction, asked.saleUuid, asked.accountUuid);
  if (before === undefined) {
    await insertSubscription(transaction, { ...asked, alertUuid: randomUUID() }, clock());
    return;
  }
  await updateSubscription(transaction, before, asked, clock());
  const isEnded = (alert: SaleAlertName) => !asked.reasons.includes(REASON_OF[alert]);
  await deleteSaleAlerts(transaction, asked.accountUuid, asked.saleUuid, isEnded);
}

/** Ends the mails of a person about a sale, with those that auth hasn't taken yet. */
async function endMails(transaction: Transaction, { saleUuid, accountUuid }: Asked): Promise<void> {
  const before = await findSubscription(transaction, saleUuid, accountUuid);
  if (before === undefined) return;
  await endSubscription(transaction, before.alertUuid);
  await deleteSaleAlerts(transaction, accountUuid, saleUuid, () => true);
}

function stopAlerts({ database, derivedKeys }: EntitiesContext): Methods["stopAlerts"] {
  return async ({ token }) => {
    const alertUuid = alertOfToken(derivedKeys, token);
    if (alertUuid === undefined) throw new ServiceError("not_found", "no mail has this token");
    await database.write(async (transaction) => {
      const ended = await endSubscription(transaction, alertUuid);
      if (ended !== undefined) await deleteSaleAlerts(transaction, ended.accountUuid, ended.saleUuid, () => true);
    });
    return {};
  };
}
