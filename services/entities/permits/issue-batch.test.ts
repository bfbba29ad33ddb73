import { randomBytes, randomUUID } from "node:crypto";
import { recoverMessageAddress, toHex } from "viem/utils";
import { beforeEach, describe, expect, it } from "vitest";
import { encodePermit } from "../../../common/chains/permit-encoding.ts";
import type { RecentSale } from "../authority/recent-sales.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { insertDenied } from "../members/denied-wallets-store.ts";
import type { PermitKey } from "../permit-keys/permit-key.ts";
import { insertKey, readKeys, storeActivation } from "../permit-keys/permit-keys-store.ts";
import { storedKeySigner } from "../permit-keys/stored-key-signer.ts";
import type { ParticipationRules } from "../rules/participation-rules.ts";
import { readRules, writeRules } from "../rules/rules-store.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { storeEntity } from "../testing/sample-entity.ts";
import { sampleGroup, sampleRules, sampleSale } from "../testing/sample-rules.ts";
import { type IssuingDependencies, issueBatch, type WantedPermit } from "./issue-batch.ts";
import type { IssuedPermit } from "./permit-result.ts";
import { readPermits } from "./permits-store.ts";

const NOW_MS = 1_800_000_000_000n;
const SALE = sampleSale({ saleUuid: randomUUID() });
const { saleUuid } = SALE;
const derivedKeys = deriveKeys(Buffer.alloc(32, 1));
const { createKey, openKey } = storedKeySigner(derivedKeys.permitKeyWrap);
const WALLETS = sampleRules().wallets;

