import { connect, nanos, StorageType } from "nats";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { COMMITMENTS_STREAM } from "../../../common/internal-api/commitment-subjects.ts";
import type { Finding } from "../../../common/platform/checks/finding.ts";
import { runProbes } from "../../../common/platform/checks/run-probes.ts";
import { Env } from "../../../common/platform/config/env.ts";
import { gatewayChecks } from "../../../gateway/checks.ts";
import { commitmentsChecks } from "../../../services/commitments/checks.ts";
import { freePort } from "../../support/processes/free-port.ts";
import { type Nats, startNats } from "../../support/processes/nats.ts";
import { findProgram } from "../../support/processes/program.ts";
import { codeSpans, tableRows } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

/** Rights of an account, as docs/operating.md gives them. */
function documented(account: string): string {
  const row = tableRows(readRepository("docs/operating.md"), "account of").find(([name]) => name === account);
  const list = (cell = "") => JSON.stringify(codeSpans(cell));
  return `{ publish: { allow: ${list(row?.[1])} }, subscribe: { allow: ${list(row?.[2])} } }`;
}

const USERS = `authorization { users: [
  { user: all, password: all }
  { user: service, password: right, permissions: ${documented("commitments service")} }
  { user: gateway, password: right, permissions: ${documented("gateway")} }
  { user: none, password: right, permissions: { publish: { allow: ["other"] }, subscribe: { allow: ["other"] } } }
] }`;

describe.skipIf(findProgram("nats-server") === undefined)("the check of NATS (nats-server)", () => {
  const stack = new AsyncDisposableStack();
  let nats: Nats;
  beforeAll(async () => {
    nats = stack.adopt(await startNats(USERS), (server) => server.stop());
  });
  afterAll(() => stack.disposeAsync());

  type ChecksOf = typeof commitmentsChecks;
  async function check(checksOf: ChecksOf, user: string, settings: Readonly<Record<string, string>> = {}) {
    const env = { NATS_URL: nats.url, NATS_USER: user, NATS_PASSWORD: "right", ...settings };
    return runProbes(checksOf(new Env(env)).filter(({ subject }) => subject === "NATS"));
  }
  const wrong = (findings: readonly Finding[]) =>
    findings.filter(({ level }) => level !== "ok").map(({ level, subject, text }) => `${level} ${subject}: ${text}`);

  it("finds nothing wrong with the documented rights, and has no effect", async () => {
    const others = await connect({ servers: nats.url, user: "all", pass: "all" });
    stack.defer(() => others.close());
    const heard: string[] = [];
    others.subscribe(">", { callback: (_, { subject }) => heard.push(subject) });
    await others.flush();
    expect(wrong(await check(commitmentsChecks, "service"))).toEqual([]);
    expect(wrong(await check(gatewayChecks, "gateway"))).toEqual([]);
    await others.flush();
    expect(heard.filter((subject) => subject.startsWith("tidemark."))).toEqual([]);
    expect(heard.filter((subject) => /CREATE|UPDATE/.test(subject))).toEqual([]);
  });

  it("names each right that an account lacks", async () => {
    const operations = (findings: readonly Finding[]) => wrong(findings).map((line) => line.replace(/^.*may not /, ""));
    expect(operations(await check(gatewayChecks, "none"))).toEqual([
      "subscribe to tidemark.commitments.v1.sale.*.updated",
    ]);
    expect(operations(await check(commitmentsChecks, "none")).toSorted()).toEqual([
      "publish to $JS.API.STREAM.CREATE.TIDEMARK_COMMITMENTS",
      "publish to $JS.API.STREAM.INFO.TIDEMARK_COMMITMENTS",
      "publish to $JS.API.STREAM.UPDATE.TIDEMARK_COMMITMENTS",
      "publish to tidemark.commitments.v1.sale.00000000-0000-0000-0000-000000000000.updated",
      "publish to tidemark.signal.commitments.outbox",
      "subscribe to _INBOX.tidemark.>",
      "subscribe to tidemark.commitments.v1.sale.*.updated",
      "subscribe to tidemark.signal.commitments.outbox",
    ]);
  });

  it("names wrong credentials and a server that isn't there", async () => {
    const port = await freePort();
    expect(wrong(await check(gatewayChecks, "gateway", { NATS_PASSWORD: "wrong-password" }))).toEqual([
      "failed NATS: the server refuses the credentials: check NATS_USER and NATS_PASSWORD",
    ]);
    expect(wrong(await check(gatewayChecks, "gateway", { NATS_URL: `nats://127.0.0.1:${port}` }))).toEqual([
      expect.stringMatching(/^failed NATS: .*(ECONNREFUSED|refused)/),
    ]);
  });

  it("names a stream with other limits, and one that doesn't keep the subjects", async () => {
    const connection = await connect({ servers: nats.url, user: "all", pass: "all" });
    stack.defer(() => connection.close());
    const manager = await connection.jetstreamManager();
    const { name, subjects } = COMMITMENTS_STREAM;
    const limits = { storage: StorageType.File, max_bytes: 2 ** 24, max_age: nanos(3_600_000), num_replicas: 1 };
    await manager.streams.add({ name, subjects: [...subjects], ...limits });
    const settings = { NATS_STREAM_MAX_BYTES: "16MiB", NATS_STREAM_MAX_AGE: "1h" };
    expect(wrong(await check(commitmentsChecks, "service", settings))).toEqual([]);
    expect(wrong(await check(commitmentsChecks, "service", { ...settings, NATS_STREAM_MAX_AGE: "2h" }))).toEqual([
      expect.stringContaining("NATS_STREAM_MAX_AGE is 7200000, the stream has 3600000"),
    ]);
    await manager.streams.update(name, { subjects: ["other.>"] });
    expect(wrong(await check(commitmentsChecks, "service", settings))).toEqual([
      expect.stringMatching(/^failed NATS stream: .* doesn't keep tidemark\.commitments\.v1\.>/),
    ]);
  });
});
