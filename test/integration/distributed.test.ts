import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { sql } from "kysely";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import type { CommitmentsDatabase } from "../../services/commitments/base/schema.ts";
import { openStore } from "../../services/commitments/open-store.ts";
import { storeConfig } from "../support/databases/commitments-database.ts";
import { databases } from "../support/databases/databases.ts";
import { lockSale } from "../support/databases/lock-sale.ts";
import { beginPost } from "../support/processes/begun-post.ts";
import { Distributed } from "../support/processes/distributed.ts";
import type { GatewayProcess } from "../support/processes/gateway-process.ts";
import type { RestartableCommitments } from "../support/processes/restartable-commitments.ts";
import { SOON } from "../support/repository/polling.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";

const mariaDb = databases().find(({ name }) => name === "mariadb");

describe.skipIf(inject("mariaDb").unavailable !== undefined)("two services and two gateways on mariadb", () => {
  let database: CommitmentsDatabase;
  let distributed: Distributed;
  let services: [RestartableCommitments, RestartableCommitments];
  let gateways: [GatewayProcess, GatewayProcess];
  let saleUuid: string;

  beforeAll(async () => {
    const created = await mariaDb?.create();
    if (created?.dialect !== "mysql") throw new Error("there is no MariaDB");
    database = await openStore(storeConfig(created));
    distributed = new Distributed(created.url);
    services = [await distributed.startCommitmentsWithFiles(), await distributed.startCommitments()];
    const [first, second] = services;
    gateways = [await distributed.startGatewayWithFiles(first), await distributed.startGateway(second)];
  });
  afterAll(async () => {
    await distributed?.stop();
    await database?.close();
  });
  beforeEach(async () => {
    saleUuid = await openedSale(services[0]);
  });

  /** The number of commitments that a gateway shows. */
  async function countShown(gateway: GatewayProcess): Promise<number> {
    const answer = await gateway.read(saleUuid);
    return answer.ok ? (await answer.json()).UniqueCommitmentCount : Number.NaN;
  }

  it("show what was applied through either service, and both the same", async () => {
    for (const [index, service] of [...services, ...services].entries()) {
      await apply(service, saleUuid, { upserts: [record(index)] });
      for (const gateway of gateways) await expect.poll(() => countShown(gateway), SOON).toBe(index + 1);
      const [first, second] = await Promise.all(gateways.map(async (gateway) => (await gateway.read(saleUuid)).text()));
      expect(first).toBe(second);
    }
  });

  it("never show an older revision than before, while both services apply", async ({ signal }) => {
    const applies = 40;
    const revisions = gateways.map((gateway) => revisionsUntil(BigInt(applies) + 2n, gateway, saleUuid, signal));
    for (let index = 0; index < applies; index += 2) {
      await Promise.all(services.map((service, own) => apply(service, saleUuid, { upserts: [record(index + own)] })));
    }
    for (const shown of await Promise.all(revisions)) {
      expect(shown).toEqual(shown.toSorted((left, right) => Number(left - right)));
    }
  });

  it("go on with Age while a service is down, and are fresh again when it is back", async () => {
    const [first, second] = services;
    const gateway = gateways[1];
    await apply(first, saleUuid, { upserts: [record(1)] });
    await expect.poll(() => countShown(gateway), SOON).toBe(1);
    const before = await (await gateway.read(saleUuid)).text();

    await second.kill();
    await apply(first, saleUuid, { upserts: [record(2)] });
    await expect.poll(async () => (await gateway.read(saleUuid)).headers.get("age"), SOON).toMatch(/^\d+$/);
    const stale = await gateway.read(saleUuid);
    expect({ status: stale.status, body: await stale.text() }).toEqual({ status: 200, body: before });

    await second.restart();
    await expect.poll(() => countShown(gateway), SOON).toBe(2);
    await expect.poll(async () => (await gateway.read(saleUuid)).headers.has("age"), SOON).toBe(false);
  });

  it("answer 503 when the service has been down for CACHE_MAX_AGE", async () => {
    const service = services[1];
    const gateway = await distributed.startGateway(service, { CACHE_MAX_STALE: "250ms", CACHE_MAX_AGE: "1s" });
    expect((await gateway.read(saleUuid)).status).toBe(200);

    await service.kill();
    await expect.poll(async () => (await gateway.read(saleUuid)).status, SOON).toBe(503);
    const refused = await gateway.read(saleUuid);
    expect(refused.headers.get("retry-after")).toBe("1");
    expect(await refused.json()).toEqual({ code: "unavailable", message: expect.any(String), details: {} });

    await service.restart();
    await expect.poll(async () => (await gateway.read(saleUuid)).status, SOON).toBe(200);
  });

  it("a service answers the applies under way before SIGTERM ends it", async () => {
    const service = await distributed.startCommitments();
    const release = await lockSale(database, saleUuid);
    const applied = apply(service, saleUuid, { upserts: [record(1)] });
    await expect.poll(() => waitingTransactions(database), { ...SOON, interval: 250 }).toBe(1);
    const ended = service.kill("SIGTERM");
    await service.process.waitForLine(/"msg":"stopping"/);
    await release();
    expect(await applied).toMatchObject({ revision: 3n, repeatedRequest: false });
    expect(await ended).toEqual({ code: 0, signal: null });
  });

  it("a gateway answers the requests under way before SIGTERM ends it", async () => {
    const gateway = await distributed.startGateway(services[0]);
    const request = await beginPost(`${gateway.url}/svc/v1/public/read-commitment-data`);
    const ended = gateway.process.kill("SIGTERM");
    await gateway.process.waitForLine(/"msg":"stopping"/);
    request.end(JSON.stringify({ SaleUUID: saleUuid }));
    const answer: IncomingMessage = (await once(request, "response"))[0];
    expect(answer.statusCode).toBe(200);
    expect(JSON.parse(await text(answer))).toMatchObject({ UniqueCommitmentCount: 0 });
    expect(await ended).toEqual({ code: 0, signal: null });
  });
});

/** The revisions in a gateway's ETags, one read after another, until one is `last`. */
async function revisionsUntil(
  last: bigint,
  gateway: GatewayProcess,
  saleUuid: string,
  signal: AbortSignal,
): Promise<bigint[]> {
  const revisions: bigint[] = [];
  while (revisions.at(-1) !== last) {
    signal.throwIfAborted();
    const response = await gateway.get(saleUuid);
    if (!response.ok) {
      await response.arrayBuffer();
      continue;
    }
    const [, revision = ""] = /^W\/"[0-9a-f]{16}-(\d+)"$/.exec(response.headers.get("etag") ?? "") ?? [];
    await response.arrayBuffer();
    revisions.push(BigInt(revision));
  }
  return revisions;
}

/** Number of this database's transactions that wait for a lock. InnoDB refreshes the answer at most every 100 ms of quiet. */
async function waitingTransactions(database: CommitmentsDatabase): Promise<number> {
  const { rows } = await sql`
    select 1 from information_schema.innodb_trx
    join information_schema.processlist on id = trx_mysql_thread_id
    where db = database() and trx_state = 'LOCK WAIT'`.execute(database.query);
  return rows.length;
}
