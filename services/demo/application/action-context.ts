import type { DemoSale } from "../sales/demo-sales.ts";
import type { Bidding } from "./bidding.ts";
import type { OAuthClient } from "./oauth-client.ts";
import type { SaleCalls } from "./sale-calls.ts";

/** The dependencies of the application's actions. */
export interface ActionContext {
  readonly client: OAuthClient;
  readonly sale: DemoSale;
  readonly calls: SaleCalls;
  readonly bidding: Bidding;
}
