import type { Pricing } from "../../../common/sale/definition/sale.ts";
import type {
  BookCommitment,
  EntityLimit,
  Refusal,
  SettlementBook,
  SettlementTerms,
} from "../../../common/sale/settlement/settlement-book.ts";
import { Random } from "../../../services/demo/bidders/random.ts";

const TOKENS = ["0x3c", "0x1a", "0x2b"].map((start) => start.padEnd(42, "0"));
const REASONS = ["failed the final check", "übersehen\n\u007f", '"quoted" \\ 🜁'];

/** Returns a book as it might come up, by a seed: small numbers and huge ones, few prices and many, of every kind of sale. */
export function randomBook(seed: number): SettlementBook {
  const random = new Random(seed);
  const terms = randomTerms(random);
  const entities = Array.from({ length: random.integer(1, 8) }, (_, index) => hex(index * 7 + 1, 16));
  const wallets = Array.from({ length: random.integer(1, 6) }, (_, index) => `0x${hex(index * 11 + 3, 20)}`);
  const size = random.integer(0, 12);
  const commitments = Array.from({ length: size }, (_, index) =>
    randomCommitment(random, index, terms, entities, wallets),
  );
  return {
    input: {
      ...{ saleUuid: "11111111-1111-4111-8111-111111111111", generation: 2n ** 63n + BigInt(seed), revision: 7n },
      ...{ status: "open", stage: "settlement" },
      ...(random.next() < 0.5 && {
        source: { chain: "local", chainId: 31337n, contract: `0x${hex(5, 20)}`, height: 12n, hash: hex(9, 32) },
      }),
    },
    terms,
    refusals: randomRefusals(random, entities, wallets),
    limits: entities.flatMap((entityId): EntityLimit[] =>
      random.next() < 0.3 ? [{ entityId, largest: amountOf(random) }] : [],
    ),
    commitments,
  };
}

function randomTerms(random: Random): SettlementTerms {
  const paymentTokenDecimals = random.integer(0, 8);
  const agree = random.next() < 0.4;
  const paymentTokens = TOKENS.slice(0, random.integer(1, 3)).map((address) => {
    const decimals = agree ? paymentTokenDecimals : random.integer(0, 10);
    return { address, decimals, usdStablecoin: false };
  });
  const priceTick = { numerator: BigInt(random.integer(1, 5)), denominator: 10n ** BigInt(random.integer(0, 3)) };
  return { pricing: randomPricing(random), priceTick, paymentTokens, paymentTokenDecimals };
}

function randomPricing(random: Random): Pricing {
  const offeredAmount = amountOf(random) + 1n;
  if (random.next() < 0.3) {
    const priceTicks = BigInt(random.integer(1, 20));
    return { kind: "fixed", priceTicks, ...(random.next() < 0.7 && { offeredAmount }) };
  }
  const [floorTicks, incrementTicks] = [BigInt(random.integer(0, 10)), BigInt(random.integer(1, 4))];
  return { kind: "auction", offeredAmount, floorTicks, incrementTicks };
}

function randomCommitment(
  random: Random,
  index: number,
  { paymentTokens }: SettlementTerms,
  entities: readonly string[],
  wallets: readonly string[],
): BookCommitment {
  const amounts = Array.from({ length: random.integer(0, 4) }, () => ({
    wallet: random.pick(wallets) ?? "",
    token: random.pick(paymentTokens)?.address ?? "",
    amount: amountOf(random),
  }));
  const priceTicks = BigInt(random.integer(0, 25));
  return { commitmentId: hex(index * 13 + 1, 32), entityId: random.pick(entities) ?? "", priceTicks, amounts };
}

function randomRefusals(random: Random, entities: readonly string[], wallets: readonly string[]): readonly Refusal[] {
  const reason = () => random.pick(REASONS) ?? "";
  return [
    ...wallets.flatMap((wallet): Refusal[] =>
      random.next() < 0.15 ? [{ kind: "wallet", wallet, reason: reason() }] : [],
    ),
    ...entities.flatMap((entityId): Refusal[] =>
      random.next() < 0.15 ? [{ kind: "entity", entityId, reason: reason() }] : [],
    ),
  ];
}

/** 0 now and then, mostly small, sometimes beyond 2^53. */
function amountOf(random: Random): bigint {
  if (random.next() < 0.1) return 0n;
  return BigInt(random.integer(1, 999)) * 10n ** BigInt(random.pick([0, 1, 3, 6, 20])) + BigInt(random.integer(0, 9));
}

/** Returns another order of the same book. */
export function shuffled(book: SettlementBook, seed: number): SettlementBook {
  const random = new Random(seed);
  const mixed = <Item>(items: readonly Item[]) =>
    items
      .map((item) => ({ item, at: random.next() }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item);
  const commitments = mixed(book.commitments).map((each) => ({ ...each, amounts: mixed(each.amounts) }));
  const terms = { ...book.terms, paymentTokens: mixed(book.terms.paymentTokens) };
  return { ...book, terms, commitments, refusals: mixed(book.refusals), limits: mixed(book.limits) };
}

function hex(number: number, bytes: number): string {
  return number.toString(16).padStart(2 * bytes, "0");
}
