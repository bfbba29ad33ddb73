import type { Sale, SaleDefinition } from "../../../common/sale/definition/sale.ts";
import type { CommitmentRecord } from "../../../common/sale/record/commitment.ts";
import { ALL_FILLED, type SaleState } from "../base/domain/sale-state.ts";

export const TOKEN = `0x${"aa".repeat(20)}`;
export const WALLET = `0x${"bb".repeat(20)}`;

/** An auction in a 6-decimal dollar, without a source. */
export const auctionDefinition: SaleDefinition = {
  name: "Auction",
  paymentTokens: [{ address: TOKEN, decimals: 6, usdStablecoin: true }],
  paymentTokenDecimals: 6,
  offeredTokenDecimals: 18,
  priceTick: { numerator: 1n, denominator: 10n ** 15n },
  pricing: { kind: "auction", offeredAmount: 10n ** 24n, floorTicks: 100n, incrementTicks: 5n },
  extraDataParameters: "",
  cancelledKeepsAmounts: false,
};

export const evmSource = { kind: "evm", chain: "ethereum", contract: `0x${"cc".repeat(20)}` } as const;

export function saleOf(definition: SaleDefinition): Sale {
  return {
    uuid: "11111111-1111-4111-8111-111111111111",
    tenancy: "test",
    definition,
    definitionVersion: 1n,
    ownerAccountUuid: "",
    createdAtMillis: 1_769_860_800_000n,
  };
}

/** An open sale at revision 7 whose lease nobody holds. */
export const openState: SaleState = {
  generation: "00000000000000a1",
  revision: 7n,
  status: "open",
  settleCount: 0n,
  hasSnapshot: true,
  lease: { holder: "", epoch: 0n, untilMillis: 0n },
  walletsFilledTo: ALL_FILLED,
};

/** Returns a commitment ID of 32 bytes that ends in `number`. */
export function idOf(number: number): string {
  return number.toString(16).padStart(64, "0");
}

/** A commitment of five dollars at 100 ticks by default. */
export function recordOf(number: number, change: Partial<CommitmentRecord> = {}): CommitmentRecord {
  return {
    commitmentId: idOf(number),
    entityId: idOf(number).slice(32),
    createdAtSeconds: 1_769_860_800n,
    priceTicks: 100n,
    lockup: false,
    refunded: false,
    amounts: [{ wallet: WALLET, token: TOKEN, amount: 5_000_000n }],
    extraData: new Uint8Array(0),
    ...change,
  };
}
