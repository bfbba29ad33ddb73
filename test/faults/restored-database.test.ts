import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { generateCallerKey } from "../../common/platform/rpc/identity/caller-keys.ts";
import { applyEvent } from "../../gateway/testing/apply-event.ts";
import { StreamReader } from "../../gateway/testing/stream-reader.ts";
import { startMariaDb } from "../support/databases/mariadb.ts";
import { startGatewayProcess } from "../support/processes/gateway-process.ts";
import { operatingCommands } from "../support/processes/operating-commands.ts";
import { findProgram } from "../support/processes/program.ts";
import { RestartableCommitments } from "../support/processes/restartable-commitments.ts";
import { runShell } from "../support/processes/shell.ts";
import { temporaryFolder } from "../support/processes/temporary-folder.ts";
import { SOON } from "../support/repository/polling.ts";
import { apply, openedSale, record } from "../support/sales/sale-messages.ts";
import { commitmentsDatabase } from "./support/live-deployment.ts";

const [operator, gatewayKey] = [generateCallerKey(), generateCallerKey()];
/** Bids before the backup, and lost bids after it. */
const [KEPT, LOST] = [2, 3];
const isLong = process.env["TEST_LONG"] === "1";
const isMissing = findProgram("mariadbd") === undefined;

let stack: AsyncDisposableStack;
beforeEach(() => {
  stack = new AsyncDisposableStack();
});
afterEach(() => stack.disposeAsync());

/** A sale of which a backup has `KEPT` bids, shown with as many more by a gateway, to a stream and to a holder of an ETag. */
async function shownSale() {
  const mariaDb = stack.adopt(await startMariaDb(), (server) => server.stop());
  const { url: databaseUrl, database } = await commitmentsDatabase(stack, mariaDb);
  const env = { MYSQL_URL: databaseUrl, CALLER_KEYS: `operator=${operator.text},gateway=${gatewayKey.text}` };
  const service = await RestartableCommitments.start(env, { key: operator });
  stack.defer(async () => void (await service.kill()));
  const folder = stack.adopt(await temporaryFolder(), ({ remove }) => remove());
  const commands = operatingCommands({ folder: folder.path, ports: new Map([["3306", mariaDb.port]]) });
  const caller = { CALLER_NAME: "gateway", CALLER_KEY: gatewayKey.text };
  const gateway = await startGatewayProcess({ COMMITMENTS_URL: service.url, ...caller });
  stack.defer(async () => void (await gateway.process.kill()));
  const saleUuid = await openedSale(service);
  const bid = (number: number) => apply(service, saleUuid, { upserts: [record(number)] });
  const revision = async () => (await service.commitments.getCommitmentData({ saleUuid })).revision;
  const address = `${gateway.url}/svc/v1/public/sales/${saleUuid}/commitment-data`;
  const count = async () => (await (await gateway.get(saleUuid)).json()).UniqueCommitmentCount;

  for (let number = 1; number <= KEPT; number += 1) await bid(number);
  await runShell(
    commands.backUp.replace("--databases tidemark", `--databases ${new URL(databaseUrl).pathname.slice(1)}`),
  );
  for (let number = KEPT + 1; number <= KEPT + LOST; number += 1) await bid(number);
  await expect.poll(count, SOON).toBe(KEPT + LOST);
  const seen = { revision: await revision(), etag: (await gateway.get(saleUuid)).headers.get("etag") ?? "" };
  const stream = await StreamReader.open(`${address}/stream`);
  stack.defer(() => stream.close());
  const body = await stream.event();
  expect(applyEvent(undefined, body)).toMatchObject({ UniqueCommitmentCount: KEPT + LOST });
  const restore = () => runShell(commands.restore);
  await writeFile(join(folder.path, "operator.env"), `COMMITMENTS_URL=${service.url}\nCALLER_KEY=${operator.text}\n`);
  const renew = () => runShell(commands.renewGenerations);
  /** Waits for the end of leases in a dump that is only seconds old, as of processes that are still at work. */
  const leasesEnded = async () => {
    const leases = sql<{
      live: string;
    }>`select count(*) as live from outbox_relay where until_ms > ${database.dialect.nowMillis}`;
    await expect.poll(async () => Number((await leases.execute(database.query)).rows[0]?.live), SOON).toBe(0);
  };
  return {
    service,
    gateway,
    address,
    saleUuid,
    bid,
    revision,
    count,
    seen,
    stream,
    lastEventId: body.id ?? "",
    restore,
    leasesEnded,
    renew,
  };
}

/** IDs of the bids that a body lists, in order. */
function idsOf(body: unknown): readonly unknown[] {
  const { Commitments } = body as { readonly Commitments: readonly { readonly CommitmentID: string }[] };
  return Commitments.map(({ CommitmentID }) => CommitmentID).toSorted();
}

describe.skipIf(!isLong || isMissing)("a database that was restored (mariadbd)", () => {
  it("and has as many revisions as were seen shows no lost row as current, to readers, streams and holders of an ETag", async () => {
    const { service, gateway, address, saleUuid, bid, revision, seen, stream, lastEventId, restore, leasesEnded } =
      await shownSale();
    const lost = idsOf(await (await gateway.get(saleUuid)).json());
    await service.kill("SIGTERM");
    await restore();
    await leasesEnded();
    // Nothing that the gateway asks is answered before the last write.
    await gateway.process.signal("SIGSTOP");
    await service.restart();
    for (let number = 100; (await revision()) < seen.revision; number += 1) await bid(number);
    const written = await service.commitments.getCommitmentData({ saleUuid });
    const current = written.data?.commitments.map(
      ({ commitmentId }) => `0x${Buffer.from(commitmentId).toString("hex")}`,
    );
    await gateway.process.signal("SIGCONT");

    await expect
      .poll(async () => {
        const response = await gateway.get(saleUuid);
        return response.headers.has("age") ? "old" : idsOf(await response.json());
      }, SOON)
      .toEqual(current?.toSorted());
    expect(current).not.toEqual(lost);
    expect((await fetch(address, { headers: { "if-none-match": seen.etag } })).status).toBe(200);
    const event = await stream.event();
    expect([event.event, idsOf(applyEvent(undefined, event))]).toEqual(["body", current?.toSorted()]);
    const resumed = await StreamReader.open(`${address}/stream`, { "last-event-id": lastEventId });
    stack.defer(() => resumed.close());
    expect(idsOf(applyEvent(undefined, await resumed.event()))).toEqual(current?.toSorted());
  });

  it("is believed without a further step, though it has fewer revisions", async () => {
    const { service, bid, count, stream, restore, leasesEnded } = await shownSale();
    await service.kill("SIGTERM");
    await restore();
    await leasesEnded();
    await service.restart();
    await expect.poll(count, SOON).toBe(KEPT);
    expect(applyEvent(undefined, await stream.event())).toMatchObject({ UniqueCommitmentCount: KEPT });
    await bid(100);
    await expect.poll(count, SOON).toBe(KEPT + 1);
    expect((await stream.event()).event).toBe("difference");
  });

  it("under a process at work shows itself by the first change of a sale that this process had changed, or by hand", async () => {
    const { bid, count, stream, restore, renew } = await shownSale();
    await restore();
    await bid(100);
    await expect.poll(count, SOON).toBe(KEPT + 1);
    expect((await stream.event()).event).toBe("body");
    expect(await renew()).toBe("1 sale has a new generation\n");
    expect((await stream.event()).event).toBe("body");
  });
});
