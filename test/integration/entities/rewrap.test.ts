import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { rewrapBatch } from "../../../common/platform/rewrap/rewrap-batch.ts";
import type { WrappedKind } from "../../../common/platform/rewrap/wrapped-kind.ts";
import { bothKeys } from "../../../common/platform/secrets/both-keys.ts";
import { deriveKeys } from "../../../services/entities/base/derived-keys.ts";
import { migrateStore, openStore } from "../../../services/entities/base/open-store.ts";
import type { EntitiesDatabase } from "../../../services/entities/base/schema.ts";
import { openStoredSecrets } from "../../../services/entities/base/stored-secrets.ts";
import { emailKey } from "../../../services/entities/members/member.ts";
import { memberIds, memberOfRow, rowOfMember } from "../../../services/entities/members/members-store.ts";
import { insertKey, readKeys } from "../../../services/entities/permit-keys/permit-keys-store.ts";
import { storedKeySigner } from "../../../services/entities/permit-keys/stored-key-signer.ts";
import { requireReadableKeys, wrappedSecrets } from "../../../services/entities/wrapped-secrets-store.ts";
import { describeEachDatabase, type TestDatabase } from "../../support/databases/databases.ts";
import { entitiesStore } from "../../support/processes/entities-fixture.ts";

const [FORMER, PRESENT, WRONG] = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte)) as [
  Uint8Array,
  Uint8Array,
  Uint8Array,
];
const CHANGED = { keyEncryptionKey: PRESENT, otherKeyEncryptionKey: FORMER };
const SALE = randomUUID();
/** More than two batches. */
const EMAILS = Array.from({ length: 450 }, (_, index) => `member-${index}@example.com`);

