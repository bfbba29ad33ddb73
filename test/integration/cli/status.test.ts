import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { databases } from "../../support/databases/databases.ts";
import { type CliRun, runCliProcess } from "../../support/processes/cli.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { RestartableCommitments } from "../../support/processes/restartable-commitments.ts";
import { shiftedClock } from "../../support/processes/shifted-clock.ts";
import { TcpProxy } from "../../support/processes/tcp-proxy.ts";
import { SOON } from "../../support/repository/polling.ts";

const operator = generateCallerKey();
const stranger = generateCallerKey();
const { unavailable } = inject("mariaDb");

describe.skipIf(unavailable !== undefined)(`status of several processes (${unavailable ?? "on MariaDB"})`, () => {
  const stack = new AsyncDisposableStack();
  let proxy: TcpProxy;
  let databaseUrl: string;
  let well: RestartableCommitments;
  let proxied: RestartableCommitments;

  const start = async (env: Readonly<Record<string, string>>) => {
    const keys = { CALLER_KEYS: `operator=${operator.text},gateway=${stranger.text}` };
    return stack.adopt(await RestartableCommitments.start({ ...keys, ...env }, { key: operator }), async (service) => {
      await service.kill();
    });
  };

  const statusOf = (services: readonly RestartableCommitments[], caller: readonly [string, string]): Promise<CliRun> =>
    runCliProcess(["status", ...["indexer", "auth", "entities"].flatMap((name) => ["--skip", name])], {
      COMMITMENTS_URL: services.map(({ url }) => url).join(","),
      CALLER_NAME: caller[0],
      CALLER_KEY: caller[1],
    });
  const status = (...services: readonly RestartableCommitments[]) => statusOf(services, ["operator", operator.text]);

  beforeAll(async () => {
    const created = await databases()
      .find(({ name }) => name === "mariadb")
      ?.create();
    if (created?.dialect !== "mysql") throw new Error("there is no MariaDB");
    databaseUrl = created.url;
    const url = new URL(databaseUrl);
    proxy = stack.use(await TcpProxy.start([Number(url.port)]));
    url.port = String(proxy.port);
    well = await start({ MYSQL_URL: databaseUrl });
    proxied = await start({ MYSQL_URL: url.href });
  });
  afterAll(() => stack.disposeAsync());

  // A busy machine may answer later than the command waits: each expectation is of one run, and is tried again.
  const expectStatus = (run: () => Promise<CliRun>) => expect.poll(run, SOON);

  it("is well, and has each of them", async () => {
    const output = expect.stringMatching(
      /^well +commitments \S+ +ready; [\s\S]*^well +commitments \S+ +ready; [\s\S]*^note +gateway /m,
    );
    await expectStatus(() => status(well, proxied)).toEqual({ code: 0, errors: "", output });
  });

  it("is for the operator only", async () => {
    await expectStatus(() => statusOf([well], ["gateway", stranger.text])).toMatchObject({
      code: 2,
      output: expect.stringContaining("permission_denied: caller gateway may not call"),
    });
  });

  it("says that a clock is off, and that the bus is away, and who doesn't answer", async () => {
    const bus = `nats://127.0.0.1:${await freePort()}`;
    const off = await start({ MYSQL_URL: databaseUrl, NATS_URL: bus, ...shiftedClock(20_000) });
    const isWrong = (text: string) => expect.stringMatching(new RegExp(`^wrong +commitments \\S+ +${text}`, "m"));
    await expectStatus(() => status(off)).toMatchObject({
      code: 1,
      output: isWrong(
        "connections to the bus: 0; at least 1\n[\\s\\S]* clock difference: \\d+(\\.\\d)? s; at most 5 s",
      ),
    });
    await off.kill();
    await expectStatus(() => status(well, off)).toMatchObject({
      code: 1,
      output: isWrong("doesn't answer: unavailable: .*connect ECONNREFUSED"),
    });
    await expectStatus(() => status(off)).toMatchObject({ code: 2, errors: "no process has answered\n" });
  });

  it("says that the database is away", async () => {
    proxy.cut();
    await expectStatus(() => status(well, proxied)).toMatchObject({
      code: 1,
      output: expect.stringMatching(/^wrong .* not ready: database: does not answer; version /m),
    });
  });
});
