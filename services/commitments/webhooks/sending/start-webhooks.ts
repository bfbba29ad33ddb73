import type { Registry } from "prom-client";
import type { Lifecycle } from "../../../../common/platform/lifecycle/lifecycle.ts";
import type { Logger } from "../../../../common/platform/log/log.ts";
import { OutboundFetcher } from "../../../../common/platform/outbound/outbound-fetcher.ts";
import type { SaleAuthority } from "../../base/sale-authority.ts";
import type { CommitmentsStore } from "../../changing/commitments-store.ts";
import type { Webhooks } from "../webhooks.ts";
import { EndpointSecrets } from "../wrapped-secrets-store.ts";
import { FaultWatch } from "./fault-watch.ts";
import type { WebhookConfig } from "./webhook-config.ts";
import { attemptCounter, exportDeliveries } from "./webhook-metrics.ts";
import { WebhookWorker } from "./webhook-worker.ts";

export interface StartWebhooksOptions {
  readonly config: WebhookConfig;
  readonly store: CommitmentsStore;
  readonly authority: SaleAuthority;
  readonly lifecycle: Lifecycle;
  readonly registry: Registry;
  readonly logger: Logger;
}

/** Starts the delivery to webhooks. @returns what the RPCs need; undefined without `KEY_ENCRYPTION_KEY` */
export function startWebhooks(options: StartWebhooksOptions): Webhooks | undefined {
  const { config, store, authority, lifecycle, registry, logger } = options;
  const { keyEncryptionKey, otherKeyEncryptionKey, timeoutMs, disableAfterMs, outboundLoopback } = config;
  if (keyEncryptionKey === undefined) return undefined;
  const { database } = store;
  const fetcher = new OutboundFetcher({ loopback: outboundLoopback });
  const secrets = new EndpointSecrets(keyEncryptionKey, otherKeyEncryptionKey);
  const faults = new FaultWatch(store);
  const worker = new WebhookWorker({
    database,
    authority,
    logger,
    fetcher,
    secrets,
    timeoutMs,
    disableAfterMs,
    watchFaults: () => faults.look(),
    onAttempt: attemptCounter(registry),
  });
  exportDeliveries(database, registry);
  worker.start();
  lifecycle.onStop("webhooks", () => worker.stop());
  return { secrets, urlProblem: (url) => fetcher.urlProblem(url), wake: () => worker.wake() };
}
