import type { Wallet } from "../../../common/chains/wallet.ts";
import type { EntitiesContext } from "../base/context.ts";
import { isDenied } from "./deny-list-store.ts";
import { ScreenerFault } from "./wallet-screener.ts";

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
export type ScreeningResult = "clean" | "risky";

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
