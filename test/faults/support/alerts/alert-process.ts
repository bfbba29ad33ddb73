import { writeSync } from "node:fs";
import process from "node:process";
import { create } from "@bufbuild/protobuf";
import { bytesOfHex } from "../../../../common/platform/encoding/hex.ts";
import { NotifyAccountResponseSchema } from "../../../../proto/gen/tidemark/auth/v1/account_service_pb.ts";
import {
  type ClearingOutcome,
  GetBidOutcomesResponseSchema,
} from "../../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleSchema, SaleStatus } from "../../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { GetSaleResponseSchema } from "../../../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { judgeSales } from "../../../../services/entities/alerts/judge-sales.ts";
import type { StoreConfig } from "../../../../services/entities/base/config.ts";
import type { EntitiesContext } from "../../../../services/entities/base/context.ts";
import { deriveKeys } from "../../../../services/entities/base/derived-keys.ts";
import { openStore } from "../../../../services/entities/base/open-store.ts";
import { sendSaleAlerts } from "../../../../services/entities/notices/send-notices.ts";

/**
 * A moment at which a process is killed: when it asks how bids stand, before it commits the first people whom it has judged, after that,
 * or when auth has taken a mail and it doesn't know yet.
 */
export type AlertMoment = "asked" | "storing" | "stored" | "mailed";

/** The task of a process. */
export interface AlertRun {
  readonly store: StoreConfig;
  readonly nowMs: number;
  /** How the bids of all wallets stand. */
  readonly outcome: ClearingOutcome;
  /** Undefined: it ends by itself, when it has mailed all. */
  readonly killedWhen: AlertMoment | undefined;
}

/** The line of a mail that auth takes: its UUID, and the account. */
export const MAIL_LINE = /^mail (\S+) (\S+)$/gm;

/** Runs of the work, each of which hands over a part of the mails. */
const SENDINGS = 4;

type Context = Pick<
  EntitiesContext,
  "database" | "clock" | "sales" | "commitments" | "accounts" | "alertMetrics" | "derivedKeys"
>;

async function run({ store, nowMs, outcome, killedWhen }: AlertRun): Promise<void> {
  writeSync(1, "begun\n");
  const opened = await openStore(store);
  let isAsked = false;
  const killedAt = (moment: AlertMoment) => {
    if (moment === killedWhen) process.kill(process.pid, "SIGKILL");
  };
  const database = {
    read: opened.read.bind(opened),
    write: (work: Parameters<typeof opened.write>[0]) =>
      opened.write(async (transaction) => {
        const result = await work(transaction);
        if (isAsked) killedAt("storing");
        return result;
      }),
  };
  const alertMetrics = { alerts: { inc: () => killedAt("stored") }, judgings: { inc: () => {} } };
  const others = {
    sales: {
      getSale: async ({ saleUuid = "" }) => {
        const definition = { name: "Harbour" };
        const sale = create(SaleSchema, { uuid: saleUuid, status: SaleStatus.OPEN, generation: 1n, definition });
        return create(GetSaleResponseSchema, { sale });
      },
    },
    commitments: {
      getBidOutcomes: async ({ wallets = [] }: { readonly wallets?: readonly string[] }) => {
        isAsked = true;
        killedAt("asked");
        const bidOf = (wallet: string) => ({
          bids: [{ commitmentId: bytesOfHex(wallet.slice(2).padStart(64, "0")), clearingOutcome: outcome }],
        });
        return create(GetBidOutcomesResponseSchema, {
          ...{ status: SaleStatus.OPEN, generation: 1n },
          wallets: wallets.map(bidOf),
        });
      },
    },
    accounts: {
      notifyAccount: async ({ noticeUuid = "", accountUuid = "" }) => {
        writeSync(1, `mail ${noticeUuid} ${accountUuid}\n`);
        killedAt("mailed");
        return create(NotifyAccountResponseSchema);
      },
    },
  };
  const context = {
    ...{ ...others, database, alertMetrics },
    clock: () => BigInt(nowMs),
    derivedKeys: deriveKeys(Buffer.alloc(32, 9)),
  } as unknown as Context;
  const { signal } = new AbortController();
  await judgeSales(context, signal);
  for (let sending = 0; sending < SENDINGS; sending++) await sendSaleAlerts(context, signal);
  await opened.close();
}

if (import.meta.main) await run(JSON.parse(process.env["ALERT_RUN"] ?? "") as AlertRun);
