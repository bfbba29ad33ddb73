/**
 * Every lifetime and window of the entities service, with its reason. Others stand where they belong to more than this service: ten
 * minutes for a recent sign-in in `common/platform/rpc/identity`, as all services check it; the end of approvals is a setting,
 * in `config.ts`.
 *
 * `_MS` is milliseconds, `_S` seconds.
 */
const SECOND_MS = 1_000n;
const MINUTE_MS = 60n * SECOND_MS;
const HOUR_MS = 60n * MINUTE_MS;
const DAY_MS = 24n * HOUR_MS;

// Permits.

/**
 * The time for which a permit is valid, and for which it binds a wallet that nobody has proved: long enough to sign and send a bid
 * with it, and short enough that a change of the rules soon counts for all. A wallet that was bound by mistake is free after it.
 */
export const PERMIT_LIFETIME_MS = 10n * MINUTE_MS;
/** The window of the rate limits of permits: a permit lasts as long. */
export const PERMIT_RATE_WINDOW_MS = 10n * MINUTE_MS;
/** The longest wait of a permit for others of its sale, so that callers that ask again at once share a batch. */
export const PERMIT_BATCH_WAIT_MS = 10;
/** The time for which facts about a sale are used for a new call, so that a sale is read once a second and not for each permit. */
export const SALE_FACTS_REUSE_MS = Number(SECOND_MS);
/** The time for which they may be trusted: a sale that has left its stage unnoticed gets no permits after this. */
export const SALE_FACTS_TRUST_MS = Number(2n * SECOND_MS);
/**
 * The time after which the change that has stopped permits has happened or never will, and no process has facts about the sale
 * in memory that are older than the stop. A call lasts at most a minute; the rest is for clocks that differ and for a slow commit.
 */
export const PERMIT_STOP_MS = 2n * MINUTE_MS;
/** The time for a remote signer's answer. Applications wait for it. */
export const REMOTE_SIGNER_DEADLINE_MS = Number(5n * SECOND_MS);
/** The time for a contract's answer whether it accepts a key. It is asked through a node. */
export const CONTRACT_CHECK_DEADLINE_MS = Number(10n * SECOND_MS);
/** The time for a contract's answer which permits it can take, while an owner waits who saves rules or opens a sale. */
export const CONTRACT_TERMS_DEADLINE_MS = Number(4n * SECOND_MS);

// Wallets.

/**
 * The time for which the contract must have been read beyond the end of a permit, by the chain's clock, before it counts that no bid has
 * used it: blocks that were read may be replaced until they are final, which takes Ethereum and its rollups a quarter of an hour.
 */
export const BID_FINALITY_MS = 15n * MINUTE_MS;

/** The time for which a text can be signed that links a wallet: wallets of several signers take minutes. */
export const LINK_CHALLENGE_LIFETIME_MS = 10n * MINUTE_MS;
/** The time for which a screener's answer about a wallet counts: one person asks several times within a minute. */
export const SCREENING_REUSE_MS = Number(MINUTE_MS);
/** The time for a screener's answer. Applications wait for it. */
export const SCREENER_DEADLINE_MS = Number(3n * SECOND_MS);

// Identity checks.

/** The time for which callbacks may name a handle. Checks by people at a vendor take weeks, and later ones name the reference. */
export const SETUP_HANDLE_MS = 180n * DAY_MS;
/** The time for which a start URL works. Users are redirected to it at once. */
export const START_URL_LIFETIME_S = (1n * HOUR_MS) / SECOND_MS;
/** How far the vendor's clock may be ahead: as far as the time of a signature may be (Standard Webhooks). */
export const VENDOR_CLOCK_TOLERANCE_MS = 5n * MINUTE_MS;
/** The time for which callbacks are remembered: longer than the time of a signature is accepted, by far. */
export const CALLBACK_RETENTION_MS = 7n * DAY_MS;
/** The time between the mail about the end of an approval and that end. */
export const APPROVAL_WARNING_MS = 14n * DAY_MS;
/** The time for which a mail waits for auth. What it says is outdated then, and auth forgets what it has sent a month later. */
export const NOTICE_RETENTION_MS = 30n * DAY_MS;
/** The waits between attempts to send a mail: from seconds, for a restart of auth, to an hour, for a mail server that is down. */
export const NOTICE_BACKOFF = { firstMs: Number(5n * SECOND_MS), longestMs: Number(HOUR_MS) };

/** The time for which one process alone sends a mail: longer than it waits for auth. If it ends meanwhile, another one sends it then. */
export const NOTICE_CLAIM_MS = 30n * SECOND_MS;

/** The time between mails to reviewers while somebody waits: each day anew. */
export const REVIEW_MAIL_MS = DAY_MS;
/** The least time between two of them, so that a queue that empties and fills all day is no flood. */
export const REVIEW_MAIL_GAP_MS = 15n * MINUTE_MS;

// Mails about sales that people ask for.

/** The time between judgings of a sale, and for which one process alone judges it. */
export const ALERT_JUDGING_MS = MINUTE_MS;
/** How late a judging may be. After a later one, nobody is mailed how bids have changed since the one before: more than one was left out. */
export const ALERT_FAULT_MS = 2n * MINUTE_MS;
/** The least time between two mails for the same reason, so that a bid that comes and goes is no flood. */
export const ALERT_GAP_MS = HOUR_MS;
/** The time after which a mail about the closing, which a fault has held up, would be wrong. */
export const CLOSING_ALERT_LATE_MS = 10n * MINUTE_MS;
/** How long before the closing people are mailed. */
export const CLOSING_ALERTS_MS = [
  { alert: "closes_in_day", beforeMs: DAY_MS },
  { alert: "closes_in_hour", beforeMs: HOUR_MS },
] as const;
/** The time for which such a mail waits for auth. It says how things stand, and nothing late is sent in bulk. */
export const ALERT_RETENTION_MS = 30n * MINUTE_MS;
/** The same for a mail that a sale is settled, which stays true. */
export const SETTLED_ALERT_RETENTION_MS = DAY_MS;

// Accounts and members.

/**
 * The time after which the deletion for which an account was closed has ended, with or without success. A call lasts at most
 * a minute; the rest is for clocks that differ and for a slow commit.
 */
export const ACCOUNT_DELETION_MS = 2n * MINUTE_MS;
/** The time for which it is remembered that an account was deleted: much longer than the tokens of its last sessions are valid. */
export const ERASED_ACCOUNT_RETENTION_MS = DAY_MS;
/** The time for which a person's page shows permits. */
export const SHOWN_PERMITS_MS = 30n * DAY_MS;
/** The time in which imports of one person are one entry of the activity log: 100,000 lines come in 200 calls. */
export const SAME_IMPORT_MS = Number(10n * MINUTE_MS);
/** The longest time of an export of members: 1,000,000 take less than a minute. */
export const MEMBER_EXPORT_MS = Number(10n * MINUTE_MS);

// Other services.

/** The time for the answer of another service, where a call doesn't say otherwise. */
export const CALL_TIMEOUT_MS = Number(5n * SECOND_MS);
