import { randomUUID } from "node:crypto";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { PREVIOUS_SECRET_MS } from "../base/domain/lifetimes.ts";
import { requireNotWithdrawn } from "../base/domain/sale-transitions.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import {
  deleteEndpoint as deleteStored,
  disableEndpoint,
  enableEndpoint,
  insertEndpoint,
  readEndpoint,
  readEndpoints,
  replaceSecret,
} from "./endpoint-rows.ts";
import { lockWebhookSale } from "./lock-webhook-sale-store.ts";
import { requireRoom, type WebhookEndpoint } from "./webhook-endpoint.ts";
import { newSecret, secretText } from "./webhook-secret.ts";
import type { Webhooks } from "./webhooks.ts";

/** Names an endpoint, and the sale that it must be of. */
export interface EndpointKey {
  readonly saleUuid: string;
  readonly endpointUuid: string;
}

/** Records a change of an endpoint before it is made; it refuses by throwing. */
export type RecordChange = (endpoint: WebhookEndpoint) => Promise<void>;

type Store = Pick<CommitmentsStore, "database">;

/** Enables or disables an endpoint. @throws ServiceError `not_found`, and whatever `record` throws */
export async function setEndpointEnabled(
  { database }: Store,
  key: EndpointKey,
  enabled: boolean,
  record: RecordChange,
): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint({ database }, key);
  if (enabled === (endpoint.disabled === undefined)) return endpoint;
  await record(endpoint);
  const atMillis = await database.nowMillis();
  await database.write(async (transaction) => {
    if (enabled) await enableEndpoint(transaction, endpoint.uuid);
    else await disableEndpoint(transaction, endpoint.uuid, { atMillis, why: "member" });
  });
  return findEndpoint({ database }, key);
}

/** Deletes an endpoint. @throws ServiceError `not_found`, and whatever `record` throws */
export async function deleteEndpoint({ database }: Store, key: EndpointKey, record: RecordChange): Promise<void> {
  const endpoint = await findAndRecord({ database }, key, record);
  await database.write((transaction) => deleteStored(transaction, endpoint));
}

/** Gives an endpoint another secret. @throws ServiceError `not_found`, and whatever `record` throws */
export async function rotateSecret(
  { database }: Store,
  { secrets }: Pick<Webhooks, "secrets">,
  key: EndpointKey,
  record: RecordChange,
): Promise<EndpointWithSecret> {
  const { uuid } = await findAndRecord({ database }, key, record);
  const secret = newSecret();
  const wrapped = secrets.wrap(uuid, secret);
  const untilMillis = (await database.nowMillis()) + PREVIOUS_SECRET_MS;
  await database.write((transaction) => replaceSecret(transaction, uuid, wrapped, untilMillis));
  return { endpoint: await findEndpoint({ database }, key), secret: secretText(secret) };
}

async function findAndRecord(store: Store, key: EndpointKey, record: RecordChange): Promise<WebhookEndpoint> {
  const endpoint = await findEndpoint(store, key);
  await record(endpoint);
  return endpoint;
}

/** @throws ServiceError `not_found` */
function findEndpoint({ database }: Store, { saleUuid, endpointUuid }: EndpointKey): Promise<WebhookEndpoint> {
  return database.read((connection) => readEndpoint(connection, saleUuid, endpointUuid));
}

/** An endpoint with its new secret, which isn't shown again. */
export interface EndpointWithSecret {
  readonly endpoint: WebhookEndpoint;
  /** `whsec_` and base64. */
  readonly secret: string;
}

/**
 * Adds an endpoint to a sale.
 *
 * @param record called before the sale is locked, and only if the endpoint could be added; it refuses by throwing
 * @throws ServiceError `not_found`, `invalid_argument`, `already_exists`, `resource_exhausted`, `failed_precondition`, and whatever
 *   `record` throws
 */
export async function createEndpoint(
  { database }: Pick<CommitmentsStore, "database">,
  { secrets, urlProblem, wake }: Webhooks,
  { saleUuid, url }: { readonly saleUuid: string; readonly url: string },
  record: () => Promise<void>,
): Promise<EndpointWithSecret> {
  const problem = urlProblem(url);
  if (problem !== undefined) throw invalidArgument([{ field: "url", rule: "webhook.url", message: problem }]);
  await database.snapshot(async (transaction) => {
    requireNotWithdrawn((await readSaleWithState(transaction, saleUuid)).state);
    requireRoom(await readEndpoints(transaction, saleUuid), url);
  });
  await record();
  const uuid = randomUUID();
  const secret = newSecret();
  const endpoint: WebhookEndpoint = { uuid, saleUuid, url, createdAtMillis: await database.nowMillis() };
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockWebhookSale(database, transaction, saleUuid);
    const endpoints = await readEndpoints(transaction, saleUuid);
    // The transaction runs again if the answer of its commit was lost.
    if (endpoints.some((stored) => stored.uuid === uuid)) return;
    requireRoom(endpoints, url);
    await insertEndpoint(transaction, endpoint, secrets.wrap(uuid, secret));
  });
  // The first endpoint of all may be looked for rarely.
  wake();
  return { endpoint, secret: secretText(secret) };
}
