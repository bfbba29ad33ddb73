import { create } from "@bufbuild/protobuf";
import {
  type CommitmentRecord,
  CommitmentRecordSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { type SaleDefinition, SaleDefinitionSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { Random } from "../../../services/demo/bidders/random.ts";

/** Older than any history, so that nothing is placed in it while applies are measured. */
const FIRST_SECOND = 1_500_000_000;
const TOKENS = [`0x${"a1".repeat(20)}`, `0x${"a2".repeat(20)}`];

/** The auction that the benchmarks bid on. */
export function benchAuction(): SaleDefinition {
  return create(SaleDefinitionSchema, {
    name: "Benchmark",
    paymentTokens: TOKENS.map((address) => ({ address, decimals: 6, usdStablecoin: true })),
    offeredTokenDecimals: 18,
    priceTick: { numerator: "1", denominator: (10n ** 15n).toString() },
    pricing: {
      case: "auction",
      value: { offeredAmount: (10n ** 25n).toString(), floorTicks: "100", incrementTicks: "1" },
    },
  });
}

/** Random bids of entities counted from 0, each with two wallets and tokens, at `ticks` prices. The seed decides the bids. */
export class BidBook {
  readonly #random: Random;
  readonly #ticks: number;

  constructor(ticks: number, seed: number) {
    this.#random = new Random(seed);
    this.#ticks = ticks;
  }

  /** Returns a bid of an entity, a different one with each call. */
  bid(entity: number): CommitmentRecord {
    return create(CommitmentRecordSchema, {
      commitmentId: idOf(entity, 32),
      entityId: idOf(entity, 16),
      createdAtSeconds: BigInt(FIRST_SECOND + this.#random.integer(0, 50_000_000)),
      priceTicks: String(100 + this.#random.integer(0, this.#ticks - 1)),
      amounts: TOKENS.map((token, index) => ({
        wallet: walletOf(entity, index),
        token,
        amount: String(this.#random.integer(1_000_000, 2_000_000_000)),
      })),
      sourceIndex: BigInt(entity),
    });
  }

  bids(from: number, count: number): CommitmentRecord[] {
    return Array.from({ length: count }, (_, index) => this.bid(from + index));
  }
}

/** The wallet with which an entity pays in its first or second token. */
export function walletOf(entity: number, index: number): string {
  return `0x${index}${entity.toString(16).padStart(39, "0")}`;
}

/** An ID of an entity's number. IDs are spread over the key space, as real ones are. */
function idOf(entity: number, bytes: number): Uint8Array<ArrayBuffer> {
  const id = new Uint8Array(bytes);
  const view = new DataView(id.buffer);
  view.setUint32(0, Math.imul(entity + 1, 0x9e3779b1) >>> 0);
  view.setUint32(4, entity);
  return id;
}
