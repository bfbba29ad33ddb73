import { createHash } from "node:crypto";
import { SaleStatus, Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
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

/** Returns an auction that compresses badly: random wallets, amounts of 256 bits, prices with endless decimals. */
export function worstSale(revision: bigint): FakeSale {
  return {
    generation: 1n,
    revision,
    sale: { name: "<b>&\"'".repeat(33), status: SaleStatus.OPEN, tenancy: Tenancy.TEST, amountsAreDollars: true },
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
