import { Buffer } from "node:buffer";
import { describe, expect, it } from "vitest";
import type { Wallet } from "../../../common/chains/wallet.ts";
import { OutboundFault } from "../../../common/platform/outbound/outbound-fault.ts";
import type { OutboundRequest } from "../../../common/platform/outbound/outbound-fetcher.ts";
import { ScreenerFault, WalletScreener } from "./wallet-screener.ts";

const SALE = "11111111-1111-4111-8111-111111111111";
const OTHER_SALE = "22222222-2222-4222-8222-222222222222";
const URL = "https://screening.example/check";
const WALLET: Wallet = { kind: "evm", bytes: Buffer.from("5aaeb6053f3e94c9b9a09f33669435e7ef1beaed", "hex") };
const SVM_WALLET: Wallet = { kind: "svm", bytes: new Uint8Array(32) };

/** A screener that answers on command, and a clock that stands still until it is moved. */
function given(maxCached = 100) {
  const asked: OutboundRequest[] = [];
  const time = { ms: 1_000 };
  let answer = async () => ({ status: 200, contentType: "", body: Buffer.from('{"risk":false}') });
  const fetcher = {
    send: (request: OutboundRequest) => {
      asked.push(request);
      return answer();
    },
  };
  const screener = new WalletScreener({ fetcher, clock: { now: () => time.ms }, maxCached });
  const answers = (body: string, status = 200) => {
    answer = async () => ({ status, contentType: "", body: Buffer.from(body) });
  };
  const fails = (error: Error) => {
    answer = () => Promise.reject(error);
  };
  return { screener, asked, time, answers, fails };
}

describe("WalletScreener", () => {
  it("sends sale, chain and wallet, and reads `risk`", async () => {
    const { screener, asked, answers } = given();
    expect(await screener.isRisky(URL, SALE, WALLET)).toBe(false);
    answers('{"risk":true,"score":9}');
    expect(await screener.isRisky(URL, SALE, SVM_WALLET)).toBe(true);
    expect(asked.map(({ body }) => JSON.parse(String(body)))).toEqual([
      { sale: SALE, chain: "evm", wallet: "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed" },
      { sale: SALE, chain: "svm", wallet: "1".repeat(32) },
    ]);
    expect(asked[0]).toMatchObject({ method: "POST", url: URL, maxBytes: 16_384, deadlineMs: 3_000 });
  });

  it("keeps an answer for a minute, for the same sale, URL and wallet", async () => {
    const { screener, asked, time } = given();
    const both = [screener.isRisky(URL, SALE, WALLET), screener.isRisky(URL, SALE, WALLET)];
    await Promise.all(both);
    time.ms = 61_000;
    await screener.isRisky(URL, SALE, WALLET);
    expect(asked).toHaveLength(1);
    await screener.isRisky(URL, OTHER_SALE, WALLET);
    await screener.isRisky(`${URL}?b`, SALE, WALLET);
    expect(asked).toHaveLength(3);
    time.ms = 61_001;
    await screener.isRisky(URL, SALE, WALLET);
    expect(asked).toHaveLength(4);
  });

  it("keeps a bounded number of answers", async () => {
    const { screener, asked } = given(1);
    for (const sale of [SALE, OTHER_SALE, SALE]) await screener.isRisky(URL, sale, WALLET);
    expect(asked).toHaveLength(3);
  });

  it.each([
    ["another status", '{"risk":false}', 500],
    ["a redirect's status", '{"risk":false}', 201],
    ["no JSON", "risk: false", 200],
    ["no object", "null", 200],
    ["no `risk`", "{}", 200],
    ["a `risk` that is no boolean", '{"risk":"false"}', 200],
    ["a list", "[false]", 200],
  ])("fails for %s, and asks again the next time", async (_, body, status) => {
    const { screener, asked, answers } = given();
    answers(body, status);
    await expect(screener.isRisky(URL, SALE, WALLET)).rejects.toThrow(ScreenerFault);
    answers('{"risk":true}');
    expect(await screener.isRisky(URL, SALE, WALLET)).toBe(true);
    expect(asked).toHaveLength(2);
  });

  it("fails if the screener can't be asked", async () => {
    const { screener, fails } = given();
    fails(new OutboundFault("timeout", "screening.example didn't answer within 3000 ms"));
    await expect(screener.isRisky(URL, SALE, WALLET)).rejects.toThrow(ScreenerFault);
    fails(new TypeError("a mistake of ours"));
    await expect(screener.isRisky(URL, SALE, WALLET)).rejects.toThrow(TypeError);
  });
});
