import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { auction, type DefinitionInit, evmSource } from "../../test/support/sales/sale-messages.ts";
import { type FullGateway, startFullGateway } from "./auth-gateway.ts";
import { SALE } from "./fake-commitments.ts";
import { PageBrowser } from "./page-browser.ts";

/** An auction on an EVM chain, paid in USDC, with prices in steps of 0.01 USDC. */
export function harbourAuction(change: DefinitionInit = {}): DefinitionInit {
  return auction({
    name: "Harbour Token",
    paymentTokens: [{ address: `0x${"a1".repeat(20)}`, decimals: 6, usdStablecoin: true, symbol: "USDC" }],
    priceTick: { numerator: "1", denominator: "100000000000000" },
    source: evmSource(),
    ...change,
  });
}

/** A gateway with the founder's pages, the draft `SALE` of `USER`, and the services behind it in the same process. */
export class FounderSite {
  readonly gateway: FullGateway;

  private constructor(gateway: FullGateway) {
    this.gateway = gateway;
  }

  static async start(definition: DefinitionInit = harbourAuction()): Promise<FounderSite> {
    const site = new FounderSite(await startFullGateway());
    const { sales } = site.gateway.sales.as("operator");
    await sales.createSale({ saleUuid: SALE, tenancy: Tenancy.TEST, definition });
    await site.gateway.auth.signIn();
    const { memberships } = site.gateway.auth.as("operator");
    await memberships.setMember({ saleUuid: SALE, email: USER, role: Role.OWNER });
    return site;
  }

  /** Returns the browser of the owner, who signed in by a passkey. */
  async browser(): Promise<PageBrowser> {
    const browser = new PageBrowser(this.gateway.origin);
    browser.cookies.set("tidemark-session", await this.gateway.auth.signIn({ by: "passkey" }));
    return browser;
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
  }
}
