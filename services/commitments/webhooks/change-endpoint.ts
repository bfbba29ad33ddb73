import type { CommitmentsStore } from "../changing/commitments-store.ts";
import type { EndpointWithSecret } from "./create-endpoint.ts";
import {
  deleteEndpoint as deleteStored,
  disableEndpoint,
  enableEndpoint,
  readEndpoint,
  replaceSecret,
} from "./endpoint-rows.ts";
import { PREVIOUS_SECRET_MS, type WebhookEndpoint } from "./webhook-endpoint.ts";
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
