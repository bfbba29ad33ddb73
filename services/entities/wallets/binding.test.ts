import { Buffer } from "node:buffer";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { type Wallet, walletKey } from "../../../common/chains/wallet.ts";
import { type BindingFacts, type EntityBids, judgeBinding, type SaleWallet } from "./binding.ts";

const NOW = 1_000_000n;
const ME = "me";
const OTHER = "other";
const wallet = (number: number): Wallet => ({ kind: "evm", bytes: Buffer.alloc(20, number) });
const WANTED = wallet(0);

function bound(entityUuid: string, changes: Partial<SaleWallet> = {}): SaleWallet {
  return {
    wallet: WANTED,
    entityUuid,
    isProved: false,
    isCompared: true,
    boundAtMs: 0n,
    permitExpiresAtMs: NOW + 1n,
    ...changes,
  };
}

function facts(changes: Partial<BindingFacts> = {}): BindingFacts {
  return { entityUuid: ME, wallet: WANTED, isLinked: false, isLinkedElsewhere: false, otherWallets: [], ...changes };
}

function bids(of: string, wallets: readonly Wallet[] = [], completeUntilMs: bigint | "unknown" = NOW) {
  const until = completeUntilMs === "unknown" ? undefined : completeUntilMs;
  return new Map<string, EntityBids>([[of, { wallets: new Set(wallets.map(walletKey)), completeUntilMs: until }]]);
}

const FREE = { maxWalletsPerEntity: 2, linkingRequired: false };
const NOBODY = new Map<string, EntityBids>();
const ALLOWED = { kind: "allowed", releases: [] };
const NOT_LINKED = { kind: "refused", reason: "wallet-not-linked" };
const NO_ROOM = { kind: "refused", reason: "max-wallets-used" };
const OVER = { permitExpiresAtMs: NOW - 1n };

describe("a wallet that nobody uses", () => {
  it("is bound without proof, unless the sale wants links", () => {
    expect(judgeBinding(facts(), FREE, NOBODY, NOW)).toEqual(ALLOWED);
    const strict = { ...FREE, linkingRequired: true };
    expect(judgeBinding(facts(), strict, NOBODY, NOW)).toEqual(NOT_LINKED);
    expect(judgeBinding(facts({ isLinked: true }), strict, NOBODY, NOW)).toEqual(ALLOWED);
  });

  it("that another entity has linked needs a proof", () => {
    expect(judgeBinding(facts({ isLinkedElsewhere: true }), FREE, NOBODY, NOW)).toEqual(NOT_LINKED);
    expect(judgeBinding(facts({ isLinkedElsewhere: true, isLinked: true }), FREE, NOBODY, NOW)).toEqual(ALLOWED);
  });
});

describe("squatting: a stranger's wallet that was bound without proof", () => {
  const squatted = facts({ binding: bound(OTHER) });

  it("is its owner's at once, with a signature", () => {
    const owner = { ...squatted, isLinked: true };
    expect(judgeBinding(owner, FREE, NOBODY, NOW)).toEqual({ kind: "unknown", entityUuid: OTHER });
    expect(judgeBinding(owner, FREE, bids(OTHER), NOW)).toEqual(ALLOWED);
  });

  it("is lost to the squatter as soon as the owner has signed, before the owner wants a permit", () => {
    const squatter = facts({ binding: bound(ME), isLinkedElsewhere: true });
    expect(judgeBinding(squatter, FREE, NOBODY, NOW)).toEqual({ kind: "unknown", entityUuid: ME });
    expect(judgeBinding(squatter, FREE, bids(ME), NOW)).toEqual(NOT_LINKED);
    expect(judgeBinding(squatter, FREE, bids(ME, [WANTED]), NOW)).toEqual(ALLOWED);
  });

  it("is anybody's once the permit has expired and everything until then was read", () => {
    expect(judgeBinding(squatted, FREE, bids(OTHER), NOW)).toEqual(NOT_LINKED);
    const expired = facts({ binding: bound(OTHER, OVER) });
    expect(judgeBinding(expired, FREE, bids(OTHER), NOW)).toEqual(ALLOWED);
    expect(judgeBinding(expired, FREE, bids(OTHER, [], NOW - 1n), NOW)).toEqual(NOT_LINKED);
    expect(judgeBinding(expired, FREE, bids(OTHER, [], "unknown"), NOW)).toEqual(NOT_LINKED);
  });
});

describe("a wallet of another entity", () => {
  it("stays with a bid, whoever signs", () => {
    const owner = facts({ binding: bound(OTHER, OVER), isLinked: true });
    expect(judgeBinding(owner, FREE, bids(OTHER, [WANTED]), NOW)).toEqual(NOT_LINKED);
  });

  it("stays with a signature, whoever signs", () => {
    const owner = facts({ binding: bound(OTHER, { isProved: true, ...OVER }), isLinked: true });
    expect(judgeBinding(owner, FREE, bids(OTHER), NOW)).toEqual(NOT_LINKED);
  });
});

