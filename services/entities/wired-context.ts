import type { Registry } from "prom-client";
import { RunningExports } from "../../common/platform/db/running-exports.ts";
import { OutboundFetcher } from "../../common/platform/outbound/outbound-fetcher.ts";
import { bothKeys } from "../../common/platform/secrets/both-keys.ts";
import { issuedPermits } from "./accounts/issued-permits.ts";
import { linkedWallets } from "./accounts/linked-wallets.ts";
import { saleWallets } from "./accounts/sale-wallets.ts";
import { createAlertMetrics } from "./alerts/alert-metrics.ts";
import { batchedAccess } from "./authority/access-batching/batched-access.ts";
import { RecentSales } from "./authority/recent-sales.ts";
import type { EntitiesConfig } from "./base/config.ts";
import type { EntitiesContext } from "./base/context.ts";
import type { EraseEntity } from "./base/erase-entity.ts";
import { MEMBER_EXPORT_MS } from "./base/lifetimes.ts";
import type { StoredKeySigner } from "./base/permit-signer.ts";
import type { Upstreams } from "./base/upstreams.ts";
import { recentRecords } from "./members/record-participants.ts";
import { choosingSigner } from "./permit-keys/choosing-signer.ts";
import { remoteSigner } from "./permit-keys/remote-signer.ts";
import { storedKeySigner } from "./permit-keys/stored-key-signer.ts";
import { permitRates } from "./permits/permit-rates.ts";
import { screeningFailureLog } from "./screening/failure-log.ts";
import { createScreeningMetrics } from "./screening/screening-metrics.ts";
import { WalletScreener } from "./screening/wallet-screener.ts";
import { eraseEntity as eraseSetup } from "./setup/erase-entity.ts";
import { openProvider } from "./setup/open-provider.ts";
import { createSetupMetrics } from "./setup/setup-metrics.ts";
import { disputedWallets } from "./wallets/disputed-wallets.ts";
import { eraseWallets } from "./wallets/wallet-links-store.ts";

/** The context of the use cases, and the configuration. */
export interface WiredContext extends EntitiesContext {
  readonly config: EntitiesConfig;
}

/** The parts of the context that the service opens, or a test replaces; `wireContext` makes the others from them. */
export interface OpenedContext
  extends Upstreams,
    Pick<EntitiesContext, "database" | "clock" | "logger" | "derivedKeys"> {
  readonly config: EntitiesConfig;
  readonly registry: Registry;
}

const ERASE_ENTITY: readonly EraseEntity[] = [
  eraseSetup,
  (transaction, { uuid }, nowMs) => eraseWallets(transaction, uuid, nowMs),
];

/** Exports of members at once. */
const MAX_EXPORTS = 4;

export function wireContext({ registry, ...opened }: OpenedContext): WiredContext {
  const { identity, issuer, outboundLoopback } = opened.config;
  const outbound = new OutboundFetcher({ loopback: outboundLoopback });
  const authorization = batchedAccess(opened.authorization);
  return {
    ...opened,
    authorization,
    eraseEntity: ERASE_ENTITY,
    linkedWallets,
    disputedWallets: (entityUuid) => disputedWallets(opened, entityUuid),
    saleWallets,
    issuedPermits,
    site: issuer,
    identity,
    identityProvider: openProvider(identity, issuer),
    outbound,
    walletScreener: new WalletScreener({ fetcher: outbound }),
    screeningMetrics: createScreeningMetrics(registry),
    setupMetrics: createSetupMetrics(registry),
    alertMetrics: createAlertMetrics(registry),
    logScreeningFailure: screeningFailureLog(opened.logger),
    permitSigner: permitSignerOf(opened),
    recentRecords: recentRecords(),
    memberExports: new RunningExports({ database: opened.database, maxExports: MAX_EXPORTS, maxMs: MEMBER_EXPORT_MS }),
    recentSales: new RecentSales(opened),
    permitRates: permitRates({ ...opened, counterKey: opened.derivedKeys.index }),
  };
}

function permitSignerOf({ config, clock, derivedKeys }: Omit<OpenedContext, "registry">): StoredKeySigner {
  const { permitSigner } = config;
  const remote = permitSigner && remoteSigner({ ...permitSigner, clock });
  return choosingSigner(storedKeySigner(...bothKeys(derivedKeys, "permitKeyWrap")), remote);
}
