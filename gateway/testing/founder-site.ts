import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { auction, type DefinitionInit, evmSource } from "../../test/support/sales/sale-messages.ts";
import { type FullGateway, startFullGateway } from "./auth-gateway.ts";
import { SALE } from "./fake-commitments.ts";
import { PageBrowser } from "./page-browser.ts";

const OLD_MS = 3_600_000;

export interface Visit {
  /** Whether they signed in long ago. */
  readonly isStale?: boolean;
  /** Who visits: the owner of the sale by default. */
  readonly email?: string;
}

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
    await site.#setRole(USER, Role.OWNER);
    return site;
  }

  /** Returns the browser of somebody who signed in by a passkey. */
  async browser(visit: Visit = {}): Promise<PageBrowser> {
    const browser = new PageBrowser(this.gateway.origin);
    browser.cookies.set("tidemark-session", await this.sessionToken(visit));
    return browser;
  }

  /** Starts a session that began by a passkey. @returns its token */
  sessionToken({ isStale = false, email = USER }: Visit = {}): Promise<string> {
    return this.gateway.auth.signIn({ email, ageMs: isStale ? OLD_MS : 0, by: "passkey" });
  }

  /** Returns the browser of another member of the sale. */
  async member(role: Role): Promise<PageBrowser> {
    const email = `member-${role}@example.org`;
    await this.#setRole(email, role);
    return this.browser({ email });
  }

  /** Opens the sale, whatever its contract says. */
  async open(): Promise<void> {
    const { sales } = this.gateway.sales.as("operator");
    const { sale } = await sales.getSale({ saleUuid: SALE });
    await sales.openSale({ saleUuid: SALE, overrideConfirmName: sale?.definition?.name ?? "" });
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
  }

  async #setRole(email: string, role: Role): Promise<void> {
    await this.gateway.auth.signIn({ email });
    await this.gateway.auth.as("operator").memberships.setMember({ saleUuid: SALE, email, role });
  }
}