describe("a batch of permits", () => {
  let database: EntitiesDatabase;
  beforeEach(async () => {
    database = await openEntitiesDatabase();
    await activate({});
    await setRules({});
  });

  async function activate(given: Partial<PermitKey>): Promise<void> {
    const uuid = randomUUID();
    const made = { ...(await createKey(uuid, "evm")), createdAtMs: BigInt((await keys()).length) };
    const next: PermitKey = { uuid, saleUuid, status: "next", kind: "evm", chain: "base", ...made, ...given };
    await database.write(async (transaction) => {
      await insertKey(transaction, next);
      await storeActivation(transaction, next, 0n);
    });
  }
  const keys = () => readKeys(database.query, saleUuid);
  const stored = () => readPermits(database.query, saleUuid, { after: "", size: 100 });

  async function setRules(given: Partial<ParticipationRules>): Promise<void> {
    await database.write(async (transaction) => {
      const { version: expectedVersion } = await readRules(transaction, saleUuid);
      await writeRules(transaction, saleUuid, { rules: sampleRules(given), expectedVersion }, 0n);
    });
  }

  async function wanted(given: Partial<WantedPermit["subject"]> = {}): Promise<WantedPermit> {
    const stored = await storeEntity(database, { setupState: "complete", provider: "review", country: "DE" });
    const entity = await ensureSaleEntity({ database, derivedKeys }, saleUuid, stored, "a@example.com");
    const wallet = { kind: "evm", bytes: Uint8Array.from(randomBytes(20)) } as const;
    const subject = { sale: SALE, entity, email: "a@example.com", wallet, ...given };
    const { accountUuid } = stored;
    return { subject, grant: { accountUuid, clientUuid: randomUUID(), saleUuid, email: subject.email } };
  }

  function issue(permits: readonly WantedPermit[], given: Partial<IssuingDependencies> = {}) {
    const read = async (): Promise<RecentSale> => ({ sale: SALE, askedAtMs: 0 });
    const recentSales = { read, isTrusted: () => true };
    const dependencies = { database, clock: () => NOW_MS, recentSales, openKey, ...given } as IssuingDependencies;
    return issueBatch(dependencies, saleUuid, permits);
  }

  it("is signed by the active key, for what is recorded, and binds the wallets", async () => {
    await setRules({ groups: [sampleGroup({ maxAmount: 7n })], wallets: { ...WALLETS, maxWalletsPerEntity: 1 } });
    const permits = await Promise.all(Array.from({ length: 20 }, () => wanted()));
    const { results } = await issue(permits);
    const [key] = await keys();
    for (const [index, result] of results.entries()) {
      const { permit, signature, wallet } = result as IssuedPermit;
      expect(wallet).toEqual(permits[index]?.subject.wallet);
      expect(permit).toMatchObject({ maxAmount: 7n, expiresAt: NOW_MS / 1_000n + 600n, wallet: wallet.bytes });
      const message = { raw: encodePermit("evm", permit) };
      const signer = await recoverMessageAddress({ message, signature: toHex(signature) });
      expect(signer.toLowerCase()).toBe(toHex(key?.address ?? new Uint8Array()));
    }
    const rows = await stored();
    const described = ({ wallet, clientUuid }: { wallet: object; clientUuid: string }) => ({ wallet, clientUuid });
    const asked = permits.map(({ subject, grant }) => described({ ...subject, ...grant }));
    expect(rows.map(described)).toHaveLength(20);
    expect(rows.map(described)).toEqual(expect.arrayContaining(asked));
    const [first] = permits;
    if (first === undefined) throw new Error("none");
    const again = { ...first, subject: { ...first.subject, wallet: { kind: "evm", bytes: randomBytes(20) } as const } };
    expect((await issue([first])).results[0]).toHaveProperty("signature");
    expect((await issue([again])).results).toEqual([{ refused: "max-wallets-used" }]);
  });

  it("is refused as each permit would be by itself, and doesn't show whose an entity is", async () => {
    const [mine, other, hidden, denied] = [await wanted(), await wanted(), await wanted(), await wanted()];
    const stolen = { ...mine, grant: other.grant };
    const entity = Buffer.from(hidden.subject.entity.entityUuid.replaceAll("-", ""), "hex");
    const client = Buffer.from(hidden.grant.clientUuid.replaceAll("-", ""), "hex");
    await database.query.insertInto("hidden_entity").values({ entity, client }).execute();
    await database.write((transaction) =>
      insertDenied(transaction, saleUuid, [Buffer.from(denied.subject.wallet.bytes)]),
    );
    const row = Buffer.from(other.subject.entity.entityUuid.replaceAll("-", ""), "hex");
    await database.query.deleteFrom("entity").where("entity", "=", row).execute();
    await setRules({ wallets: { ...WALLETS, denyList: true } });
    expect((await issue([stolen, other, hidden, denied])).results).toEqual(["unseen", "unseen", "unseen", "alone"]);
    await setRules({ wallets: { ...WALLETS, linkingRequired: true } });
    expect((await issue([mine])).results).toEqual([{ refused: "wallet-not-linked" }]);
    await setRules({ enabled: false });
    expect((await issue([mine])).results).toEqual([{ refused: "sale-not-active" }]);
    expect(await stored()).toEqual([]);
  });

  it("leaves alone what concerns others, or takes more than the database", async () => {
    const [first, second] = [await wanted(), await wanted()];
    const sameWallet = { ...second, subject: { ...second.subject, wallet: first.subject.wallet } };
    const sameEntity = { ...(await wanted()), subject: { ...first.subject, wallet: second.subject.wallet } };
    const { results, isDecidedHere } = await issue([first, sameWallet, sameEntity]);
    expect([typeof results[0], ...results.slice(1), isDecidedHere]).toEqual(["object", "alone", "alone", true]);
    expect((await issue([sameWallet])).results).toEqual(["alone"]);
    await setRules({ wallets: { ...WALLETS, screenerUrl: "https://screener.example" } });
    expect(await issue([second])).toEqual({ results: ["alone"], isDecidedHere: false });
    await setRules({ livenessRequired: true });
    expect(await issue([second])).toEqual({ results: ["alone"], isDecidedHere: false });
    await setRules({});
    await activate({ remote: true });
    expect((await issue([second])).results).toEqual(["alone"]);
    const ofOtherChain = await wanted({ wallet: { kind: "svm", bytes: Uint8Array.from(randomBytes(32)) } });
    await activate({});
    expect((await issue([ofOtherChain])).results).toEqual(["alone"]);
    expect(await stored()).toHaveLength(1);
  });

  it("is issued only if auth says of its token what it said when the permit was begun", async () => {
    const begun = await Promise.all(Array.from({ length: 4 }, () => wanted()));
    const revoked = Promise.reject(new Error("revoked"));
    revoked.catch(() => undefined);
    const [same, other, refused, plain] = begun as [WantedPermit, WantedPermit, WantedPermit, WantedPermit];
    const { results } = await issue([
      { ...same, granted: Promise.resolve(same.grant) },
      { ...other, granted: Promise.resolve({ ...other.grant, email: "b@example.com" }) },
      { ...refused, granted: revoked },
      plain,
    ]);
    expect(results).toEqual([
      expect.objectContaining({ wallet: same.subject.wallet }),
      "unconfirmed",
      "unconfirmed",
      expect.objectContaining({ wallet: plain.subject.wallet }),
    ]);
    expect(await stored()).toHaveLength(2);
  });

  it("is issued only by facts about the sale that are fresh when it commits", async () => {
    let checks = 0;
    const read = async (): Promise<RecentSale> => ({ sale: SALE, askedAtMs: 0 });
    const isTrusted = () => {
      checks += 1;
      return checks === 2;
    };
    expect((await issue([await wanted()], { recentSales: { read, isTrusted } })).results).toHaveLength(1);
    expect([checks, (await stored()).length]).toEqual([2, 1]);
    const stale = issue([await wanted()], { recentSales: { read, isTrusted: () => false } });
    await expect(stale).rejects.toMatchObject({ code: "unavailable" });
    expect(await stored()).toHaveLength(1);
  });

  it("is confirmed only once its signer is loaded, which may take a while", async () => {
    const steps: string[] = [];
    const read = async (): Promise<RecentSale> => ({ sale: SALE, askedAtMs: 0 });
    const isTrusted = () => {
      steps.push("confirm");
      return true;
    };
    const opening = async (key: PermitKey) => {
      const opened = await openKey?.(key);
      if (opened === undefined) throw new Error("no key");
      steps.push("open");
      return opened;
    };
    await issue([await wanted()], { recentSales: { read, isTrusted }, openKey: opening });
    expect(steps).toEqual(["open", "confirm"]);
  });

  it("is given once, and as it was recorded, if the answer to the commit is lost", async () => {
    const permit = await wanted();
    const writeLocked: EntitiesDatabase["writeLocked"] = async (work) => {
      await database.writeLocked(work);
      return database.writeLocked(work);
    };
    const { dialect } = database;
    const twice = { dialect, runExclusive: (_: string, work: () => Promise<unknown>) => work(), writeLocked };
    const { results } = await issue([permit], { database: twice as unknown as EntitiesDatabase });
    const { permit: given, signature } = results[0] as IssuedPermit;
    const message = { raw: encodePermit("evm", given) };
    const signer = await recoverMessageAddress({ message, signature: toHex(signature) });
    expect(signer.toLowerCase()).toBe(toHex((await keys())[0]?.address ?? new Uint8Array()));
    expect(await stored()).toHaveLength(1);
  });

  it("isn't recorded if the key can't be unwrapped", async () => {
    const permits = [await wanted()];
    const foreign = storedKeySigner(randomBytes(32)).openKey;
    await expect(issue(permits, foreign && { openKey: foreign })).rejects.toThrow("can't be unwrapped");
    expect(await stored()).toEqual([]);
  });
});
