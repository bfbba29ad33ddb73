import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { generateCallerKey } from "../../../common/platform/rpc/identity/caller-keys.ts";
import { openStore } from "../../../services/commitments/open-store.ts";
import { type CommitmentsProcess, startCommitmentsProcess } from "../../support/processes/commitments-process.ts";
import { type TemporaryFolder, temporaryFolder } from "../../support/processes/temporary-folder.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../support/processes/webhook-receiver.ts";
import { SOON } from "../../support/repository/polling.ts";
import { draftSale } from "../../support/sales/sale-messages.ts";

const key = generateCallerKey();
let folder: TemporaryFolder;
let receiver: WebhookReceiver;
let service: CommitmentsProcess;

beforeAll(async () => {
  [folder, receiver] = await Promise.all([temporaryFolder(), startWebhookReceiver()]);
  service = await start();
});
afterAll(async () => {
  await service?.process.kill("SIGTERM");
  receiver?.stop();
  await folder?.remove();
});

function start(): Promise<CommitmentsProcess> {
  const KEY_ENCRYPTION_KEY = Buffer.alloc(32, 4).toString("base64url");
  return startCommitmentsProcess({ DATA_DIR: folder.path, KEY_ENCRYPTION_KEY, OUTBOUND_LOOPBACK: "on" }, { key });
}

/** Kills the process, and starts another one, which needn't wait for the lease of the dead one to end. */
async function killAndStart(): Promise<void> {
  await service.process.kill("SIGKILL");
  const database = await openStore({ sqliteFile: join(folder.path, "commitments.sqlite") });
  await database.query.updateTable("webhook_lease").set({ until_ms: 0n }).execute();
  await database.close();
  service = await start();
}

async function hookedDraft(): Promise<string> {
  const saleUuid = await draftSale(service);
  await service.webhooks.createWebhookEndpoint({ saleUuid, url: receiver.url });
  return saleUuid;
}

it("a process that is killed between commit and send, or between send and answer, loses no event", async () => {
  // No answer ever: the process dies while it waits for one.
  receiver.answer = () => {};
  const first = await hookedDraft();
  await service.sales.openSale({ saleUuid: first });
  await expect.poll(() => receiver.received.length, SOON).toBe(1);
  receiver.answer = (response) => response.writeHead(204).end();
  await killAndStart();
  await expect.poll(() => receiver.received.length, SOON).toBe(2);
  expect(receiver.received[1]).toMatchObject({ id: receiver.received[0]?.id, body: receiver.received[0]?.body });

  const second = await hookedDraft();
  await service.sales.openSale({ saleUuid: second });
  await killAndStart();
  const ofSecond = () => receiver.received.filter(({ event }) => event.data["SaleUUID"] === second);
  await expect.poll(() => ofSecond().length, SOON).toBeGreaterThanOrEqual(1);
  expect(new Set(ofSecond().map(({ id }) => id)).size).toBe(1);
});
