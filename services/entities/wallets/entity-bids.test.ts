import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import { parseWallet, walletKey } from "../../../common/chains/wallet.ts";
import { CommitmentRecordSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { FeedStateSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { commitmentIdOf } from "../base/entity.ts";
import { BID_FINALITY_MS } from "../base/lifetimes.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { bindWallet } from "../testing/bind-wallet.ts";
import { peopleFixture, required } from "../testing/people-fixture.ts";
import type { ContractBids } from "./binding.ts";
import { readEntityBids, readWalletBids } from "./entity-bids.ts";
import { EVERY_CHAIN } from "./proof-chain.ts";
import { readSaleWallets } from "./sale-wallets-store.ts";
import { linkWallet, unlinkWallet } from "./wallet-links-store.ts";

const EVM = "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed";
const WALLET = parseWallet("evm", EVM, "wallet");
const SVM = base58.encode(new Uint8Array(32).fill(7));
const RULES = { maxWalletsPerEntity: 1, linkingRequired: false };
const MINUTE_MS = 60_000n;

/** Two entities with IDs in a sale whose contract's rows the test makes. */
async function given() {
  const fixture = await peopleFixture();
  const { dependencies, time, sales, records } = fixture;
  const { database } = dependencies;
  const saleUuid = fixture.sale();
  const participant = async (name: string) => {
    const person = fixture.person(name);
    const { uuid } = await person.createEntity();
    return ensureSaleEntity(dependencies, saleUuid, { uuid }, person.email);
  };
  const [squatter, owner] = [await participant("squatter"), await participant("owner")];
  /** Makes the contract's row of an entity. */
  const bid = ({ saleSpecificId }: typeof owner, ...wallets: readonly string[]) => {
    const amounts = wallets.map((wallet) => ({ wallet, token: EVM, amount: "0" }));
    const ids = { commitmentId: commitmentIdOf(saleSpecificId), entityId: Uint8Array.from(saleSpecificId) };
    records.push(create(CommitmentRecordSchema, { ...ids, amounts }));
  };
  /** Says that the contract was read up to a time. */
  const readUntil = (atMs: bigint) => {
    const asOf = { blockTime: timestampFromMs(Number(atMs)) };
    required(sales.get(saleUuid)).feedState = create(FeedStateSchema, { asOf });
  };
  /** Gets a permit of ten minutes, if the wallet may be used. */
  const permit = async ({ entityUuid, saleSpecificId }: typeof owner) => {
    let bids: ContractBids = {};
    for (;;) {
      const key = { saleUuid, chainId: 1n, entityUuid, wallet: WALLET };
      const use = { ...key, rules: RULES, bids, permitExpiresAtMs: time.now() + 10n * MINUTE_MS };
      const judgement = await database.write((transaction) =>
        bindWallet(transaction, database.dialect, use, time.now()),
      );
      if (judgement.kind !== "unknown") return judgement.kind === "refused" ? judgement.reason : judgement.kind;
      bids =
        judgement.bidsOf === "ofWallet"
          ? { ...bids, ofWallet: await readWalletBids(dependencies, saleUuid, saleSpecificId, WALLET) }
          : { ...bids, ofEntity: await readEntityBids(dependencies, saleUuid, entityUuid, "evm") };
    }
  };
  const link = ({ entityUuid }: typeof owner) =>
    database.write((transaction) => linkWallet(transaction, { entityUuid, wallet: WALLET }, EVERY_CHAIN, time.now()));
  return { ...fixture, saleUuid, squatter, owner, bid, readUntil, permit, link };
}

describe("the bids of an entity", () => {
  it("are the wallets of its row in the contract, those without an amount included", async () => {
    const { dependencies, saleUuid, owner, squatter, bid, readUntil } = await given();
    bid(owner, EVM.toLowerCase(), SVM);
    readUntil(5_000n);
    const evm = await readEntityBids(dependencies, saleUuid, owner.entityUuid, "evm");
    expect(evm).toEqual({ wallets: new Set([walletKey(WALLET)]), completeUntilMs: 5_000n });
    const svm = await readEntityBids(dependencies, saleUuid, owner.entityUuid, "svm");
    expect(svm.wallets).toEqual(new Set([walletKey(parseWallet("svm", SVM, "wallet"))]));
    const none = await readEntityBids(dependencies, saleUuid, squatter.entityUuid, "evm");
    expect(none).toEqual({ wallets: new Set(), completeUntilMs: 5_000n });
  });

  it("are known up to no time before the contract was read", async () => {
    const { dependencies, saleUuid, owner } = await given();
    const bids = await readEntityBids(dependencies, saleUuid, owner.entityUuid, "evm");
    expect(bids.completeUntilMs).toBeUndefined();
  });

  it("of an entity without IDs in the sale are a mistake", async () => {
    const { dependencies, saleUuid } = await given();
    await expect(readEntityBids(dependencies, saleUuid, randomUUID(), "evm")).rejects.toThrow("has no IDs in it");
  });
});

describe("the bids with a wallet", () => {
  it("are the entity's, others', both's or nobody's, those without an amount included", async () => {
    const { dependencies, saleUuid, owner, squatter, bid, readUntil } = await given();
    const bidder = async (id: Uint8Array | undefined = owner.saleSpecificId) =>
      (await readWalletBids(dependencies, saleUuid, id, WALLET)).bidder;
    expect(await readWalletBids(dependencies, saleUuid, undefined, WALLET)).toEqual({
      bidder: "nobody",
      completeUntilMs: undefined,
    });
    bid(squatter, EVM.toLowerCase());
    readUntil(5_000n);
    expect(await readWalletBids(dependencies, saleUuid, undefined, WALLET)).toEqual({
      bidder: "other",
      completeUntilMs: 5_000n,
    });
    expect([await bidder(), await bidder(squatter.saleSpecificId)]).toEqual(["other", "own"]);
    bid(owner, EVM.toLowerCase());
    expect([await bidder(), await bidder(squatter.saleSpecificId)]).toEqual(["both", "both"]);
  });
});

describe("squatting of a stranger's wallet", () => {
  it("gets no permit from the owner's signature on, and ends once the contract was read, final, beyond the last one", async () => {
    const { squatter, owner, permit, link, time, readUntil } = await given();
    expect(await permit(squatter)).toBe("allowed");
    const end = time.now() + 10n * MINUTE_MS;
    expect(await permit(owner)).toBe("wallet-not-linked");
    await link(owner);
    time.advance(5n * MINUTE_MS);
    expect([await permit(squatter), await permit(owner)]).toEqual(["wallet-not-linked", "wallet-not-linked"]);
    readUntil(end + BID_FINALITY_MS);
    expect([await permit(squatter), await permit(owner)]).toEqual(["wallet-not-linked", "wallet-not-linked"]);
    readUntil(end + BID_FINALITY_MS + 1_000n);
    expect([await permit(squatter), await permit(owner)]).toEqual(["wallet-not-linked", "allowed"]);
  });

  it("is none once a bid came by the permit, whoever has signed since", async () => {
    const { squatter: bidder, owner: other, permit, link, time, bid, readUntil } = await given();
    await permit(bidder);
    await link(other);
    expect([await permit(bidder), await permit(other)]).toEqual(["wallet-not-linked", "wallet-not-linked"]);
    bid(bidder, EVM.toLowerCase());
    expect([await permit(bidder), await permit(other)]).toEqual(["allowed", "wallet-not-linked"]);
    time.advance(60n * MINUTE_MS);
    readUntil(time.now());
    expect([await permit(other), await permit(bidder)]).toEqual(["wallet-not-linked", "allowed"]);
  });

  it("ends with the permit, once the contract was read beyond it", async () => {
    const { squatter, owner, permit, time, readUntil } = await given();
    await permit(squatter);
    const end = time.now() + 10n * MINUTE_MS + BID_FINALITY_MS;
    time.advance(60n * MINUTE_MS);
    expect(await permit(owner)).toBe("wallet-not-linked");
    readUntil(end);
    expect(await permit(owner)).toBe("wallet-not-linked");
    readUntil(end + 1_000n);
    expect(await permit(owner)).toBe("allowed");
  });

  it("is ended by the owner, also by permits that were renewed until the signature", async () => {
    const { squatter, owner, permit, link, time, readUntil } = await given();
    for (let count = 0; count < 5; count += 1) {
      expect(await permit(squatter)).toBe("allowed");
      time.advance(5n * MINUTE_MS);
    }
    await link(owner);
    expect(await permit(squatter)).toBe("wallet-not-linked");
    readUntil(time.now() + 6n * MINUTE_MS + BID_FINALITY_MS);
    expect(await permit(owner)).toBe("allowed");
  });
});

describe("a wallet that an earlier version has bound without noting how it was proved", () => {
  it("stays the entity's whose key has signed anew, once that is unlinked, though the contract is still asked", async () => {
    const { dependencies, saleUuid, squatter, owner, permit, link, time, readUntil } = await given();
    const { database } = dependencies;
    expect(await permit(owner)).toBe("allowed");
    await database.query.updateTable("sale_wallet").set({ chain_id: null, proved_at_ms: 1n }).execute();
    await link(owner);
    await database.write((transaction) => unlinkWallet(transaction, owner.entityUuid, WALLET, time.now()));
    await link(squatter);
    time.advance(60n * MINUTE_MS);
    readUntil(time.now() + BID_FINALITY_MS);
    const bindings = () => database.read((query) => readSaleWallets(query, { saleUuid }, owner.entityUuid));
    expect(await bindings()).toMatchObject([{ isProved: true, isCompared: false }]);
    expect([await permit(squatter), await permit(owner)]).toEqual(["wallet-not-linked", "allowed"]);
    expect(await bindings()).toMatchObject([{ isProved: true, isCompared: true }]);
  });
});

describe("a wallet that an earlier version has given away while a permit of another entity was valid", () => {
  it("goes back to the entity to which the contract has tied it", async () => {
    const { dependencies, squatter: bidder, owner: other, permit, link, time, bid } = await given();
    await link(other);
    expect(await permit(other)).toBe("allowed");
    await dependencies.database.query.updateTable("sale_wallet").set({ chain_id: null }).execute();
    bid(bidder, EVM.toLowerCase());
    expect(await permit(other)).toBe("wallet-not-linked");
    time.advance(MINUTE_MS);
    expect(await permit(bidder)).toBe("allowed");
    expect([await permit(other), await permit(bidder)]).toEqual(["wallet-not-linked", "allowed"]);
  });
});
