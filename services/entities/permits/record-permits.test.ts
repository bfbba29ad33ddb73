import { randomBytes, randomUUID } from "node:crypto";
import { recoverMessageAddress, toHex } from "viem/utils";
import { beforeEach, describe, expect, it } from "vitest";
import { encodePermit } from "../../../common/chains/permit-encoding.ts";
import type { Wallet } from "../../../common/chains/wallet.ts";
import type { RecentSale } from "../base/context.ts";
import { deriveKeys } from "../base/derived-keys.ts";
import type { EntitiesDatabase } from "../base/schema.ts";
import { NO_ANSWERS } from "../eligibility/decide.ts";
import { ensureSaleEntity } from "../entities/sale-entities-store.ts";
import { insertDenied } from "../members/denied-wallets-store.ts";
import { emailKey } from "../members/member.ts";
import { memberIds, rowOfMember, storeMembers } from "../members/members-store.ts";
import type { PermitKey } from "../permit-keys/permit-key.ts";
import { insertKey, readKeys, storeActivation } from "../permit-keys/permit-keys-store.ts";
import { storedKeySigner } from "../permit-keys/stored-key-signer.ts";
import type { ParticipationRules } from "../rules/participation-rules.ts";
import { readRules, writeRules } from "../rules/rules-store.ts";
import { openEntitiesDatabase } from "../testing/entities-database.ts";
import { storeEntity } from "../testing/sample-entity.ts";
import { GROUP_UUID, sampleGroup, sampleRules, sampleSale } from "../testing/sample-rules.ts";
import { EVERY_CHAIN } from "../wallets/proof-chain.ts";
import { linkWallet } from "../wallets/wallet-links-store.ts";
import type { NeedsOutsideCheck, RemotelySigned, RequestedPermit } from "./decide-permit.ts";
import { readPermits } from "./permits-store.ts";
import { type IssuedPermit, type PermitOutcome, type RecordPermitsContext, recordPermits } from "./record-permits.ts";

const NOW_MS = 1_800_000_000_000n;
const SALE = sampleSale({ saleUuid: randomUUID() });
const { saleUuid } = SALE;
const EMAIL = "a@example.com";
const derivedKeys = deriveKeys(Buffer.alloc(32, 1));
const permitSigner = storedKeySigner(derivedKeys.permitKeyWrap);
const { createKey, openKey } = permitSigner;
const WALLETS = sampleRules().wallets;
const NEEDS_BIDS = { kind: "needsOutsideCheck", question: { kind: "bids" } };
const NEEDS_SCREENING = { kind: "needsOutsideCheck", question: { kind: "screening" } };
const NEEDS_SIGNATURE = { kind: "needsOutsideCheck", question: { kind: "signature" } };
const refused = (reason: string) => ({ kind: "refused", reason });

