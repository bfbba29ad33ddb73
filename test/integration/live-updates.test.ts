import { fromBinary } from "@bufbuild/protobuf";
import { connect } from "nats";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { type SaleUpdated, SaleUpdatedSchema } from "../../proto/gen/tidemark/commitments/v1/sale_updated_pb.ts";
import { databases } from "../support/databases/databases.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../support/processes/commitments-process.ts";
import { type GatewayProcess, startGatewayProcess } from "../support/processes/gateway-process.ts";
import { type Nats, startNats } from "../support/processes/nats.ts";
import { SOON } from "../support/repository/polling.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";

const STREAM = "TIDEMARK_COMMITMENTS";

const { unavailable } = inject("mariaDb");
const title = `live updates over NATS, with processes on MariaDB${unavailable === undefined ? "" : ` (${unavailable})`}`;

describe.skipIf(unavailable !== undefined)(title, () => {
  const [operator, gatewayKey] = [generateCallerKey(), generateCallerKey()];
  let nats: Nats;
  let services: CommitmentsProcess[] = [];
  let gateway: GatewayProcess;
  let saleUuid: string;
  let lastRevision = 1n;
  let rows = 0;
  let env: Readonly<Record<string, string>>;

  const start = () => startCommitmentsProcess(env, { key: operator, otherCallers: { gateway: gatewayKey.text } });

  beforeAll(async () => {
    nats = await startNats();
    const database = await databases()
      .find(({ name }) => name === "mariadb")
      ?.create();
    if (database?.dialect !== "mysql") throw new Error("MariaDB is there");
    env = { MYSQL_URL: database.url, NATS_URL: nats.url, NATS_STREAM_MAX_BYTES: "64MiB" };
    services = [await start(), await start()];
    // So long that only an event explains a newer body.
    gateway = await startGatewayProcess({
      COMMITMENTS_URL: services[0]?.url ?? "",
      CALLER_NAME: "gateway",
      CALLER_KEY: gatewayKey.text,
      NATS_URL: nats.url,
      CACHE_MAX_STALE: "60s",
    });
    saleUuid = await openedSale(service(0));
    lastRevision = 2n;
  });
  afterAll(async () => {
    await Promise.all([gateway?.process.kill(), ...services.map(({ process }) => process.kill())]);
    await nats?.stop();
  });

  function service(index: number): CommitmentsProcess {
    const found = services[index];
    if (found === undefined) throw new Error(`there is no service ${index}`);
    return found;
  }

  /** Adds a commitment of 1,000. */
  async function bid(index: number): Promise<void> {
    rows++;
    lastRevision = (await apply(service(index), saleUuid, { upserts: [record(rows)] })).revision;
  }

  async function events(): Promise<SaleUpdated[]> {
    const connection = await connect({ servers: nats.url });
    try {
      const manager = await connection.jetstreamManager();
      const { state } = await manager.streams.info(STREAM);
      const found: SaleUpdated[] = [];
      for (let seq = state.first_seq; state.messages > 0 && seq <= state.last_seq; seq++) {
        found.push(fromBinary(SaleUpdatedSchema, (await manager.streams.getMessage(STREAM, { seq })).data));
      }
      return found;
    } finally {
      await connection.close();
    }
  }

  /** Waits until the stream has the last revision; the revisions, in order and without repeats. */
  async function settled(): Promise<bigint[]> {
    const revisions = async () => [...new Set((await events()).map(({ revision }) => revision))];
    await expect.poll(async () => (await revisions()).at(-1), SOON).toBe(lastRevision);
    return revisions();
  }

  const allRevisions = () => Array.from({ length: Number(lastRevision) - 1 }, (_, index) => BigInt(index) + 2n);

  async function shownTotal(): Promise<string> {
    const body = await (await gateway.get(saleUuid)).json();
    return body.TotalCommitmentAmount;
  }

  it("carries every revision, whichever process commits it, and shows it at the gateway", async () => {
    expect(await shownTotal()).toBe("0");
    for (let round = 0; round < 10; round++) await bid(round % 2);
    expect(await settled()).toEqual(allRevisions());
    await expect.poll(shownTotal, SOON).toBe("10000");
  });

  it("goes on after either process is killed", async () => {
    for (const killed of [0, 1]) {
      await service(killed).process.kill();
      await bid(1 - killed);
      expect(await settled()).toEqual(allRevisions());
      services[killed] = await start();
      await bid(killed);
      expect(await settled()).toEqual(allRevisions());
    }
  });

  it("goes on after either process hangs, which then does no harm", async () => {
    for (const paused of [0, 1]) {
      service(paused).process.signal("SIGSTOP");
      await bid(1 - paused);
      expect(await settled()).toEqual(allRevisions());
      service(paused).process.signal("SIGCONT");
      await bid(paused);
      expect(await settled()).toEqual(allRevisions());
    }
  });

  it("keeps what is committed while NATS is away", async () => {
    await nats.kill();
    for (let round = 0; round < 3; round++) await bid(round % 2);
    await nats.restart();
    expect(await settled()).toEqual(allRevisions());
  });

  it("fills a stream that was deleted from the outbox", async () => {
    const connection = await connect({ servers: nats.url });
    await (await connection.jetstreamManager()).streams.delete(STREAM);
    await connection.close();
    await expect.poll(() => events().catch(() => []), SOON).not.toEqual([]);
    await bid(0);
    expect(await settled()).toEqual(allRevisions());
  });
});
