/**
 * Every lifetime, interval and bound in time of the commitments service, with its reason. Settings are in `config.ts` (how long
 * rows are kept, how often the outbox is read, how long an attempt at a webhook and an export may take) and in
 * `webhooks/sending/webhook-config.ts`.
 *
 * `_MS` is milliseconds: numbers for timers of the process, bigints for the database's clock.
 */
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

// How current a sale's figures are.

/** The time after which failed reads are a fault: a node that fails once, or a re-organised chain, is no reason for an alarm. */
export const UNREADABLE_AFTER_MS = BigInt(5 * SECOND_MS);
/** The time after which a source without a finished read is late, at least; see `LATE_AFTER_READS`. */
export const LATE_AFTER_MS = BigInt(30 * SECOND_MS);
/** The number of expected reads without which a source is late, at least. */
export const LATE_AFTER_READS = 3n;
/** The time for which a sale may be without a lease, while its reader is restarted or another one takes over. */
export const NO_INDEXER_AFTER_MS = BigInt(15 * SECOND_MS);
/** The time after which the chain can't undo a settlement any more. */
export const FINAL_AFTER_MS = BigInt(HOUR_MS);

// Calls to other services.

/** Time-out of a call to the auth service. */
export const AUTH_TIMEOUT_MS = 5 * SECOND_MS;
/** Time-out of a check by the indexer, which asks nodes and gives up its own after 15 s. Somebody waits for it. */
export const CHECK_TIMEOUT_MS = 10 * SECOND_MS;
/** Time-out of a question how bids leave. The indexer answers from memory, but for the first one about an auction; a look-up waits for it. */
export const EXITS_TIMEOUT_MS = 2 * SECOND_MS;
/** Time-out of a call to the entities service, which may ask the indexer. */
export const ENTITIES_TIMEOUT_MS = 15 * SECOND_MS;
/** The longest time for which an apply waits until permits are stopped. */
export const PERMIT_STOP_TIMEOUT_MS = SECOND_MS;

// The outbox.

/**
 * The duration of a relay's lease without renewal, which comes after half of it: the time in which nobody publishes its share after it has
 * died. Readers don't wait for that, as gateways ask for changes themselves; only subscribers to the bus do.
 */
export const RELAY_LEASE_MS = 6 * SECOND_MS;
/** The time after which the row of a relay that has died is deleted. */
export const DEAD_RELAY_MS = BigInt(MINUTE_MS);
/** The shortest time between two checks whether the bus has lost its store. They come with polls of the outbox, at most three seconds apart. */
export const STORE_CHECK_INTERVAL_MS = SECOND_MS;

/**
 * The time before a cursor from which changes are listed: 10 s for what gateways ask at the same time (`changed-sales.ts` there), and 5 s
 * as the clocks of several database servers differ.
 */
export const CHANGES_OVERLAP_MS = BigInt(15 * SECOND_MS);

// Watched sales.

/** The time between two messages of a watch of which nothing is new. */
export const WATCH_HEARTBEAT_MS = 15 * SECOND_MS;
/** The time between two reads of watched sales' revisions: the bus may lose events. */
export const WATCH_POLL_MS = SECOND_MS;
/** The shortest time between two reads of a sale, for all its watchers together. */
export const MIN_WATCHED_READ_INTERVAL_MS = SECOND_MS / 10;

/** The time between two looks for sales that lack rows by wallet: only an upgrade makes some. */
export const WALLET_FILL_INTERVAL_MS = 10 * SECOND_MS;

/** The time between two looks for sales whose history lacks commitments at their own time: only an import makes some. */
export const LATE_ROWS_INTERVAL_MS = 30 * SECOND_MS;

// Webhooks.

/** The time after which a delivery is given up. */
export const GIVE_UP_AFTER_MS = BigInt(DAY_MS);
/** Retries of webhooks: waits of 5 s, 15 s, 45 s, 2 min, 7 min, 20 min, an hour, and then three hours, each shortened by up to a half. */
export const WEBHOOK_RETRY_BACKOFF = { firstMs: 5 * SECOND_MS, longestMs: 3 * HOUR_MS, factor: 3 };
/** The time between two looks at what is due, where there are endpoints. A process looks at once at what it is asked to send. */
export const WEBHOOK_POLL_MS = SECOND_MS;
/** The wait after an attempt that couldn't be stored, or an endpoint that couldn't be disabled. */
export const WEBHOOK_HOLD_OFF_MS = 5 * SECOND_MS;
/** The time between two looks at the faults of feeds. */
export const FAULT_WATCH_INTERVAL_MS = 5 * SECOND_MS;
/** The duration of the lease without renewal: the time in which nobody delivers after its holder has died. */
export const WEBHOOK_LEASE_MS = BigInt(15 * SECOND_MS);
/** The time between two renewals of the lease, or two tries to take it. */
export const WEBHOOK_LEASE_RENEWAL_MS = 5 * SECOND_MS;
/** The time in which the test events of a sale are counted. */
export const TESTS_WINDOW_MS = BigInt(HOUR_MS);
/** The time in which the events of a sale that are sent again are counted. */
export const REPLAY_WINDOW_MS = BigInt(HOUR_MS);
/** The time for which the secret before the present one signs, too. */
export const PREVIOUS_SECRET_MS = BigInt(DAY_MS);