describe("permits that are recorded together", () => {
  let database: EntitiesDatabase;
  beforeEach(async () => {
    database = await openEntitiesDatabase();
    await activate({});
    await setRules({});
  });

  async function activate(given: Partial<PermitKey>): Promise<void> {
    const uuid = randomUUID();
    const created = { ...(await createKey(uuid, "evm")), createdAtMs: BigInt((await keys()).length) };
    const next: PermitKey = { uuid, saleUuid, status: "next", kind: "evm", chain: "base", ...created, ...given };
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

  async function request(given: Partial<RequestedPermit["subject"]> = {}): Promise<RequestedPermit> {
    const owner = await storeEntity(database, { setupState: "complete", provider: "review", country: "DE" });
    const entity = await ensureSaleEntity({ database, derivedKeys, clock: () => NOW_MS }, saleUuid, owner, EMAIL);
    const subject = { sale: SALE, entity, email: EMAIL, wallet: newWallet(), ...given };
    return { subject, grant: { accountUuid: owner.accountUuid, clientUuid: randomUUID() } };
  }
  const newWallet = (): Wallet => ({ kind: "evm", bytes: Uint8Array.from(randomBytes(20)) });
  /** The same entity, for another wallet. */
  const forWallet = ({ subject, grant }: RequestedPermit, wallet = newWallet()): RequestedPermit => ({
    grant,
    subject: { ...subject, wallet },
  });

  function record(requested: readonly RequestedPermit[], given: Partial<RecordPermitsContext> = {}) {
    const read = async (): Promise<RecentSale> => ({ sale: SALE, askedAtMs: 0 });
    const recentSales = { read, isTrusted: () => true };
    const context = { database, clock: () => NOW_MS, derivedKeys, recentSales, permitSigner };
    return recordPermits({ ...context, ...given } as RecordPermitsContext, saleUuid, requested);
  }
  const kinds = (outcomes: readonly PermitOutcome[]) =>
    outcomes.map((outcome) => (outcome.kind === "refused" ? outcome.reason : outcome.kind));

  it("are signed by the active key, for what is recorded, and bind the wallets", async () => {
    await setRules({ groups: [sampleGroup({ maxAmount: 7n })], wallets: { ...WALLETS, maxWalletsPerEntity: 1 } });
    const requested = await Promise.all(Array.from({ length: 20 }, () => request()));
    const outcomes = await record(requested);
    const [key] = await keys();
    for (const [index, outcome] of outcomes.entries()) {
      const { permit, signature, wallet } = outcome as IssuedPermit;
      expect(wallet).toEqual(requested[index]?.subject.wallet);
      expect(permit).toMatchObject({ maxAmount: 7n, expiresAt: NOW_MS / 1_000n + 600n, wallet: wallet.bytes });
      const message = { raw: encodePermit("evm", permit) };
      const signer = await recoverMessageAddress({ message, signature: toHex(signature) });
      expect(signer.toLowerCase()).toBe(toHex(key?.address ?? new Uint8Array()));
    }
    const rows = await stored();
    const described = ({ wallet, clientUuid }: { wallet: object; clientUuid: string }) => ({ wallet, clientUuid });
    const asked = requested.map(({ subject, grant }) => described({ ...subject, ...grant }));
    expect(rows.map(described)).toHaveLength(20);
    expect(rows.map(described)).toEqual(expect.arrayContaining(asked));
    const [first] = requested;
    if (first === undefined) throw new Error("none");
    expect((await record([first]))[0]).toHaveProperty("signature");
    expect(await record([forWallet(first)])).toEqual([refused("max-wallets-used")]);
  });

  it("are refused as each would be by itself, and don't show whose an entity is", async () => {
    const [mine, other, hidden, denied] = [await request(), await request(), await request(), await request()];
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
    const screened = { isRisky: false, rules: WALLETS };
    const cleared = { ...denied, answers: { ...NO_ANSWERS, screening: screened } };
    expect(kinds(await record([stolen, other, hidden, cleared]))).toEqual([
      "notFound",
      "notFound",
      "notFound",
      "wallet-risk",
    ]);
    await setRules({ wallets: { ...WALLETS, linkingRequired: true } });
    expect(await record([mine])).toEqual([refused("wallet-not-linked")]);
    await setRules({ enabled: false });
    expect(await record([mine])).toEqual([refused("sale-not-active")]);
    expect(await stored()).toEqual([]);
  });

  it("aren't issued where somebody must be asked outside first, nor for a wallet of another chain", async () => {
    const [first, second] = [await request(), await request()];
    const sameWallet = forWallet(second, first.subject.wallet);
    const outcomes = await record([first, sameWallet]);
    expect(outcomes).toMatchObject([{ kind: "issued" }, NEEDS_BIDS]);
    expect(await record([sameWallet])).toMatchObject([NEEDS_BIDS]);
    await setRules({ wallets: { ...WALLETS, screenerUrl: "https://screener.example" } });
    expect(await record([second])).toMatchObject([NEEDS_SCREENING]);
    const byOtherRules = { isRisky: false, rules: { ...WALLETS, screenerUrl: "https://other.example" } };
    expect(await record([{ ...second, answers: { ...NO_ANSWERS, screening: byOtherRules } }])).toMatchObject([
      NEEDS_SCREENING,
    ]);
    await setRules({});
    await activate({ remote: true });
    expect(await record([second])).toMatchObject([NEEDS_SIGNATURE]);
    await activate({});
    const ofOtherChain = await request({ wallet: { kind: "svm", bytes: Uint8Array.from(randomBytes(32)) } });
    expect(await record([ofOtherChain])).toEqual([refused("sale-not-active")]);
    expect(await stored()).toHaveLength(1);
  });

  it("are given a remote signer's signature only of the bytes that are decided under the lock, by the active key", async () => {
    await activate({ remote: true });
    const [mine, other] = [await request(), await request()];
    const signed = async (requested: RequestedPermit): Promise<RemotelySigned> => {
      const [outcome] = await record([requested]);
      const { question } = outcome as NeedsOutsideCheck;
      if (question.kind !== "signature") throw new Error("no signature is needed");
      const { key, expiresAt, encoded } = question;
      return { keyUuid: key.uuid, expiresAt, encoded, signature: Uint8Array.of(7) };
    };
    const [mySignature, othersSignature] = [await signed(mine), await signed(other)];
    const withSignature = (requested: RequestedPermit, given: RemotelySigned) =>
      record([{ ...requested, answers: { ...NO_ANSWERS, signed: given } }], {
        permitSigner: { ...permitSigner, openKey: () => Promise.reject(new Error("no key is here")) },
      });
    expect(await withSignature(mine, othersSignature)).toMatchObject([NEEDS_SIGNATURE]);
    expect(await withSignature(mine, { ...mySignature, keyUuid: randomUUID() })).toMatchObject([NEEDS_SIGNATURE]);
    await setRules({ groups: [sampleGroup({ maxAmount: 7n })] });
    expect(await withSignature(mine, mySignature)).toMatchObject([NEEDS_SIGNATURE]);
    expect(await stored()).toEqual([]);
    await setRules({});
    expect(await withSignature(mine, mySignature)).toMatchObject([{ kind: "issued", signature: Uint8Array.of(7) }]);
    expect(await stored()).toHaveLength(1);
  });

  it("give a wallet to one entity, and an entity no more wallets than it may have", async () => {
    const [first, second, unrelated] = [await request(), await request(), await request()];
    const stolen = await request({ wallet: first.subject.wallet });
    const more = Array.from({ length: 12 }, () => forWallet(second));
    const outcomes = await record([unrelated, first, stolen, second, ...more, first]);
    const { maxWalletsPerEntity } = WALLETS;
    // Whether the wallet can change hands depends on bids, which nobody has asked for.
    expect(outcomes.slice(0, 4)).toMatchObject([
      { kind: "issued" },
      { kind: "issued" },
      NEEDS_BIDS,
      { kind: "issued" },
    ]);
    const extra = outcomes.slice(4, -1);
    expect(extra.filter(({ kind }) => kind === "issued")).toHaveLength(maxWalletsPerEntity - 1);
    expect(extra.at(-1)).toEqual(refused("max-wallets-used"));
    expect(outcomes.at(-1)).toMatchObject({ kind: "issued" });
    expect(await stored()).toHaveLength(maxWalletsPerEntity + 3);
  });

  it("move a wallet to an entity that has shown whose it is, and the other one's request of the same list comes after", async () => {
    const [holder, owner] = [await request(), await request()];
    const { wallet } = holder.subject;
    await record([holder]);
    const link = { entityUuid: owner.subject.entity.entityUuid, wallet };
    await database.write((transaction) => linkWallet(transaction, link, EVERY_CHAIN, 1n));
    const bids = { ofWallet: { bidder: "nobody", completeUntilMs: NOW_MS + 10_000_000n } } as const;
    const moving = { ...forWallet(owner, wallet), answers: { bids } };
    expect(kinds(await record([moving, { ...holder, answers: { bids } }]))).toEqual(["issued", "wallet-not-linked"]);
  });

  it("are a member's once, though two entities of one address ask in the same list", async () => {
    const member = { groupUuid: GROUP_UUID, key: emailKey(EMAIL) };
    const row = rowOfMember(derivedKeys, saleUuid, memberIds(derivedKeys, saleUuid, member), member);
    await database.write((transaction) => storeMembers(transaction, database.dialect, [row]));
    const { defaultGroupUuid: _, ...onlyMembers } = sampleRules();
    await database.write(async (transaction) => {
      const { version: expectedVersion } = await readRules(transaction, saleUuid);
      await writeRules(transaction, saleUuid, { rules: onlyMembers, expectedVersion }, 0n);
    });
    const [first, second, stranger] = [await request(), await request(), await request({ email: "b@example.com" })];
    expect(kinds(await record([first, second, stranger, first]))).toEqual(["issued", "unknown", "unknown", "issued"]);
    expect(await database.query.selectFrom("matched_member").selectAll().execute()).toHaveLength(1);
  });

  it("are recorded only by facts about the sale that are fresh when they commit", async () => {
    let checks = 0;
    const read = async (): Promise<RecentSale> => ({ sale: SALE, askedAtMs: 0 });
    const isTrusted = () => {
      checks += 1;
      return checks === 2;
    };
    expect(kinds(await record([await request()], { recentSales: { read, isTrusted } }))).toEqual(["issued"]);
    expect([checks, (await stored()).length]).toEqual([2, 1]);
    const stale = record([await request()], { recentSales: { read, isTrusted: () => false } });
    await expect(stale).rejects.toMatchObject({ code: "unavailable" });
    expect(await stored()).toHaveLength(1);
  });

  it("are confirmed only once their signer is loaded, which may take a while", async () => {
    const steps: string[] = [];
    const read = async (): Promise<RecentSale> => ({ sale: SALE, askedAtMs: 0 });
    const isTrusted = () => {
      steps.push("confirm");
      return true;
    };
    const opening = async (key: PermitKey) => {
      const opened = await openKey(key);
      steps.push("open");
      return opened;
    };
    await record([await request()], {
      recentSales: { read, isTrusted },
      permitSigner: { ...permitSigner, openKey: opening },
    });
    expect(steps).toEqual(["open", "confirm"]);
  });

  it("are given once, and as they were recorded, if the answer to the commit is lost", async () => {
    const requested = await request();
    const writeLocked: EntitiesDatabase["writeLocked"] = async (work) => {
      await database.writeLocked(work);
      return database.writeLocked(work);
    };
    const { dialect } = database;
    const twice = { dialect, runExclusive: (_: string, work: () => Promise<unknown>) => work(), writeLocked };
    const [outcome] = await record([requested], { database: twice as unknown as EntitiesDatabase });
    const { permit, signature } = outcome as IssuedPermit;
    const message = { raw: encodePermit("evm", permit) };
    const signer = await recoverMessageAddress({ message, signature: toHex(signature) });
    expect(signer.toLowerCase()).toBe(toHex((await keys())[0]?.address ?? new Uint8Array()));
    expect(await stored()).toHaveLength(1);
  });

  it("aren't recorded if the key can't be unwrapped", async () => {
    const requested = [await request()];
    const foreign = storedKeySigner(randomBytes(32));
    await expect(record(requested, { permitSigner: foreign })).rejects.toThrow("can't be unwrapped");
    expect(await stored()).toEqual([]);
  });
});
