import { randomBytes, randomUUID } from "node:crypto";
import { expect, it } from "vitest";
import { type Wallet, walletColumn, walletKey } from "../../../common/chains/wallet.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { BID_FINALITY_MS } from "../../../services/entities/base/lifetimes.ts";
import { migrateStore, openStore } from "../../../services/entities/base/open-store.ts";
import type { EntitiesDatabase } from "../../../services/entities/base/schema.ts";
import { bindWallet, type WalletUse } from "../../../services/entities/testing/bind-wallet.ts";
import { moveSaleWallet } from "../../../services/entities/wallets/bindings-store.ts";
import { EVERY_CHAIN } from "../../../services/entities/wallets/proof-chain.ts";
import { findSaleWallet, readSaleWallets } from "../../../services/entities/wallets/sale-wallets-store.ts";
import {
  eraseWallets,
  linkWallet,
  readLinkedEntities,
  readWalletLinks,
  unlinkWallet,
} from "../../../services/entities/wallets/wallet-links-store.ts";
import { describeEachDatabase } from "../../support/databases/databases.ts";
import { serviceOf } from "../../support/processes/describe-service.ts";
import { entitiesStore } from "../../support/processes/entities-fixture.ts";

const NOW = 1_800_000_000_000n;
const MINUTE = 60_000n;
const CHAIN_ID = 8_453n;
const OTHER_CHAIN = 10n;
const RULES = { maxWalletsPerEntity: 3, linkingRequired: false };

/** A contract that was read without a bid. */
const NO_BIDS = { bids: { ofWallet: { bidder: "nobody", completeUntilMs: NOW + 60n * MINUTE } } } as const;

const newWallet = (): Wallet => ({ kind: "evm", bytes: randomBytes(20) });

interface Sale {
  readonly saleUuid: string;
  /** Makes an entity with IDs in the sale. */
  entity(): Promise<string>;
  /** Binds in a transaction of its own, as a permit of ten minutes does. */
  bind(entityUuid: string, wallet: Wallet, use?: Partial<WalletUse>, nowMs?: bigint): Promise<string>;
  holder(wallet: Wallet): Promise<string | undefined>;
  isProved(wallet: Wallet): Promise<boolean | undefined>;
}

function newSale(database: EntitiesDatabase, chainId = CHAIN_ID): Sale {
  const saleUuid = randomUUID();
  return {
    saleUuid,
    async entity() {
      const entityUuid = randomUUID();
      const row = { sale: bytesOfHex(saleUuid), entity: bytesOfHex(entityUuid) };
      const ids = { entity_uuid: randomBytes(16), sale_specific_id: randomBytes(16) };
      await database.write((transaction) =>
        transaction
          .insertInto("sale_entity")
          .values({ ...row, ...ids })
          .execute(),
      );
      return entityUuid;
    },
    async bind(entityUuid, wallet, use = {}, nowMs = NOW) {
      const whole = {
        saleUuid,
        chainId,
        entityUuid,
        wallet,
        rules: RULES,
        bids: {},
        permitExpiresAtMs: nowMs + 10n * MINUTE,
      };
      const judgement = await database.write((transaction) =>
        bindWallet(transaction, database.dialect, { ...whole, ...use }, nowMs),
      );
      return judgement.kind === "refused" ? judgement.reason : judgement.kind;
    },
    holder: async (wallet) => (await findSaleWallet(database.query, { saleUuid, chainId }, wallet))?.entityUuid,
    isProved: async (wallet) => (await findSaleWallet(database.query, { saleUuid, chainId }, wallet))?.isProved,
  };
}

/** Links a wallet as a version does that notes no proofs. */
async function linkOfOldVersion(
  database: EntitiesDatabase,
  entityUuid: string,
  wallet: Wallet,
  atMs = NOW,
): Promise<void> {
  const row = { entity: bytesOfHex(entityUuid), kind: wallet.kind, wallet: walletColumn(wallet), linked_at_ms: atMs };
  await database.write((transaction) => transaction.insertInto("wallet_link").values(row).execute());
}

