import { afterEach, beforeEach, expect, it } from "vitest";
import { KeyStatus } from "../../../proto/gen/tidemark/auth/v1/key_service_pb.ts";
import { describeEachDatabase, type TestDatabase } from "../../support/databases/databases.ts";
import { type AuthProcess, generateAuthCallerKeys, startAuthProcess } from "../../support/processes/auth-process.ts";
import { runCliProcess } from "../../support/processes/cli.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { SOON } from "../../support/repository/polling.ts";
import { refusal } from "../../support/sales/sale-messages.ts";

const BROWSER_TOKEN = "b".repeat(43);
const kek = (byte: number) => Buffer.alloc(32, byte).toString("base64url");

describeEachDatabase("the auth service as a process", ({ create }) => {
  const callers = generateAuthCallerKeys();
  let database: TestDatabase;
  let folder: TemporaryFolder;
  let started: AuthProcess[] = [];
  beforeEach(async () => {
    database = await create();
    folder = await temporaryFolder();
  });
  afterEach(async () => {
    await Promise.all(started.map(({ process }) => process.kill()));
    started = [];
    await folder.remove();
    await database.remove();
  });

  const start = async (env: Readonly<Record<string, string>> = {}) => {
    const service = await startAuthProcess(
      {
        ...(database.dialect === "mysql" ? { MYSQL_URL: database.url } : {}),
        DATA_DIR: folder.path,
        AUTH_URL: "https://auth.example",
        KEY_ENCRYPTION_KEY: kek(1),
        MAIL_DIR: `${folder.path}/mail`,
        COMMITMENTS_URL: "http://127.0.0.1:1",
        CALLER_KEY: callers.commitments.text,
        ...env,
      },
      callers,
    );
    started.push(service);
    return service;
  };

  it("becomes ready, counts calls in its metrics, and stops cleanly", async () => {
    const service = await start();
    await service.as("gateway").accounts.beginSignIn({ email: "a@b.example", browserToken: BROWSER_TOKEN });
    const admin = (path: string) => fetch(`http://127.0.0.1:${service.adminPort}${path}`);
    await expect.poll(async () => (await admin("/readyz")).status).toBe(200);
    expect(await (await admin("/metrics")).text()).toContain('tidemark_auth_mails_total{result="sent"} 1');
    expect(await service.process.kill("SIGTERM")).toEqual({ code: 0, signal: null });
  });

  it("keeps its keys, which the operator's command lists", async () => {
    const first = await start();
    const listed = await keysOf(first);
    await first.process.kill();
    const second = await start();
    expect(await keysOf(second)).toBe(listed);
    expect(listed).toMatch(/^KEY ID +ALGORITHM +STATUS +CREATED +SIGNS SINCE +RETIRED\n/);
    expect(listed.match(/ active | next /g)?.toSorted()).toEqual([" active ", " next "]);
    expect(await refusal(second.as("operator").keys.rotateKeys({}))).toMatchObject({ code: "failed_precondition" });
  });

  it("drops a key that the operator's command has removed at another process", async () => {
    const [first, second] = [await start(), await start()];
    const published = async ({ as }: AuthProcess): Promise<string[]> =>
      JSON.parse((await as("gateway").authorization.getJwks({})).jwksJson).keys.map(({ kid }: { kid: string }) => kid);
    const { keys } = await first.as("operator").keys.listKeys({});
    const leaked = keys.find(({ status }) => status === KeyStatus.ACTIVE)?.keyId ?? "";
    const env = { AUTH_RPC_URL: first.url, CALLER_KEY: callers.operator.text };
    // With an equals sign, as one key ID in 64 begins with a dash.
    const remove = ["signing-key", "remove", `--key=${leaked}`];
    const preview = await runCliProcess(remove, env);
    expect([preview.code, preview.output]).toEqual([1, expect.stringContaining(`would be removed:`)]);
    expect(await published(first)).toContain(leaked);
    const removal = await runCliProcess([...remove, "--yes"], env);
    expect([removal.code, removal.errors]).toEqual([0, ""]);
    expect(await published(first)).not.toContain(leaked);
    await expect.poll(() => published(second), SOON).not.toContain(leaked);
    const again = await runCliProcess([...remove, "--yes"], env);
    expect([again.code, again.errors]).toEqual([1, expect.stringContaining("no key with this ID is kept")]);
  });

  it("doesn't start with another KEY_ENCRYPTION_KEY, and says so", async () => {
    await (await start()).process.kill();
    await expect(start({ KEY_ENCRYPTION_KEY: kek(2) })).rejects.toThrow(
      "KEY_ENCRYPTION_KEY: expected the key with which",
    );
  });

  async function keysOf({ url }: AuthProcess): Promise<string> {
    const env = { AUTH_RPC_URL: url, CALLER_KEY: callers.operator.text };
    const { code, output, errors } = await runCliProcess(["signing-key", "list"], env);
    expect([code, errors]).toEqual([0, ""]);
    return output;
  }
});
