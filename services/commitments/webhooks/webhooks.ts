import type { HandlerContext } from "@connectrpc/connect";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { type Principal, principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import type { ChangingContext } from "../changing/commitments-store.ts";
import type { EndpointSecrets } from "./wrapped-secrets-store.ts";

/** The parts of the delivery to webhooks that changes of webhooks need. */
export interface Webhooks {
  readonly secrets: EndpointSecrets;
  /** Says why a URL can't be an endpoint, as a text for people; undefined if it can. */
  urlProblem(url: string): string | undefined;
  /** Has what is due attempted at once. */
  readonly wake: () => void;
}

/** The objects that handlers of webhooks use. */
export interface WebhooksContext extends ChangingContext {
  /** Undefined where this deployment has no webhooks. */
  readonly webhooks: Webhooks | undefined;
}

/** A permitted call about the webhooks of a sale. */
export interface WebhookCall {
  readonly principal: Principal;
  readonly saleUuid: string;
  readonly webhooks: Webhooks;
}

/** @throws ServiceError `failed_precondition` without `KEY_ENCRYPTION_KEY`; for a person who isn't an editor of the sale as the authority refuses */
export async function webhookCall(
  { authority, webhooks }: Pick<WebhooksContext, "authority" | "webhooks">,
  request: { readonly saleUuid: string },
  context: HandlerContext,
): Promise<WebhookCall> {
  const principal = principalOf(context);
  const saleUuid = request.saleUuid.toLowerCase();
  await authority.requireRole(principal, saleUuid, "editor");
  if (webhooks !== undefined) return { principal, saleUuid, webhooks };
  throw new ServiceError("failed_precondition", "the commitments service has no KEY_ENCRYPTION_KEY for webhooks");
}
