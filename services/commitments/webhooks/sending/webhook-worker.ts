import { setTimeout as delay } from "node:timers/promises";
import { InterruptibleWait } from "../../../../common/platform/concurrency/interruptible-wait.ts";
import type { Logger } from "../../../../common/platform/log/log.ts";
import { WEBHOOK_HOLD_OFF_MS, WEBHOOK_POLL_MS } from "../../base/domain/lifetimes.ts";
import type { SaleAuthority } from "../../base/sale-authority.ts";
import type { CommitmentsDatabase } from "../../base/schema.ts";
import { type DueDelivery, readDueDelivery, readDueEndpoints, storeAttempt } from "../due-deliveries-store.ts";
import { disableEndpoint } from "../endpoint-rows.ts";
import { type Disabling, originOf } from "../webhook-endpoint.ts";
import { WebhookLease } from "../webhook-lease-store.ts";
import { SendSlots } from "./send-slots.ts";
import { type AttemptDependencies, attemptDelivery } from "./webhook-attempt.ts";

/** Endpoints that are sent to at once. Each gets one delivery at a time, so that a slow one keeps nobody waiting. */
const MAX_ENDPOINTS_AT_ONCE = 64;
/** Endpoints at one host that are sent to at once. */
const MAX_AT_ONE_HOST = 16;
/** Endpoints of one founder that are sent to at once: it takes eight slow founders to fill all slots. */
const MAX_OF_ONE_FOUNDER = 8;
const GONE = 410;

export interface WebhookWorkerDependencies extends AttemptDependencies {
  readonly database: CommitmentsDatabase;
  readonly authority: SaleAuthority;
  readonly logger: Logger;
  /** The time of failures alone after which an endpoint is disabled. In milliseconds. */
  readonly disableAfterMs: number;
  /** Has the faults of feeds stored as events. Does nothing by default. */
  readonly watchFaults?: () => Promise<void>;
  /** Called after each attempt. */
  readonly onAttempt?: (outcome: "delivered" | "failed") => void;
  /** Milliseconds since 1970. The database's clock by default. */
  readonly now?: () => Promise<bigint>;
  /** 64 by default. */
  readonly maxEndpointsAtOnce?: number;
}

/**
 * Sends events to webhooks: each at least once, until an endpoint answers 2xx or a day is over. Of the processes on a database the
 * one with the lease delivers. If it dies, another one goes on some seconds later, and repeats with the same `webhook-id` what was
 * sent but not stored as sent.
 */
export class WebhookWorker {
  readonly #options: WebhookWorkerDependencies;
  readonly #lease: WebhookLease;
  readonly #stopping = new AbortController();
  readonly #wait = new InterruptibleWait();
  /** Attempts under way, by their endpoints' UUIDs. */
  readonly #running = new Map<string, Promise<void>>();
  readonly #slots: SendSlots;
  #loop: Promise<void> = Promise.resolve();
  #pauseMs = WEBHOOK_POLL_MS;

  constructor(options: WebhookWorkerDependencies) {
    this.#options = options;
    this.#lease = new WebhookLease(options.database);
    const { maxEndpointsAtOnce: total = MAX_ENDPOINTS_AT_ONCE } = options;
    this.#slots = new SendSlots({ total, perHost: MAX_AT_ONE_HOST, perFounder: MAX_OF_ONE_FOUNDER });
  }

  start(): void {
    this.#loop = this.#run();
  }

  /** The time until the next look that nothing asks for, in milliseconds: longer without the lease, and without any endpoint. */
  get pauseMs(): number {
    return this.#pauseMs;
  }

  /** Has what is due looked at at once. */
  wake(): void {
    this.#wait.end();
  }

