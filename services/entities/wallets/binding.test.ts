import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Wallet, walletKey } from "../../../common/chains/wallet.ts";
import { BID_FINALITY_MS, PERMIT_LIFETIME_MS } from "../base/lifetimes.ts";
import {
  type BindingFacts,
  type ContractBids,
  judgeBinding,
  type SaleWallet,
  type WalletBids,
  walletState,
} from "./binding.ts";

const NOW = 1_000_000_000n;
const ME = "me";
const OTHER = "other";
const wallet = (number: number): Wallet => ({ kind: "evm", bytes: Buffer.alloc(20, number) });
const WANTED = wallet(0);

function bound(entityUuid: string, changes: Partial<SaleWallet> = {}): SaleWallet {
  const row = { wallet: WANTED, entityUuid, isProved: false, isCompared: true, boundAtMs: 0n };
  return { ...row, permitExpiresAtMs: NOW + 1n, ...changes };
}

function facts(changes: Partial<BindingFacts> = {}): BindingFacts {
  return { entityUuid: ME, wallet: WANTED, isLinked: false, isLinkedElsewhere: false, otherWallets: [], ...changes };
}

const EXPIRED = { permitExpiresAtMs: NOW - BID_FINALITY_MS - 1n };

function read(bidder: WalletBids["bidder"], completeUntilMs: bigint | undefined = NOW): WalletBids {
  return { bidder, completeUntilMs };
}

const FREE = { maxWalletsPerEntity: 2, linkingRequired: false };
const ALLOWED = { kind: "allowed", releases: [] };
const NOT_LINKED = { kind: "refused", reason: "wallet-not-linked" };
const NO_ROOM = { kind: "refused", reason: "max-wallets-used" };
const USABLE = { kind: "usable" };
const UNKNOWN = { kind: "unknown" };
const byProof = { kind: "others", by: "proof" };
const byBid = { kind: "others", by: "bid" };

describe("the state of a wallet", () => {
  it("that nobody uses is usable, unless only another entity has linked it", () => {
    expect(walletState(facts(), undefined)).toEqual(USABLE);
    expect(walletState(facts({ isLinkedElsewhere: true }), undefined)).toEqual(byProof);
    expect(walletState(facts({ isLinkedElsewhere: true, isLinked: true }), undefined)).toEqual(USABLE);
  });

  it("with bids goes by them, whoever has signed and whose it was", () => {
    for (const isLinked of [true, false]) {
      for (const isLinkedElsewhere of [true, false]) {
        for (const binding of [
          bound(ME),
          bound(OTHER),
          bound(ME, { isProved: true }),
          bound(OTHER, { isProved: true }),
        ]) {
          const given = facts({ binding, isLinked, isLinkedElsewhere });
          expect(walletState(given, read("own"))).toEqual(USABLE);
          expect(walletState(given, read("other"))).toEqual(byBid);
          expect(walletState(given, read("both"))).toEqual(binding.entityUuid === ME ? USABLE : byBid);
        }
      }
    }
  });

  it("of another entity without a proof is held until its last permit has ended and the contract was read, final, beyond that", () => {
    for (const isLinked of [true, false]) {
      const held = facts({ binding: bound(OTHER, EXPIRED), isLinked });
      const untilMs = EXPIRED.permitExpiresAtMs + BID_FINALITY_MS;
      expect(walletState(held, undefined)).toEqual(UNKNOWN);
      expect(walletState(held, read("nobody", untilMs))).toEqual({ kind: "held", untilMs });
      expect(walletState(held, { bidder: "nobody", completeUntilMs: undefined })).toEqual({ kind: "held", untilMs });
      expect(walletState(held, read("nobody", untilMs + 1n))).toEqual(USABLE);
    }
  });

  it("of another entity that has proved it stays theirs, but for bids", () => {
    const proved = facts({ binding: bound(OTHER, { isProved: true, ...EXPIRED }), isLinked: true });
    expect(walletState(proved, undefined)).toEqual(UNKNOWN);
    expect(walletState(proved, read("nobody"))).toEqual(byProof);
  });

  it("of one's own is displaced by another's proof, if it has none itself and no bid", () => {
    const own = facts({ binding: bound(ME), isLinkedElsewhere: true });
    expect(walletState(own, undefined)).toEqual(UNKNOWN);
    expect(walletState(own, read("nobody", undefined))).toEqual({ kind: "displaced" });
    expect(walletState(facts({ ...own, binding: bound(ME, { isProved: true }) }), undefined)).toEqual(USABLE);
    expect(walletState(facts({ binding: bound(ME) }), undefined)).toEqual(USABLE);
  });

  it("that an earlier version has bound depends on the contract, once", () => {
    const own = facts({ binding: bound(ME, { isProved: true, isCompared: false }) });
    expect(walletState(own, undefined)).toEqual(UNKNOWN);
    expect(walletState(own, read("nobody"))).toEqual(USABLE);
  });
});

