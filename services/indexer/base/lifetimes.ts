/**
 * Every lifetime and interval of the indexer, in milliseconds, with its reason. Settings are in `config.ts` (how often sales are listed,
 * how long a lease lasts) and in `common/chains` (how often a chain is polled); how long a node is waited for is in `common/chains`, and
 * how long a sweep may take of the time in `common/contracts`.
 */
const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;

// Following a sale.

/** The longest wait between two reads of a sale that fail: nodes that come back are noticed within half a minute. */
export const LONGEST_READ_BACKOFF_MS = 30 * SECOND_MS;
/** The time between two reads of a sale that is final, in case that something has changed after all. It has no lease in between. */
export const FINAL_READ_INTERVAL_MS = 60 * MINUTE_MS;
/**
 * The first wait after a final sale couldn't be read; each later one is twice as long, up to the interval above. Nobody waits for its
 * figures, and thousands of sales may be on a chain whose nodes are gone.
 */
export const FIRST_FINAL_BACKOFF_MS = 10 * MINUTE_MS;
/**
 * The stored position follows the chain at least this often, even if nothing changes: a process that takes over knows up to there what was
 * final, and a store that has lost changes is noticed. How current a sale is comes with the reports.
 */
export const POSITION_INTERVAL_MS = 20 * SECOND_MS;
/** The time between two reports of a sweep's progress: people see it move. */
export const PROGRESS_INTERVAL_MS = SECOND_MS / 2;
/** A status that says nothing new, or only another block, is reported this often: people see how current the sale is. */
export const REPEATED_STATUS_MS = 2 * SECOND_MS;
/** The longest interval between reads that a status can name: limit of the RPC. */
export const LONGEST_REPORTED_INTERVAL_MS = 24 * 60 * MINUTE_MS;
/** The lease that takes the place of one that is given up: lower limit of the commitments service. */
export const SHORTEST_LEASE_MS = SECOND_MS;
/** The time between two comparisons of tokens' decimals. Tokens seldom change theirs, and only behind a proxy. */
export const TOKEN_COMPARISON_INTERVAL_MS = 10 * MINUTE_MS;
/** The time after a comparison of tokens that failed. */
export const TOKEN_COMPARISON_RETRY_MS = 30 * SECOND_MS;

// Sending changes.

/** The first wait before a call is repeated whose outcome isn't known; each later one is twice as long. */
export const FIRST_APPLY_BACKOFF_MS = 50;

// Checks that others ask for.

/** The time for which the result of a check is given again: a form asks while somebody types. */
export const CACHED_CHECK_MS = 10 * SECOND_MS;
/** The longest time of a check, without its wait for others. */
export const LONGEST_CHECK_MS = 15 * SECOND_MS;
/** The shortest time between two reads of how bids leave an auction: its checkpoints come with bids, and whoever leaves can wait for a block. */
export const EXIT_READ_INTERVAL_MS = 10 * SECOND_MS;
/** The longest such read: 200,000 checkpoints and as many prices are some 1,300 calls. */
export const LONGEST_EXIT_READ_MS = 5 * MINUTE_MS;
/** The wait, in seconds, that is asked of callers while too many checks run. */
export const CHECK_RETRY_AFTER_S = 5;