  /** Stops. An attempt under way is broken off, and made again by whoever goes on. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#wait.end();
    await this.#loop;
    await this.idle();
    // Otherwise the lease ends by itself.
    await this.#lease.release().catch(() => {});
  }

  /** Resolves once no attempt is under way. */
  async idle(): Promise<void> {
    while (this.#running.size > 0) await Promise.all(this.#running.values());
  }

  /** Starts attempts of what is due, if this process has the lease. @returns whether it has */
  async look(): Promise<boolean> {
    this.#pauseMs = WEBHOOK_POLL_MS;
    const isHeld = await this.#lease.take();
    // First what is due: a feed that can't be looked at delays no delivery.
    const hasEndpoints = isHeld && (await this.#startDue());
    if (!hasEndpoints) this.#pauseMs = this.#lease.untilTryMs;
    if (!isHeld) return false;
    await this.#options.watchFaults?.();
    return true;
  }

  async #run(): Promise<void> {
    const { logger } = this.#options;
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      await this.look().catch((error: unknown) => logger.warn({ err: error }, "webhooks wait: what is due is unknown"));
      await this.#wait.wait(this.#pauseMs, signal);
    }
  }

  /** @returns whether there may be endpoints */
  async #startDue(): Promise<boolean> {
    if (this.#slots.isFull) return true;
    const { now, database } = this.#options;
    const due = await readDueEndpoints(database, await now?.());
    if (due === undefined || this.#stopping.signal.aborted) return false;
    for (const { endpointUuid } of this.#slots.begin(due)) this.#start(endpointUuid);
    return true;
  }

  #start(endpointUuid: string): void {
    const { logger } = this.#options;
    const running = this.#sendNext(endpointUuid)
      .catch(async (error: unknown) => {
        if (this.#stopping.signal.aborted) return false;
        logger.warn(
          { err: error, endpointUuid },
          "an attempt at a webhook can't be read, or its result can't be stored",
        );
        // Else it would be sent over and over.
        await delay(WEBHOOK_HOLD_OFF_MS, undefined, { signal: this.#stopping.signal }).catch(() => {});
        return true;
      })
      .then((looksAgain) => {
        this.#running.delete(endpointUuid);
        this.#slots.end(endpointUuid);
        if (looksAgain) this.#wait.end();
      });
    this.#running.set(endpointUuid, running);
  }

  /** Makes the attempt that is due. @returns false if none is any more, which is no reason to look again at once */
  async #sendNext(endpointUuid: string): Promise<boolean> {
    const delivery = await readDueDelivery(this.#options.database, endpointUuid, await this.#now());
    if (delivery !== undefined) await this.#attempt(delivery);
    return delivery !== undefined;
  }

  async #attempt(delivery: DueDelivery): Promise<void> {
    const { database, disableAfterMs, onAttempt } = this.#options;
    const attempt = await attemptDelivery(this.#options, delivery, await this.#now(), this.#stopping.signal);
    const failingSince = await storeAttempt(database, delivery, attempt);
    onAttempt?.(attempt.status === "delivered" ? "delivered" : "failed");
    if (failingSince === undefined) return;
    const { atMillis, httpStatus } = attempt;
    if (httpStatus === GONE) return disableFailing(this.#options, delivery, "gone", atMillis);
    if (atMillis - failingSince < BigInt(disableAfterMs)) return;
    await disableFailing(this.#options, delivery, "failures", atMillis);
  }

  #now(): Promise<bigint> {
    const { now, database } = this.#options;
    return now === undefined ? database.nowMillis() : now();
  }
}

const REASONS: Readonly<Record<Exclude<Disabling, "member">, string>> = {
  failures: "disabled: every attempt has failed for too long",
  gone: "disabled: it answered 410 Gone",
};

/**
 * Disables an endpoint. The sale's log records it first: if that fails, nothing is disabled, and the next failure tries again.
 *
 * @throws what the auth service refuses, or the database throws
 */
async function disableFailing(
  { database, authority }: { readonly database: CommitmentsDatabase; readonly authority: SaleAuthority },
  { saleUuid, endpointUuid, url }: DueDelivery,
  why: Exclude<Disabling, "member">,
  atMillis: bigint,
): Promise<void> {
  const change = { field: `Webhook ${originOf(url)}`, before: "enabled", after: REASONS[why] };
  await authority.recordChange({ kind: "operator" }, saleUuid, "webhooks", [change]);
  await database.write((transaction) => disableEndpoint(transaction, endpointUuid, { atMillis, why }));
}
