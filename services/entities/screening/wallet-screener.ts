import { Buffer } from "node:buffer";
import { LRUCache } from "lru-cache";
import { formatWallet, type Wallet, walletKey } from "../../../common/chains/wallet.ts";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { OutboundFault } from "../../../common/platform/outbound/outbound-fault.ts";
import type { OutboundFetcher, OutboundResponse } from "../../../common/platform/outbound/outbound-fetcher.ts";
import type { EntitiesContext } from "../base/context.ts";
import { SCREENER_DEADLINE_MS, SCREENING_REUSE_MS } from "../base/lifetimes.ts";
import { isDenied } from "../members/denied-wallets-store.ts";

/** Answers of screeners that are kept, of all sales together. */
const MAX_CACHED = 10_000;
const MAX_ANSWER_BYTES = 16 * 1_024;

/** Thrown if a screener gives no usable answer. */
export class ScreenerFault extends Error {
  constructor(message: string, options: { readonly cause?: unknown } = {}) {
    super(message, options);
    this.name = "ScreenerFault";
  }
}

export interface WalletScreenerOptions {
  readonly fetcher: Pick<OutboundFetcher, "send">;
  /** A monotonic clock in milliseconds. `performance` by default. */
  readonly clock?: Pick<Performance, "now">;
  /** 10,000 by default. */
  readonly maxCached?: number;
}

interface Question {
  readonly url: string;
  readonly saleUuid: string;
  readonly wallet: Wallet;
}

interface Verdict {
  readonly isRisky: boolean;
}

/**
 * Asks the HTTP screeners of sales about wallets: a `POST` of `{"sale", "chain", "wallet"}`, answered with 200 and JSON that has
 * the boolean `risk`. An answer is kept for a minute, a failure isn't; simultaneous questions about one wallet share a request.
 */
export class WalletScreener {
  readonly #fetcher: Pick<OutboundFetcher, "send">;
  readonly #verdicts: LRUCache<string, Verdict, Question>;

  constructor({ fetcher, clock = performance, maxCached = MAX_CACHED }: WalletScreenerOptions) {
    this.#fetcher = fetcher;
    this.#verdicts = new LRUCache<string, Verdict, Question>({
      ...atMost(maxCached),
      ttl: SCREENING_REUSE_MS,
      ttlResolution: 0,
      perf: clock,
      // A question that makes room for another one is still answered.
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) => this.#ask(context),
    });
  }

  /** @throws ScreenerFault */
  async isRisky(url: string, saleUuid: string, wallet: Wallet): Promise<boolean> {
    const key = `${saleUuid} ${walletKey(wallet)} ${url}`;
    return (await this.#verdicts.forceFetch(key, { context: { url, saleUuid, wallet } })).isRisky;
  }

  async #ask({ url, saleUuid, wallet }: Question): Promise<Verdict> {
    const body = JSON.stringify({ sale: saleUuid, chain: wallet.kind, wallet: formatWallet(wallet) });
    const headers = { "content-type": "application/json", accept: "application/json" };
    const bounds = { maxBytes: MAX_ANSWER_BYTES, deadlineMs: SCREENER_DEADLINE_MS };
    try {
      return verdictOf(await this.#fetcher.send({ method: "POST", url, headers, body, ...bounds }));
    } catch (error) {
      if (error instanceof OutboundFault) throw new ScreenerFault(error.message, { cause: error });
      throw error;
    }
  }
}

/** @throws ScreenerFault for anything but 200 and a JSON object with the boolean `risk` */
function verdictOf({ status, body }: OutboundResponse): Verdict {
  if (status !== 200) throw new ScreenerFault(`the screener answered with status ${status}`);
  const risk = Object(parsed(body))["risk"];
  if (typeof risk !== "boolean") throw new ScreenerFault("the screener's answer has no boolean `risk`");
  return { isRisky: risk };
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch (error) {
    throw new ScreenerFault("the screener's answer isn't JSON", { cause: error });
  }
}

/** The part of a sale's rules that screening depends on. */
export interface ScreeningRules {
  /** Whether the sale's deny list counts. */
  readonly denyList: boolean;
  /** The URL that is asked about each wallet; empty: none. */
  readonly screenerUrl: string;
  /** The result for a wallet while the screener doesn't answer: `closed` means risky. */
  readonly onScreeningFailure: "closed" | "open";
}

type ScreeningContext = Pick<
  EntitiesContext,
  "database" | "walletScreener" | "screeningMetrics" | "logScreeningFailure"
>;

/** Whether a wallet may get permits, as far as its risk decides it. */
type ScreeningResult = "clean" | "risky";

/** Screens a wallet by the deny list, which is read each time, and then by the sale's screener. */
export async function screenWallet(
  { database, walletScreener, screeningMetrics, logScreeningFailure }: ScreeningContext,
  saleUuid: string,
  { denyList, screenerUrl, onScreeningFailure }: ScreeningRules,
  wallet: Wallet,
): Promise<ScreeningResult> {
  if (denyList && (await database.read((query) => isDenied(query, saleUuid, wallet)))) {
    screeningMetrics.screenings.inc({ result: "denied" });
    return "risky";
  }
  if (screenerUrl === "") return "clean";
  try {
    const isRisky = await walletScreener.isRisky(screenerUrl, saleUuid, wallet);
    screeningMetrics.screenings.inc({ result: isRisky ? "risky" : "clean" });
    return isRisky ? "risky" : "clean";
  } catch (error) {
    if (!(error instanceof ScreenerFault)) throw error;
    screeningMetrics.screenings.inc({ result: "failed" });
    logScreeningFailure(saleUuid, screenerUrl, error);
    return onScreeningFailure === "open" ? "clean" : "risky";
  }
}
