import { randomUUID } from "node:crypto";
import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { base58 } from "@scure/base";
import { describe, expect, it } from "vitest";
import { parseWallet, walletKey } from "../../../common/chains/wallet.ts";
import { CommitmentRecordSchema } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import { FeedStateSchema } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { commitmentIdOf } from "../base/entity.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { bindWallet } from "../testing/bind-wallet.ts";
import { peopleFixture, required } from "../testing/people-fixture.ts";
import type { BidsByEntity } from "./binding.ts";
import { readEntityBids } from "./entity-bids.ts";
import { EVERY_CHAIN } from "./proof-chain.ts";
import { linkWallet } from "./wallet-links-store.ts";

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
    records.push(create(CommitmentRecordSchema, { commitmentId: commitmentIdOf(saleSpecificId), amounts }));
  };
  /** Says that the contract was read up to a time. */
  const readUntil = (atMs: bigint) => {
    const asOf = { blockTime: timestampFromMs(Number(atMs)) };
    required(sales.get(saleUuid)).feedState = create(FeedStateSchema, { asOf });
  };
  /** Gets a permit of ten minutes, if the wallet may be used. */
  const permit = async (entity: typeof owner) => {
    let bids: BidsByEntity = new Map();
    for (;;) {
      const key = { saleUuid, chainId: 1n, entityUuid: entity.entityUuid, wallet: WALLET };
      const use = { ...key, rules: RULES, bids, permitExpiresAtMs: time.now() + 10n * MINUTE_MS };
      const judgement = await database.write((transaction) =>
        bindWallet(transaction, database.dialect, use, time.now()),
      );
      if (judgement.kind !== "unknown") return judgement.kind === "refused" ? judgement.reason : judgement.kind;
      const { entityUuid } = judgement;
      bids = new Map([...bids, [entityUuid, await readEntityBids(dependencies, saleUuid, entityUuid, "evm")]]);
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

describe("squatting of a stranger's wallet", () => {
  it("ends with the owner's signature, at once", async () => {
    const { squatter, owner, permit, link } = await given();
    expect(await permit(squatter)).toBe("allowed");
    expect(await permit(owner)).toBe("wallet-not-linked");
    await link(owner);
    expect(await permit(squatter)).toBe("wallet-not-linked");
    expect(await permit(owner)).toBe("allowed");
  });

  it("ends with the permit, once the contract was read beyond it", async () => {
    const { squatter, owner, permit, time, readUntil } = await given();
    await permit(squatter);
    const expiresAtMs = time.now() + 10n * MINUTE_MS;
    time.advance(11n * MINUTE_MS);
    expect(await permit(owner)).toBe("wallet-not-linked");
    readUntil(expiresAtMs);
    expect(await permit(owner)).toBe("wallet-not-linked");
    readUntil(expiresAtMs + 1_000n);
    expect(await permit(owner)).toBe("allowed");
  });

  it("isn't what an entity does whose bid was seen after its permit had expired", async () => {
    const { squatter: bidder, owner: other, permit, link, time, bid, readUntil } = await given();
    await permit(bidder);
    time.advance(60n * MINUTE_MS);
    bid(bidder, EVM.toLowerCase());
    readUntil(time.now());
    await link(other);
    expect(await permit(other)).toBe("wallet-not-linked");
    expect(await permit(bidder)).toBe("allowed");
  });

  it("can't outlast the owner by permits that are renewed", async () => {
    const { squatter, owner, permit, link, time } = await given();
    for (let count = 0; count < 5; count += 1) {
      expect(await permit(squatter)).toBe("allowed");
      time.advance(5n * MINUTE_MS);
    }
    await link(owner);
    expect(await permit(owner)).toBe("allowed");
  });
});