describe("the number of wallets", () => {
  const others = [1, 2].map((number) => bound(ME, { wallet: wallet(number), isProved: true }));

  it("is bounded, but for a wallet that the entity uses already", () => {
    expect(judgeBinding(facts({ otherWallets: others }), FREE, NOBODY, NOW)).toEqual(NO_ROOM);
    const own = facts({ otherWallets: others, binding: bound(ME) });
    expect(judgeBinding(own, { ...FREE, maxWalletsPerEntity: 1 }, NOBODY, NOW)).toEqual(ALLOWED);
  });

  it("doesn't count what was bound without proof, has expired, and has no bid", () => {
    const mistyped = bound(ME, { wallet: wallet(3), ...OVER });
    const full = facts({ otherWallets: [others[0] ?? mistyped, mistyped] });
    expect(judgeBinding(full, FREE, NOBODY, NOW)).toEqual({ kind: "unknown", entityUuid: ME });
    expect(judgeBinding(full, FREE, bids(ME), NOW)).toEqual({ kind: "allowed", releases: [mistyped] });
    expect(judgeBinding(full, FREE, bids(ME, [mistyped.wallet]), NOW)).toEqual(NO_ROOM);
    expect(judgeBinding(full, FREE, bids(ME, [], OVER.permitExpiresAtMs), NOW)).toEqual(NO_ROOM);
  });
});

const anyBinding = (entities: readonly string[], wallets: readonly number[]) =>
  fc.record({
    wallet: fc.constantFrom(...wallets).map(wallet),
    entityUuid: fc.constantFrom(...entities),
    isProved: fc.boolean(),
    isCompared: fc.boolean(),
    boundAtMs: fc.constant(0n),
    permitExpiresAtMs: fc.constantFrom(NOW - 2n, NOW - 1n, NOW, NOW + 1n),
  });
const anyBids = fc.record({
  wallets: fc.subarray([0, 1, 2, 3]).map((numbers) => new Set(numbers.map((number) => walletKey(wallet(number))))),
  completeUntilMs: fc.constantFrom(undefined, NOW - 2n, NOW - 1n, NOW, NOW + 2n),
});
const anyCase = fc.record({
  binding: fc.option(anyBinding([ME, OTHER], [0]), { nil: undefined }),
  isLinked: fc.boolean(),
  isLinkedElsewhere: fc.boolean(),
  otherWallets: fc.uniqueArray(anyBinding([ME], [1, 2, 3]), { selector: (other) => walletKey(other.wallet) }),
  rules: fc.record({ maxWalletsPerEntity: fc.integer({ min: 1, max: 3 }), linkingRequired: fc.boolean() }),
  mine: anyBids,
  others: anyBids,
});

describe("any wallet", () => {
  it("is given away only if its holder has neither proof nor bid, and never beyond the number", () => {
    fc.assert(
      fc.property(anyCase, ({ binding, rules, mine, others, ...rest }) => {
        const known = new Map([
          [ME, mine],
          [OTHER, others],
        ]);
        const given = facts({ ...rest, ...(binding && { binding }) });
        const judgement = judgeBinding(given, rules, known, NOW);
        expect(judgement.kind).not.toBe("unknown");
        const expected = naive(given, rules, mine, others);
        expect(judgement.kind === "refused" ? judgement.reason : "allowed").toBe(expected);
        if (judgement.kind !== "allowed" || binding?.entityUuid === ME) return;
        const kept = given.otherWallets.filter((other) => !judgement.releases.includes(other));
        expect(kept.length).toBeLessThan(rules.maxWalletsPerEntity);
        for (const released of judgement.releases) expect(isNobodys(released, mine)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

/** Whether a binding without a proof and a bid is over. */
function isNobodys(binding: SaleWallet, { wallets, completeUntilMs = 0n }: EntityBids): boolean {
  const { isProved, permitExpiresAtMs } = binding;
  return (
    !isProved &&
    !wallets.has(walletKey(binding.wallet)) &&
    permitExpiresAtMs <= NOW &&
    completeUntilMs > permitExpiresAtMs
  );
}

/** The rules once more, as one list of conditions. */
function naive(given: BindingFacts, rules: typeof FREE, mine: EntityBids, others: EntityBids): string {
  const { binding, isLinked, isLinkedElsewhere, otherWallets } = given;
  const bidders = binding?.entityUuid === ME ? mine : others;
  const isFixed = binding !== undefined && (binding.isProved || bidders.wallets.has(walletKey(WANTED)));
  const isMine = binding?.entityUuid === ME;
  const isUnclaimed = binding === undefined || (!isMine && isNobodys(binding, bidders));
  const mayHave = isFixed ? isMine : isMine || isUnclaimed ? isLinked || isMine || !isLinkedElsewhere : isLinked;
  const lostToOwner = isMine && !isFixed && isLinkedElsewhere;
  if ((rules.linkingRequired && !isLinked) || !mayHave || lostToOwner) return "wallet-not-linked";
  const counted = otherWallets.filter((other) => !isNobodys(other, mine));
  return isMine || counted.length < rules.maxWalletsPerEntity ? "allowed" : "max-wallets-used";
}
