import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { migrateStore, openStore } from "../../services/entities/base/open-store.ts";
import type { EntitiesDatabase } from "../../services/entities/base/schema.ts";
import { openStoredSecrets } from "../../services/entities/base/stored-secrets.ts";
import { emailKey } from "../../services/entities/members/member.ts";
import { memberIds, memberOfRow, rowOfMember } from "../../services/entities/members/members-store.ts";
import { describeEachDatabase, type TestDatabase } from "../support/databases/databases.ts";
import { type RunningProcess, startProcess } from "../support/processes/child-process.ts";
import { type CliRun, runCliProcess } from "../support/processes/cli.ts";
import { startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { entitiesStore } from "../support/processes/entities-fixture.ts";
import { type EntitiesProcess, startEntitiesProcess } from "../support/processes/entities-process.ts";
import { RequestGate } from "../support/processes/request-gate.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/processes/temporary-folder.ts";
import { REPOSITORY_ROOT } from "../support/repository/repository.ts";
import { draftSale } from "../support/sales/sale-messages.ts";

const SALE = randomUUID();
/** More batches than pass a gate twice. */
const EMAILS = Array.from({ length: 4_000 }, (_, index) => `member-${index}@example.com`);
/** Batches after which the work stands still until somebody is killed. */
const BATCHES = 3;
const ROWS = 1_000;
const [FORMER, PRESENT] = [1, 2].map((byte) => Buffer.alloc(32, byte)) as [Buffer, Buffer];
const BEFORE = { KEY_ENCRYPTION_KEY: FORMER.toString("base64url") };
const ALONE = { KEY_ENCRYPTION_KEY: PRESENT.toString("base64url") };
const CHANGED = { ...ALONE, KEY_ENCRYPTION_KEY_OTHER: BEFORE.KEY_ENCRYPTION_KEY };

describeEachDatabase("a change of KEY_ENCRYPTION_KEY, with processes that are killed", ({ create }) => {
  const operator = generateCallerKey();
  const keys = { gateway: generateCallerKey(), commitments: generateCallerKey(), operator };
  let testDatabase: TestDatabase;
  let folder: TemporaryFolder;
  let database: EntitiesDatabase;
  let started: RunningProcess[] = [];

  beforeEach(async () => {
    [testDatabase, folder] = await Promise.all([create(), temporaryFolder()]);
    const isMysql = testDatabase.dialect === "mysql";
    database = await openStore(
      isMysql ? entitiesStore(testDatabase) : { sqliteFile: `${folder.path}/entities.sqlite` },
    );
  });
  afterEach(async () => {
    await Promise.all(started.map((running) => running.kill()));
    started = [];
    await database.close();
    await folder.remove();
    await testDatabase.remove();
  });

  const storeOf = () => ({
    DATA_DIR: folder.path,
    ...(testDatabase.dialect === "mysql" && { MYSQL_URL: testDatabase.url }),
  });
  const start = async (settings: Readonly<Record<string, string>>): Promise<EntitiesProcess> => {
    const away = "http://127.0.0.1:1";
    const upstreams = {
      AUTH_URL: "https://auth.example",
      AUTH_RPC_URL: away,
      COMMITMENTS_URL: away,
      INDEXER_URL: away,
    };
    const service = await startEntitiesProcess(
      { ...storeOf(), ...upstreams, CALLER_KEY: generateCallerKey().text, ...settings },
      keys,
    );
    started.push(service.process);
    return service;
  };
  const addMembers = async () => {
    await migrateStore(database);
    const former = await openStoredSecrets(database, { keyEncryptionKey: FORMER });
    const groupUuid = randomUUID();
    for (let from = 0; from < EMAILS.length; from += ROWS) {
      const rows = EMAILS.slice(from, from + ROWS).map((email) => {
        const member = { key: emailKey(email), groupUuid };
        return rowOfMember(former, SALE, memberIds(former, SALE, member), member);
      });
      await database.query.insertInto("group_member").values(rows).execute();
    }
  };
  /** The number of members whose address only the new key opens. */
  const countRewrapped = async () => {
    const present = await openStoredSecrets(database, { keyEncryptionKey: FORMER, otherKeyEncryptionKey: PRESENT });
    const rows = await database.query.selectFrom("group_member").selectAll().execute();
    return rows.filter((row) => opens({ memberEmail: present.other?.memberEmail ?? new Uint8Array() }, row)).length;
  };
  const secrets = (service: { readonly url: string }, command: "rewrap" | "status"): Promise<CliRun> =>
    runCliProcess(["secrets", command, "entities"], { ENTITIES_URL: service.url, CALLER_KEY: operator.text });

  it("leaves nothing behind and loses nothing", async () => {
    await addMembers();
    const first = await start(CHANGED);
    {
      await using gate = await RequestGate.start(first.url, BATCHES);
      const interrupted = secrets(gate, "rewrap");
      await gate.reached;
      expect(await countRewrapped()).toBeGreaterThan(0);
      // The next batch may be under way when its service is killed.
      gate.passOne();
      await first.process.kill("SIGKILL");
      expect((await interrupted).code).not.toBe(0);
    }

    const second = await start(CHANGED);
    const between = await secrets(second, "status");
    expect([between.code, between.errors]).toEqual([1, expect.stringContaining("need KEY_ENCRYPTION_KEY_OTHER")]);
    const done = await countRewrapped();
    expect(done).toBeLessThan(EMAILS.length);
    await using gate = await RequestGate.start(second.url, 2 * BATCHES);
    const command = await startProcess({
      command: process.execPath,
      args: ["services/cli/main.ts", "secrets", "rewrap", "entities"],
      cwd: REPOSITORY_ROOT,
      env: { ENTITIES_URL: gate.url, CALLER_KEY: operator.text },
    });
    await gate.reached;
    const more = await countRewrapped();
    expect(more).toBeGreaterThan(done);
    expect(more).toBeLessThan(EMAILS.length);
    gate.passOne();
    await command.kill("SIGKILL");

    const whole = await secrets(second, "rewrap");
    expect([whole.code, whole.errors, whole.output]).toEqual([0, "", expect.stringContaining("may be removed")]);
    expect((await secrets(second, "status")).code).toBe(0);
    await second.process.kill();
    await start(ALONE);
    const alone = await openStoredSecrets(database, { keyEncryptionKey: PRESENT });
    const rows = await database.query.selectFrom("group_member").selectAll().execute();
    const emails = rows.map((row) => Buffer.from(memberOfRow(alone, row).key.value).toString());
    expect(new Set(emails)).toEqual(new Set(EMAILS));
    await expect(start(BEFORE)).rejects.toThrow("KEY_ENCRYPTION_KEY: expected the key that wraps");
  });

  it("works for the secrets of webhooks, and a commitments service without their key doesn't start", async () => {
    const startCommitments = async (settings: Readonly<Record<string, string>>) => {
      const service = await startCommitmentsProcess({ ...storeOf(), ...settings }, { key: operator });
      started.push(service.process);
      return service;
    };
    const before = await startCommitments(BEFORE);
    const saleUuid = await draftSale(before);
    const { secret } = await before.webhooks.createWebhookEndpoint({ saleUuid, url: "https://hooks.example/" });
    expect(secret).not.toBe("");
    await before.process.kill("SIGTERM");
    await expect(startCommitments(ALONE)).rejects.toThrow(
      "KEY_ENCRYPTION_KEY: expected the key that wraps the secrets",
    );
    const changed = await startCommitments(CHANGED);
    const env = { COMMITMENTS_URL: changed.url, CALLER_KEY: operator.text };
    const rewrap = await runCliProcess(["secrets", "rewrap", "commitments"], env);
    expect([rewrap.code, rewrap.output]).toEqual([0, expect.stringMatching(/webhook_secret +0 +1 +0/)]);
    await changed.process.kill("SIGTERM");
    await startCommitments(ALONE);
  });
});

function opens(keys: Parameters<typeof memberOfRow>[0], row: Parameters<typeof memberOfRow>[1]): boolean {
  try {
    return memberOfRow(keys, row).key.value.length > 0;
  } catch {
    return false;
  }
}
