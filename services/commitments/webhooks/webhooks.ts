import type { ChangingContext } from "../changing/commitments-store.ts";
import type { EndpointSecrets } from "./endpoint-secrets-store.ts";

/** The parts of the delivery to webhooks that changes of webhooks need. */
export interface Webhooks {
  readonly secrets: EndpointSecrets;
  /** Says why a URL can't be an endpoint, as a text for people; undefined if it can. */
  urlProblem(url: string): string | undefined;
  /** Has what is due attempted at once. */
  wake(): void;
}

/** The objects that handlers of webhooks use. */
export interface WebhooksContext extends ChangingContext {
  /** Undefined where this deployment has no webhooks. */
  readonly webhooks: Webhooks | undefined;
}
