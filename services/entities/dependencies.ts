import type { Registry } from "prom-client";
import { OutboundFetcher } from "../shared/outbound/outbound-fetcher.ts";
import { batchedAccess } from "./access/batched-access.ts";
import type { Upstreams } from "./access/upstreams.ts";
import type { EntitiesConfig } from "./base/config.ts";
import type { BaseDependencies } from "./base/dependencies.ts";
import type { KeyDependencies } from "./keys/dependencies.ts";
import { choosingSigner, type PermitSigner } from "./keys/permit-signer.ts";
import { remoteSigner } from "./keys/remote-signer.ts";
import { storedKeySigner } from "./keys/stored-key-signer.ts";
import type { ScreeningDependencies } from "./screening/screen-wallet.ts";
import { createScreeningMetrics } from "./screening/screening-metrics.ts";
import { WalletScreener } from "./screening/wallet-screener.ts";

/** The dependencies of all subjects in one object. Each subject declares only the part that it uses. */
export interface EntitiesDependencies extends BaseDependencies, Upstreams, ScreeningDependencies, KeyDependencies {
  readonly config: EntitiesConfig;
  /** Asks hosts of others: screeners, and vendors of identity checks. */
  readonly outbound: OutboundFetcher;
}

/** The dependencies that the service opens, or a test replaces; `wireDependencies` makes the others from them. */
export interface OpenedDependencies extends BaseDependencies, Upstreams {
  readonly config: EntitiesConfig;
  readonly registry: Registry;
}

export function wireDependencies({ registry, ...opened }: OpenedDependencies): EntitiesDependencies {
  const outbound = new OutboundFetcher({ loopback: opened.config.outboundLoopback });
  return {
    ...opened,
    authorization: batchedAccess(opened.authorization),
    outbound,
    walletScreener: new WalletScreener({ fetcher: outbound }),
    screeningMetrics: createScreeningMetrics(registry),
    permitSigner: permitSignerOf(opened),
  };
}

function permitSignerOf({ config, clock, derivedKeys }: Omit<OpenedDependencies, "registry">): PermitSigner {
  const { permitSigner } = config;
  const remote = permitSigner && remoteSigner({ ...permitSigner, clock });
  return choosingSigner(storedKeySigner(derivedKeys.permitKeyWrap), remote);
}