describeEachDatabase("wallets of entities in a sale", ({ create }) => {
  const opened = serviceOf(create, async (testDatabase) => {
    const database = await openStore(entitiesStore(testDatabase));
    await migrateStore(database);
    return { database, stop: () => database.close() };
  });
  const inTransaction = <Result>(work: Parameters<EntitiesDatabase["write"]>[0]) =>
    opened().database.write(work) as Promise<Result>;

  it("never exceed the number, however many permits come at once", async () => {
    const sale = newSale(opened().database);
    const me = await sale.entity();
    const wallets = Array.from({ length: 40 }, newWallet);
    const uses = Array.from({ length: 200 }, (_, index) => wallets[index % wallets.length] as Wallet);
    const outcomes = await Promise.all(uses.map((wallet) => sale.bind(me, wallet)));
    const bound = await readSaleWallets(opened().database.query, { saleUuid: sale.saleUuid, chainId: CHAIN_ID }, me);
    expect(bound).toHaveLength(RULES.maxWalletsPerEntity);
    const keys = new Set(bound.map(({ wallet }) => walletKey(wallet)));
    const expected = uses.map((wallet) => (keys.has(walletKey(wallet)) ? "allowed" : "max-wallets-used"));
    expect(outcomes).toEqual(expected);
  });

  it("are never shared by two entities, however many want one at once", async () => {
    const sale = newSale(opened().database);
    const entities = await Promise.all(Array.from({ length: 20 }, () => sale.entity()));
    const wallets = [newWallet(), newWallet()];
    const outcomes = await Promise.all(
      wallets.flatMap((wallet) =>
        entities.map(async (uuid) => ({ wallet, uuid, outcome: await sale.bind(uuid, wallet) })),
      ),
    );
    for (const wallet of wallets) {
      const holder = await sale.holder(wallet);
      const won = outcomes.filter((of) => of.wallet === wallet && of.outcome === "allowed").map(({ uuid }) => uuid);
      expect(won).toEqual([holder]);
    }
    // The others have to ask for the holder's bids first.
    expect(new Set(outcomes.map(({ outcome }) => outcome))).toEqual(new Set(["allowed", "unknown"]));
  });

  it("go from a squatter to the owner, who signs, once, however often both ask", async () => {
    const { database } = opened();
    const sale = newSale(database);
    const [squatter, owner, wallet] = [await sale.entity(), await sale.entity(), newWallet()];
    expect(await sale.bind(squatter, wallet)).toBe("allowed");
    expect(await sale.bind(owner, wallet)).toBe("unknown");
    await inTransaction((transaction) => linkWallet(transaction, { entityUuid: owner, wallet }, EVERY_CHAIN, NOW));
    const both = Array.from({ length: 10 }, () => [
      sale.bind(owner, wallet, NO_BIDS),
      sale.bind(squatter, wallet, NO_BIDS),
    ]);
    const outcomes = await Promise.all(both.flat());
    expect(outcomes).toEqual(Array.from({ length: 10 }, () => ["allowed", "wallet-not-linked"]).flat());
    expect(await sale.holder(wallet)).toBe(owner);
  });

  it("stay with the entity that has bid, whoever signs", async () => {
    const { database } = opened();
    const sale = newSale(database);
    const [bidder, other, wallet] = [await sale.entity(), await sale.entity(), newWallet()];
    await sale.bind(bidder, wallet);
    await inTransaction((transaction) => linkWallet(transaction, { entityUuid: other, wallet }, EVERY_CHAIN, NOW));
    const bidsBy = (bidder: "own" | "other") => ({
      bids: { ofWallet: { bidder, completeUntilMs: NOW + 60n * MINUTE } },
    });
    expect(await sale.bind(other, wallet, bidsBy("other"), NOW + 60n * MINUTE)).toBe("wallet-not-linked");
    expect(await sale.bind(bidder, wallet, bidsBy("own"))).toBe("allowed");
    // Also one that a signature had bound to the other entity.
    const proved = newWallet();
    await inTransaction((transaction) =>
      linkWallet(transaction, { entityUuid: other, wallet: proved }, EVERY_CHAIN, NOW),
    );
    expect(await sale.bind(other, proved)).toBe("allowed");
    expect(await sale.bind(bidder, proved, bidsBy("own"))).toBe("allowed");
    expect(await sale.holder(proved)).toBe(bidder);
  });

  it("stay bound when they are unlinked", async () => {
    const { database } = opened();
    const sale = newSale(database);
    const [me, other, wallet] = [await sale.entity(), await sale.entity(), newWallet()];
    await inTransaction((transaction) => linkWallet(transaction, { entityUuid: me, wallet }, EVERY_CHAIN, NOW));
    expect(await sale.bind(me, wallet, { rules: { ...RULES, maxWalletsPerEntity: 1 } })).toBe("allowed");
    expect(await inTransaction((transaction) => unlinkWallet(transaction, me, wallet, NOW))).toBe(true);
    expect(await inTransaction((transaction) => unlinkWallet(transaction, me, wallet, NOW))).toBe(false);
    await inTransaction((transaction) => linkWallet(transaction, { entityUuid: other, wallet }, EVERY_CHAIN, NOW));
    const later = NOW + 60n * MINUTE;
    expect(await sale.bind(other, wallet, NO_BIDS, later)).toBe("wallet-not-linked");
    expect(await sale.bind(me, newWallet(), { rules: { ...RULES, maxWalletsPerEntity: 1 } }, later)).toBe(
      "max-wallets-used",
    );
  });

  it("are bound for good by a signature that comes after the permit", async () => {
    const { database } = opened();
    const sale = newSale(database);
    const [me, wallet] = [await sale.entity(), newWallet()];
    await sale.bind(me, wallet);
    await inTransaction((transaction) => linkWallet(transaction, { entityUuid: me, wallet }, EVERY_CHAIN, NOW));
    await inTransaction((transaction) => unlinkWallet(transaction, me, wallet, NOW));
    expect(await findSaleWallet(database.query, { saleUuid: sale.saleUuid, chainId: CHAIN_ID }, wallet)).toMatchObject({
      isProved: true,
    });
  });

  it("aren't moved once a signature has proved them, if the signature comes last", async () => {
    const { database } = opened();
    const sale = newSale(database);
    const [holder, other, wallet] = [await sale.entity(), await sale.entity(), newWallet()];
    await sale.bind(holder, wallet);
    await inTransaction((transaction) => linkWallet(transaction, { entityUuid: holder, wallet }, EVERY_CHAIN, NOW));
    const times = { boundAtMs: NOW, permitExpiresAtMs: NOW };
    const move = { chainId: CHAIN_ID, isContracts: false };
    const use = { saleUuid: sale.saleUuid, entityUuid: other, wallet, isProved: true, ...times, ...move };
    expect(await inTransaction((transaction) => moveSaleWallet(transaction, use, holder))).toBe(false);
    expect(await sale.holder(wallet)).toBe(holder);
  });

  it("go by a smart account's proof in sales of its own chain only, and by a key's in all", async () => {
    const { database } = opened();
    const [here, there] = [newSale(database), newSale(database, OTHER_CHAIN)];
    const [account, elsewhere, wallet] = [await here.entity(), randomUUID(), newWallet()];
    const strict = { rules: { ...RULES, linkingRequired: true } };
    const link = (entityUuid: string, chain: bigint) =>
      inTransaction((transaction) => linkWallet(transaction, { entityUuid, wallet }, chain, NOW));
    await link(account, CHAIN_ID);
    await link(elsewhere, OTHER_CHAIN);
    expect(await here.bind(elsewhere, wallet, strict)).toBe("wallet-not-linked");
    expect(await there.bind(elsewhere, wallet, strict)).toBe("allowed");
    expect(await here.bind(elsewhere, wallet)).toBe("wallet-not-linked");
    expect(await here.bind(account, wallet, strict)).toBe("allowed");
    expect(await there.bind(account, wallet, NO_BIDS)).toBe("wallet-not-linked");
    expect([await here.holder(wallet), await there.holder(wallet)]).toEqual([account, elsewhere]);
    const linked = (chainId: bigint | undefined) => readLinkedEntities(database.query, wallet, chainId);
    expect([await linked(CHAIN_ID), await linked(OTHER_CHAIN), await linked(undefined)]).toEqual([
      [account],
      [elsewhere],
      [],
    ]);
    await link(elsewhere, EVERY_CHAIN);
    expect(new Set(await linked(CHAIN_ID))).toEqual(new Set([account, elsewhere]));
  });

  it("stay bound after unlinking only where the proof has counted", async () => {
    const { database } = opened();
    const [here, there] = [newSale(database), newSale(database, OTHER_CHAIN)];
    const [me, wallet] = [await here.entity(), newWallet()];
    for (const sale of [here, there]) expect(await sale.bind(me, wallet)).toBe("allowed");
    await inTransaction((transaction) => linkWallet(transaction, { entityUuid: me, wallet }, OTHER_CHAIN, NOW));
    await inTransaction((transaction) => unlinkWallet(transaction, me, wallet, NOW));
    expect([await here.isProved(wallet), await there.isProved(wallet)]).toEqual([false, true]);
    expect(
      await database.query.selectFrom("wallet_proof").where("entity", "=", bytesOfHex(me)).selectAll().execute(),
    ).toEqual([]);
  });

  it("of an earlier version, which didn't note the chain, keep no proof, and go on without", async () => {
    const { database } = opened();
    const sale = newSale(database);
    const [me, wallet] = [await sale.entity(), newWallet()];
    const link = { entity: bytesOfHex(me), kind: wallet.kind, wallet: Buffer.from(wallet.bytes) };
    const times = { bound_at_ms: NOW, permit_expires_at_ms: NOW, proved_at_ms: NOW };
    await database.write(async (transaction) => {
      await transaction
        .insertInto("wallet_link")
        .values({ ...link, linked_at_ms: NOW })
        .execute();
      await transaction
        .insertInto("sale_wallet")
        .values({ sale: bytesOfHex(sale.saleUuid), ...link, ...times })
        .execute();
    });
    expect(await sale.isProved(wallet)).toBe(false);
    expect(await readLinkedEntities(database.query, wallet, CHAIN_ID)).toEqual([]);
    expect(await sale.bind(me, wallet)).toBe("unknown");
    expect(await sale.bind(me, wallet, NO_BIDS)).toBe("allowed");
    expect(await sale.bind(me, wallet)).toBe("allowed");
    expect(await sale.isProved(wallet)).toBe(false);
    await inTransaction((transaction) => linkWallet(transaction, { entityUuid: me, wallet }, CHAIN_ID, NOW));
    expect(await sale.isProved(wallet)).toBe(true);
    expect(await readWalletLinks(database.query, me)).toMatchObject([{ chains: [CHAIN_ID] }]);
  });

  it("count on all chains if a version that notes no proofs has linked them and only a key can have signed", async () => {
    const { database } = opened();
    const sale = newSale(database);
    const [me, other] = [await sale.entity(), await sale.entity()];
    const svm: Wallet = { kind: "svm", bytes: randomBytes(32) };
    const evm = newWallet();
    const strict = { rules: { ...RULES, linkingRequired: true } };
    for (const wallet of [svm, evm]) await linkOfOldVersion(database, me, wallet);
    const links = await readWalletLinks(database.query, me);
    expect(new Map(links.map(({ wallet: { kind }, chains }) => [kind, chains]))).toEqual(
      new Map([
        ["svm", [EVERY_CHAIN]],
        ["evm", []],
      ]),
    );
    for (const chainId of [CHAIN_ID, undefined]) {
      expect(await readLinkedEntities(database.query, svm, chainId)).toEqual([me]);
      expect(await readLinkedEntities(database.query, evm, chainId)).toEqual([]);
    }
    expect([await sale.bind(other, svm), await sale.bind(other, evm)]).toEqual(["wallet-not-linked", "allowed"]);
    expect(await sale.bind(me, svm, strict)).toBe("allowed");
    // A signature now changes nothing, and unlinking leaves the wallet bound and proved.
    await inTransaction((transaction) => linkWallet(transaction, { entityUuid: me, wallet: svm }, EVERY_CHAIN, NOW));
    expect(await inTransaction((transaction) => unlinkWallet(transaction, me, svm, NOW))).toBe(true);
    expect(await readLinkedEntities(database.query, svm, CHAIN_ID)).toEqual([]);
    expect(await sale.isProved(svm)).toBe(true);
  });

  it("don't count by a proof whose link a version that notes no proofs has removed, and can be linked again", async () => {
    const { database } = opened();
    const sale = newSale(database);
    const [me, wallet] = [await sale.entity(), newWallet()];
    const link = (chain: bigint, atMs: bigint) =>
      inTransaction((transaction) => linkWallet(transaction, { entityUuid: me, wallet }, chain, atMs));
    const unlinkAsOldVersion = () =>
      database.write((transaction) =>
        transaction.deleteFrom("wallet_link").where("entity", "=", bytesOfHex(me)).execute(),
      );
    const counting = async () => {
      const linked = await Promise.all(
        [CHAIN_ID, OTHER_CHAIN].map((id) => readLinkedEntities(database.query, wallet, id)),
      );
      const [listed] = await readWalletLinks(database.query, me);
      return { here: linked[0]?.length, there: linked[1]?.length, chains: listed?.chains };
    };
    await link(CHAIN_ID, NOW);
    await link(OTHER_CHAIN, NOW);
    expect(await counting()).toEqual({ here: 1, there: 1, chains: [OTHER_CHAIN, CHAIN_ID] });
    await sale.bind(me, wallet);
    await unlinkAsOldVersion();
    expect(await counting()).toEqual({ here: 0, there: 0, chains: undefined });
    // Linked again by the same version.
    await linkOfOldVersion(database, me, wallet, NOW + 1n);
    expect(await counting()).toEqual({ here: 0, there: 0, chains: [] });
    await link(CHAIN_ID, NOW);
    expect(await counting()).toEqual({ here: 1, there: 0, chains: [CHAIN_ID] });
    await unlinkAsOldVersion();
    await link(OTHER_CHAIN, NOW + 2n);
    expect(await counting()).toEqual({ here: 0, there: 1, chains: [OTHER_CHAIN] });
    await unlinkAsOldVersion();
    await link(OTHER_CHAIN, NOW + 3n);
    expect(await counting()).toEqual({ here: 0, there: 1, chains: [OTHER_CHAIN] });
  });

  it("leave no proof behind when their entity is erased, also none without a link", async () => {
    const { database } = opened();
    const [me, other, wallets] = [randomUUID(), randomUUID(), [newWallet(), newWallet()]];
    await inTransaction(async (transaction) => {
      for (const entityUuid of [me, other]) {
        for (const wallet of wallets) await linkWallet(transaction, { entityUuid, wallet }, EVERY_CHAIN, NOW);
      }
      const [first] = wallets as [Wallet];
      await transaction.deleteFrom("wallet_link").where("wallet", "=", walletColumn(first)).execute();
      await eraseWallets(transaction, me, NOW);
    });
    const proofs = (entityUuid: string) =>
      database.query.selectFrom("wallet_proof").where("entity", "=", bytesOfHex(entityUuid)).selectAll().execute();
    expect(await proofs(me)).toEqual([]);
    expect(await proofs(other)).toHaveLength(2);
  });

  it("make room when their permits have expired without a bid", async () => {
    const { database } = opened();
    const sale = newSale(database);
    const [me, mistyped, mine] = [await sale.entity(), newWallet(), newWallet()];
    const rules = { ...RULES, maxWalletsPerEntity: 1 };
    await sale.bind(me, mistyped, { rules });
    const later = NOW + 10n * MINUTE;
    expect(await sale.bind(me, mine, { rules }, later)).toBe("unknown");
    const bids = { ofEntity: { wallets: new Set<string>(), completeUntilMs: later + BID_FINALITY_MS + 1n } };
    expect(await sale.bind(me, mine, { rules, bids }, later - 1n)).toBe("max-wallets-used");
    expect(await sale.bind(me, mine, { rules, bids }, later)).toBe("allowed");
    expect(await sale.holder(mistyped)).toBeUndefined();
  });

  it("keep the later end of two permits", async () => {
    const { database } = opened();
    const sale = newSale(database);
    const [me, wallet] = [await sale.entity(), newWallet()];
    await sale.bind(me, wallet, {}, NOW + MINUTE);
    await sale.bind(me, wallet, {}, NOW);
    const bound = await findSaleWallet(database.query, { saleUuid: sale.saleUuid, chainId: CHAIN_ID }, wallet);
    expect(bound?.permitExpiresAtMs).toBe(NOW + 11n * MINUTE);
  });
});
