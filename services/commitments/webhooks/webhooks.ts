import type { EndpointSecrets } from "./endpoint-secrets-store.ts";

/** The parts of the delivery to webhooks that changes of webhooks need. */
export interface Webhooks {
  readonly secrets: EndpointSecrets;
  /** Says why a URL can't be an endpoint, as a text for people; undefined if it can. */
  urlProblem(url: string): string | undefined;
  /** Has what is due attempted at once. */
  wake(): void;
}
