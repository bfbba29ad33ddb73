import { createHash } from "node:crypto";
import { SaleStage, SaleStatus, Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { FakeSale } from "./fake-commitments.ts";

const COMMITMENTS = 100;
const FIRST_SECOND = 1_800_000_000n;

/** Returns pseudo-random bytes, the same for the same seed. */
function noise(seed: string, bytes: number): Buffer {
  return createHash("shake256", { outputLength: bytes }).update(seed).digest();
}

function bigNoise(seed: string, bytes: number): string {
  // The first bit is set, so that all have the full length.
  return BigInt(`0x80${noise(seed, bytes - 1).toString("hex")}`).toString();
}

/** The longest entries of a founder, in characters that HTML has to escape or that take four bytes. */
const PRESENTATION = {
  description: `"&' `.repeat(500),
  website: `https://${"founder".repeat(8)}.example/${"a".repeat(400)}`,
  contact: `${"&'".repeat(32)}@${"founder.".repeat(6)}example`,
  offeredTokenSymbol: "🌊".repeat(32),
  opensAtSeconds: FIRST_SECOND,
  closesAtSeconds: 253_402_300_799n,
  logo: "ab".repeat(32),
  totalSupply: (2n ** 256n - 1n).toString(),
};
const PAYMENT_TOKENS = Array.from({ length: 32 }, (_, index) => ({
  address: `0x${noise(`token ${index}`, 20).toString("hex")}`,
  decimals: 18,
  usdStablecoin: true,
  symbol: "🌊".repeat(32),
}));

/** Returns an auction that compresses badly: random wallets, amounts of 256 bits, prices with endless decimals. */
export function worstSale(revision: bigint): FakeSale {
  return {
    generation: 1n,
    revision,
    sale: {
      name: "<b>&\"'".repeat(33),
      status: SaleStatus.OPEN,
      tenancy: Tenancy.TEST,
      stage: SaleStage.COMMITMENT,
      amountsAreDollars: true,
      paymentTokens: PAYMENT_TOKENS,
      paymentTokenDecimals: 18,
      offeredTokenDecimals: 18,
      auction: {
        offeredAmount: (2n ** 255n).toString(),
        floorPrice: { numerator: bigNoise("n", 32), denominator: bigNoise("d", 32) },
      },
      source: { case: "evm", value: { chain: "c".repeat(63), contract: `0x${"c2".repeat(20)}` } },
      presentation: PRESENTATION,
    },
    feedState: {
      asOf: {
        position: { height: 2n ** 53n, hash: noise("block", 32) },
        blockTime: { seconds: FIRST_SECOND },
        lastSuccess: { seconds: FIRST_SECOND },
      },
      chain: { chainId: 2n ** 53n - 1n, contractUrl: `https://explorer.example/${"a".repeat(400)}` },
    },
    data: {
      commitments: Array.from({ length: COMMITMENTS }, (_, index) => ({
        commitmentId: noise(`id ${index}`, 32),
        entityId: noise(`entity ${index}`, 16),
        price: { numerator: bigNoise(`n ${index}`, 32), denominator: bigNoise(`d ${index}`, 32) },
        priceMicroUsd: "1",
        amounts: ["a", "b"].map((each) => ({
          wallet: `0x${noise(`wallet ${each} ${index}`, 20).toString("hex")}`,
          token: `0x${"10".repeat(20)}`,
          amount: bigNoise(`amount ${each} ${index}`, 32),
        })),
        createdAtSeconds: FIRST_SECOND - BigInt(index),
        extraData: noise(`extra ${index}`, 64),
      })),
      totalAmount: bigNoise("total", 16),
      commitmentCount: 2n ** 64n - 1n,
      paymentTokenDecimals: 18,
      offeredTokenDecimals: 18,
      clearingPrice: { price: { numerator: bigNoise("n", 16), denominator: bigNoise("d", 16) }, microUsd: "1" },
    },
  };
}
