import { randomUUID } from "node:crypto";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { requireNotWithdrawn } from "../base/domain/sale-transitions.ts";
import { readSaleWithState } from "../base/read-sale.ts";
import type { CommitmentsStore } from "../changing/commitments-store.ts";
import { insertEndpoint, readEndpoints } from "./endpoint-rows.ts";
import { lockWebhookSale } from "./lock-webhook-sale-store.ts";
import { requireRoom, type WebhookEndpoint } from "./webhook-endpoint.ts";
import { newSecret, secretText } from "./webhook-secret.ts";
import type { Webhooks } from "./webhooks.ts";

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
  { secrets, urlProblem }: Webhooks,
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
  return { endpoint, secret: secretText(secret) };
}
