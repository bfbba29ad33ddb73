import { Registry } from "prom-client";
import { describe, expect, it } from "vitest";
import { type Wallet, walletColumn } from "../../../common/chains/wallet.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { screeningFailureLog } from "./failure-log.ts";
import { createScreeningMetrics } from "./screening-metrics.ts";
import { ScreenerFault, type ScreeningRules, screenWallet } from "./wallet-screener.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const OTHER_SALE = "22222222-2222-4222-8222-222222222222";
const DENIED: Wallet = { kind: "evm", bytes: new Uint8Array(20).fill(1) };
const CLEAN: Wallet = { kind: "evm", bytes: new Uint8Array(20).fill(2) };
const RULES: ScreeningRules = { denyList: true, screenerUrl: "", onScreeningFailure: "closed" };
const ASKING = { ...RULES, screenerUrl: "https://screening.example/" };

/** @param verdict of the screener; undefined if it fails */
async function given(verdict?: boolean) {
  const database = await openEntitiesDatabase();
  const row = { sale: bytesOfHex(SALE), wallet: walletColumn(DENIED) };
  await database.query.insertInto("denied_wallet").values(row).execute();
  const registry = new Registry();
  const asked: string[] = [];
  const walletScreener = {
    isRisky: async (url: string) => {
      asked.push(url);
      if (verdict === undefined) throw new ScreenerFault("away");
      return verdict;
    },
  };
  const { logger, lines } = captureLog();
  const logScreeningFailure = screeningFailureLog(logger);
  const dependencies = {
    database,
    walletScreener,
    screeningMetrics: createScreeningMetrics(registry),
    logScreeningFailure,
  };
  const counted = async () => {
    const { values = [] } = (await registry.getSingleMetric("tidemark_entities_screenings_total")?.get()) ?? {};
    return Object.fromEntries(
      values.filter(({ value }) => value > 0).map(({ labels, value }) => [labels["result"], value]),
    );
  };
  const screen = (rules: ScreeningRules, wallet: Wallet, sale = SALE) =>
    screenWallet(dependencies, sale, rules, wallet);
  return { screen, asked, counted, lines };
}

describe("a deny list", () => {
  it("refuses its wallets in its sale, if the sale uses it, and asks nobody", async () => {
    const { screen, asked, counted } = await given(false);
    expect(await screen(ASKING, DENIED)).toBe("risky");
    expect(asked).toEqual([]);
    expect(await screen(RULES, CLEAN)).toBe("clean");
    expect(await screen(RULES, DENIED, OTHER_SALE)).toBe("clean");
    expect(await screen({ ...RULES, denyList: false }, DENIED)).toBe("clean");
    expect(await counted()).toEqual({ denied: 1 });
  });
});

describe("a screener", () => {
  it.each([
    [true, "risky"],
    [false, "clean"],
  ] as const)("that answers %s makes a wallet %s", async (verdict, result) => {
    const { screen, asked, counted } = await given(verdict);
    expect(await screen(ASKING, CLEAN)).toBe(result);
    expect(asked).toEqual([ASKING.screenerUrl]);
    expect(await counted()).toEqual({ [result]: 1 });
  });

  it("that fails refuses every wallet, unless the sale says otherwise", async () => {
    const { screen, counted } = await given();
    expect(await screen(ASKING, CLEAN)).toBe("risky");
    expect(await screen({ ...ASKING, onScreeningFailure: "open" }, CLEAN)).toBe("clean");
    expect(await counted()).toEqual({ failed: 2 });
  });

  it("that fails is logged with its host and the reason, once a minute for each sale, without path or wallet", async () => {
    const { screen, lines } = await given();
    const secret = { ...ASKING, screenerUrl: "https://screening.example:8443/v1?key=secret" };
    for (const sale of [SALE, SALE, OTHER_SALE]) await screen(secret, CLEAN, sale);
    const logged = { screener: "screening.example:8443", reason: "away" };
    expect(lines).toMatchObject([
      { ...logged, sale: SALE },
      { ...logged, sale: OTHER_SALE },
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/secret|0202/);
  });
});