describe("a permit", () => {
  it("needs a link where the sale wants one, also with a bid", () => {
    const strict = { ...FREE, linkingRequired: true };
    expect(judgeBinding(facts(), strict, {}, NOW)).toEqual(NOT_LINKED);
    expect(judgeBinding(facts({ binding: bound(ME) }), strict, { ofWallet: read("own") }, NOW)).toEqual(NOT_LINKED);
    expect(judgeBinding(facts({ isLinked: true }), strict, {}, NOW)).toEqual(ALLOWED);
  });

  const others = [1, 2].map((number) => bound(ME, { wallet: wallet(number), isProved: true }));

  it("is for a bounded number of wallets, but for one that the entity uses already", () => {
    expect(judgeBinding(facts({ otherWallets: others }), FREE, {}, NOW)).toEqual(NO_ROOM);
    const own = facts({ otherWallets: others, binding: bound(ME) });
    expect(judgeBinding(own, { ...FREE, maxWalletsPerEntity: 1 }, {}, NOW)).toEqual(ALLOWED);
  });

  it("doesn't count wallets that were bound without proof, are over, and have no bid", () => {
    const mistyped = bound(ME, { wallet: wallet(3), ...EXPIRED });
    const full = facts({ otherWallets: [others[0] ?? mistyped, mistyped] });
    const ofEntity = (wallets: readonly Wallet[], completeUntilMs: bigint) => ({
      ofEntity: { wallets: new Set(wallets.map(walletKey)), completeUntilMs },
    });
    expect(judgeBinding(full, FREE, {}, NOW)).toEqual({ kind: "unknown", bidsOf: "ofEntity" });
    expect(judgeBinding(full, FREE, ofEntity([], NOW), NOW)).toEqual({ kind: "allowed", releases: [mistyped] });
    expect(judgeBinding(full, FREE, ofEntity([mistyped.wallet], NOW), NOW)).toEqual(NO_ROOM);
    expect(judgeBinding(full, FREE, ofEntity([], NOW - 1n), NOW)).toEqual(NO_ROOM);
  });
});

const anyBinding = (entities: readonly string[], wallets: readonly number[]) =>
  fc.record({
    wallet: fc.constantFrom(...wallets).map(wallet),
    entityUuid: fc.constantFrom(...entities),
    isProved: fc.boolean(),
    isCompared: fc.boolean(),
    boundAtMs: fc.constant(0n),
    permitExpiresAtMs: fc.constantFrom(-2n, -1n, 0n, 1n).map((ms) => NOW - BID_FINALITY_MS + ms),
  });
const completeUntilMs = fc.constantFrom(undefined, NOW - 2n, NOW - 1n, NOW, NOW + 2n);
const anyCase = fc.record({
  binding: fc.option(anyBinding([ME, OTHER], [0]), { nil: undefined }),
  isLinked: fc.boolean(),
  isLinkedElsewhere: fc.boolean(),
  otherWallets: fc.uniqueArray(anyBinding([ME], [1, 2, 3]), { selector: (other) => walletKey(other.wallet) }),
  rules: fc.record({ maxWalletsPerEntity: fc.integer({ min: 1, max: 3 }), linkingRequired: fc.boolean() }),
  bids: fc.record({
    ofWallet: fc.record({ bidder: fc.constantFrom("own", "other", "both", "nobody"), completeUntilMs } as const),
    ofEntity: fc.record({
      wallets: fc.subarray([1, 2, 3]).map((numbers) => new Set(numbers.map((number) => walletKey(wallet(number))))),
      completeUntilMs,
    }),
  }),
});