describeEachDatabase("a change of KEY_ENCRYPTION_KEY in the entities service", ({ create }) => {
  let testDatabase: TestDatabase;
  let database: EntitiesDatabase;
  let former: ReturnType<typeof deriveKeys>;

  beforeEach(async () => {
    testDatabase = await create();
    database = await openStore(entitiesStore(testDatabase));
    await migrateStore(database);
    former = await openStoredSecrets(database, { keyEncryptionKey: FORMER });
    const [groupUuid, uuid] = [randomUUID(), randomUUID()];
    const rows = EMAILS.map((email) => {
      const member = { key: emailKey(email), groupUuid };
      return rowOfMember(former, SALE, memberIds(former, SALE, member), member);
    });
    const created = await storedKeySigner(former.permitKeyWrap).createKey(uuid, "evm");
    const key = { uuid, saleUuid: SALE, kind: "evm", chain: "anvil", status: "next", createdAtMs: 1n } as const;
    await database.write(async (transaction) => {
      await transaction.insertInto("group_member").values(rows).execute();
      await insertKey(transaction, { ...key, ...created });
    });
  });
  afterEach(async () => {
    await database.close();
    await testDatabase.remove();
  });

  /** The addresses of all members, as a process with these keys reads them. */
  const emailsBy = async (keys: Parameters<typeof memberOfRow>[0]) => {
    const rows = await database.query.selectFrom("group_member").selectAll().execute();
    return new Set(rows.map((row) => Buffer.from(memberOfRow(keys, row).key.value).toString()));
  };
  const signsWith = async (keys: ReturnType<typeof deriveKeys>) => {
    const [key] = await readKeys(database.query, SALE);
    if (key === undefined) throw new Error("the permit key has gone");
    return storedKeySigner(...bothKeys(keys, "permitKeyWrap")).sign(key, new Uint8Array(32));
  };
  /** Counts secrets by the key that opens them, and wraps them anew unless it is a dry run. @param batches after which it is killed */
  const pass = async (kinds: readonly WrappedKind[], dryRun = false, batches = Number.POSITIVE_INFINITY) => {
    const sum = { present: 0, other: 0, unreadable: 0 };
    let cursor: string | undefined = "";
    for (let done = 0; cursor !== undefined && done < batches; done += 1) {
      const batch: Awaited<ReturnType<typeof rewrapBatch>> = await rewrapBatch(kinds, cursor, dryRun);
      if (batch === undefined) throw new Error("the cursor is unknown");
      const { present, other, unreadable } = batch.count;
      sum.present += present;
      sum.other += other;
      sum.unreadable += unreadable;
      cursor = batch.next;
    }
    return sum;
  };

  it("wraps members, permit keys and stored keys anew, and goes on after it was killed in the middle", async () => {
    const changed = await openStoredSecrets(database, CHANGED);
    const kinds = wrappedSecrets({ database, derivedKeys: changed });
    expect(await pass(kinds, true)).toEqual({ present: 0, other: 453, unreadable: 0 });
    expect(await pass(kinds, false, 1)).toEqual({ present: 0, other: 200, unreadable: 0 });
    // Meanwhile processes with either key as the present one read all.
    const before = await openStoredSecrets(database, { keyEncryptionKey: FORMER, otherKeyEncryptionKey: PRESENT });
    for (const keys of [changed, before]) expect(await emailsBy(keys)).toEqual(new Set(EMAILS));
    expect(await pass(kinds)).toEqual({ present: 200, other: 253, unreadable: 0 });
    expect(await pass(kinds)).toEqual({ present: 453, other: 0, unreadable: 0 });
    const alone = await openStoredSecrets(database, { keyEncryptionKey: PRESENT });
    expect(await emailsBy(alone)).toEqual(new Set(EMAILS));
    await expect(signsWith(alone)).resolves.toHaveLength(65);
    await expect(requireReadableKeys({ database, derivedKeys: alone })).resolves.toBeUndefined();
  });

  it("keeps the keys of HMACs, so that members, imported IDs and references are found as before", async () => {
    const { index, providerReference } = await openStoredSecrets(database, CHANGED);
    expect({ index, providerReference }).toEqual({
      index: former.index,
      providerReference: former.providerReference,
    });
    await pass(wrappedSecrets({ database, derivedKeys: await openStoredSecrets(database, CHANGED) }));
    expect((await openStoredSecrets(database, { keyEncryptionKey: PRESENT })).index).toEqual(former.index);
  });

  it("refuses the start of a process without a key that rows need, and of a first one with two", async () => {
    const refused = { variable: "KEY_ENCRYPTION_KEY" };
    await expect(openStoredSecrets(database, { keyEncryptionKey: PRESENT })).rejects.toMatchObject(refused);
    await pass(wrappedSecrets({ database, derivedKeys: await openStoredSecrets(database, CHANGED) }));
    await expect(openStoredSecrets(database, { keyEncryptionKey: FORMER })).rejects.toMatchObject(refused);
    await expect(requireReadableKeys({ database, derivedKeys: deriveKeys(WRONG) })).rejects.toMatchObject(refused);
    await database.query.deleteFrom("stored_secret").execute();
    await expect(openStoredSecrets(database, CHANGED)).rejects.toMatchObject({ variable: "KEY_ENCRYPTION_KEY_OTHER" });
  });

  it("reports what neither key opens, and leaves it alone", async () => {
    const kinds = wrappedSecrets({ database, derivedKeys: deriveKeys(PRESENT, WRONG) });
    const stored = await database.query.selectFrom("group_member").selectAll().orderBy("member").execute();
    expect(await pass(kinds)).toEqual({ present: 0, other: 0, unreadable: 453 });
    const after = await database.query.selectFrom("group_member").selectAll().orderBy("member").execute();
    expect(after).toEqual(stored);
  });

  it("brings back no secret that was erased meanwhile", async () => {
    const [, permitKeys] = wrappedSecrets({ database, derivedKeys: await openStoredSecrets(database, CHANGED) });
    const [row] = (await permitKeys?.read("", 10)) ?? [];
    if (row === undefined) throw new Error("there is no permit key");
    await database.query.updateTable("permit_key").set({ private_key: null, status: "retired" }).execute();
    await permitKeys?.store([{ ...row, rewrapped: row.wrapped }]);
    const { private_key } = await database.query.selectFrom("permit_key").selectAll().executeTakeFirstOrThrow();
    expect(private_key).toBeNull();
  });
});