describe("any wallet", () => {
  it("is judged as by one list of conditions, and never beyond the number", () => {
    fc.assert(
      fc.property(anyCase, ({ binding, rules, bids, ...rest }) => {
        const given = facts({ ...rest, ...(binding && { binding }) });
        const judgement = judgeBinding(given, rules, bids, NOW);
        expect(judgement.kind).not.toBe("unknown");
        const expected = naive(given, rules, bids);
        expect(judgement.kind === "refused" ? judgement.reason : "allowed").toBe(expected);
        if (judgement.kind !== "allowed" || binding?.entityUuid === ME) return;
        const kept = given.otherWallets.filter((other) => !judgement.releases.includes(other));
        expect(kept.length).toBeLessThan(rules.maxWalletsPerEntity);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** The rules once more, as one list of conditions. */
function naive(given: BindingFacts, rules: typeof FREE, { ofWallet, ofEntity }: Required<ContractBids>): string {
  const { binding, isLinked, isLinkedElsewhere, otherWallets } = given;
  const isMine = binding?.entityUuid === ME;
  const isRead = ({ permitExpiresAtMs }: SaleWallet, until = 0n) => until > permitExpiresAtMs + BID_FINALITY_MS;
  const { bidder } = ofWallet;
  const isOpen = binding === undefined || (!isMine && !binding.isProved && isRead(binding, ofWallet.completeUntilMs));
  const mayHave =
    bidder === "own" ||
    (bidder === "both" && (isMine || binding === undefined)) ||
    (bidder === "nobody" && isMine && (binding?.isProved || !isLinkedElsewhere)) ||
    (bidder === "nobody" && isOpen && (isLinked || !isLinkedElsewhere));
  if ((rules.linkingRequired && !isLinked) || !mayHave) return "wallet-not-linked";
  const counted = otherWallets.filter((other) => {
    const isReleased = !other.isProved && !ofEntity.wallets.has(walletKey(other.wallet));
    return !(isReleased && other.permitExpiresAtMs <= NOW && isRead(other, ofEntity.completeUntilMs));
  });
  return isMine || counted.length < rules.maxWalletsPerEntity ? "allowed" : "max-wallets-used";
}

const ENTITIES = ["a", "b", "c"] as const;
type EntityName = (typeof ENTITIES)[number];
type Step =
  | { readonly kind: "permit" | "bid" | "link" | "unlink"; readonly of: EntityName }
  | { readonly kind: "block"; readonly ms: bigint }
  | { readonly kind: "read" };

const MINUTE = 60_000n;
const anyEntity = fc.constantFrom(...ENTITIES);
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("permit"), of: anyEntity } as const) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom("bid", "link", "unlink"), of: anyEntity } as const) },
  {
    weight: 3,
    arbitrary: fc.constantFrom(1n, 9n, 10n, 26n).map((minutes) => ({ kind: "block", ms: minutes * MINUTE }) as const),
  },
  { weight: 3, arbitrary: fc.constant({ kind: "read" } as const) },
);

/** A sale with one wallet: what the database has of it, and a contract that ties it to the first entity that bids with a valid permit. */
class OneWallet {
  chainMs = NOW;
  readUntilMs: bigint | undefined;
  tiedTo: EntityName | undefined;
  readTie: EntityName | undefined;
  readonly permitEnds = new Map<EntityName, bigint>();
  readonly #links = new Set<EntityName>();
  #row: SaleWallet | undefined;

  take(step: Step): void {
    if (step.kind === "block") this.chainMs += step.ms;
    else if (step.kind === "read") [this.readUntilMs, this.readTie] = [this.chainMs, this.tiedTo];
    else if (step.kind === "bid") this.#bid(step.of);
    else if (step.kind === "permit") this.#ask(step.of);
    else if (step.kind === "unlink") this.#links.delete(step.of);
    else {
      this.#links.add(step.of);
      if (this.#row?.entityUuid === step.of) this.#row = { ...this.#row, isProved: true };
    }
  }

  #bid(entity: EntityName): void {
    if ((this.permitEnds.get(entity) ?? 0n) > this.chainMs) this.tiedTo ??= entity;
  }

  #ask(entity: EntityName): void {
    if (this.judge(entity).kind !== "allowed") return;
    const end = this.chainMs + PERMIT_LIFETIME_MS;
    this.permitEnds.set(entity, end);
    this.#row = bound(entity, { isProved: this.#links.has(entity), permitExpiresAtMs: end });
  }

  /** Judges as a permit does, which asks for bids only if it needs them. */
  judge(entity: EntityName) {
    const given = facts({
      entityUuid: entity,
      ...(this.#row && { binding: this.#row }),
      isLinked: this.#links.has(entity),
      isLinkedElsewhere: [...this.#links].some((linked) => linked !== entity),
    });
    const judgement = judgeBinding(given, FREE, {}, this.chainMs);
    return judgement.kind === "unknown"
      ? judgeBinding(given, FREE, { ofWallet: this.bids(entity) }, this.chainMs)
      : judgement;
  }

  bids(entity: EntityName): WalletBids {
    const { readTie, readUntilMs } = this;
    const bidder = readTie === undefined ? "nobody" : readTie === entity ? "own" : "other";
    return { bidder, completeUntilMs: readUntilMs };
  }
}

describe("a wallet that several entities want", () => {
  it("never has valid permits of two, and whoever has bid keeps it", () => {
    fc.assert(
      fc.property(fc.array(anyStep, { minLength: 5, maxLength: 40 }), (steps) => {
        const sale = new OneWallet();
        for (const step of steps) {
          sale.take(step);
          const valid = [...sale.permitEnds.values()].filter((end) => end > sale.chainMs);
          expect(valid.length).toBeLessThan(2);
        }
        if (sale.tiedTo === undefined) return;
        sale.take({ kind: "read" });
        for (const entity of ENTITIES) {
          expect(sale.judge(entity).kind).toBe(entity === sale.tiedTo ? "allowed" : "refused");
        }
      }),
      { numRuns: 1_000 },
    );
  });
});
