import { Role } from "../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import { type Sale, Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { auction, type DefinitionInit, evmSource } from "../../test/support/sales/sale-messages.ts";
import type { IndexerClient } from "../dashboard/base/dashboard-dependencies.ts";
import { type FullGateway, harbourPortal, startFullGateway } from "./auth-gateway.ts";
import { SALE } from "./fake-commitments.ts";
import { PageBrowser } from "./page-browser.ts";

const OLD_MS = 3_600_000;

/** How `USER` signed in: with a passkey, as reviewers need one, or with a code. */
type SignInKind = "just now" | "long ago" | "by a code";

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
  readonly #tokens: Readonly<Record<SignInKind, string>>;

  private constructor(gateway: FullGateway, tokens: Readonly<Record<SignInKind, string>>) {
    this.gateway = gateway;
    this.#tokens = tokens;
  }

  /**
   * @param settings of the gateway and of the entities service
   * @param indexer checks contracts; nobody does without it
   */
  static async start(
    definition: DefinitionInit = harbourAuction(),
    settings: Readonly<Record<string, string>> = {},
    indexer?: IndexerClient,
  ): Promise<FounderSite> {
    const gateway = await startFullGateway(settings, indexer);
    const { auth } = gateway;
    const site = new FounderSite(gateway, {
      "just now": await auth.signIn({ by: "passkey" }),
      "long ago": await auth.signIn({ by: "passkey", ageMs: OLD_MS }),
      "by a code": await auth.signIn(),
    });
    await site.addSale(SALE, definition);
    return site;
  }

  /** Creates a draft of `USER`. */
  async addSale(saleUuid: string, definition: DefinitionInit = harbourAuction()): Promise<void> {
    await this.#operator().createSale({ saleUuid, tenancy: Tenancy.TEST, definition });
    await this.setRole(Role.OWNER, { saleUuid });
  }

  /** Gives somebody a role in a sale. */
  async setRole(role: Role, { saleUuid = SALE, email = USER } = {}): Promise<void> {
    const { memberships } = this.gateway.auth.as("operator");
    // A sale is never without an owner.
    if (email === USER && role !== Role.OWNER) {
      await memberships.setMember({ saleUuid, email: "other-owner@example.org", role: Role.OWNER });
    }
    await memberships.setMember({ saleUuid, email, role });
  }

  /** Returns `SALE` as it is stored. */
  async sale(): Promise<Sale> {
    const { sale } = await this.#operator().getSale({ saleUuid: SALE });
    if (sale === undefined) throw new Error("there is no sale");
    return sale;
  }

  /** Gives `SALE` another definition, as an operator does. */
  async redefine(definition: DefinitionInit): Promise<void> {
    const { definition: before, definitionVersion: expectedDefinitionVersion } = await this.sale();
    const overrideConfirmName = before?.name ?? "";
    await this.#operator().updateSale({ saleUuid: SALE, definition, expectedDefinitionVersion, overrideConfirmName });
  }

  /** Opens `SALE`, which has the application `harbourPortal` then, whatever its contract says. */
  async open(): Promise<void> {
    await harbourPortal(this.gateway.auth);
    const { definition } = await this.sale();
    await this.#operator().openSale({ saleUuid: SALE, overrideConfirmName: definition?.name ?? "" });
  }

  /** Withdraws `SALE`. */
  async withdraw(): Promise<void> {
    const { definition } = await this.sale();
    await this.#operator().withdrawSale({ saleUuid: SALE, confirmName: definition?.name ?? "" });
  }

  /** Returns the browser of `USER`. */
  browser(kind: SignInKind = "just now"): PageBrowser {
    const browser = new PageBrowser(this.gateway.origin);
    browser.cookies.set("tidemark-session", this.sessionToken(kind));
    return browser;
  }

  /** The token of a session of `USER`. */
  sessionToken(kind: SignInKind = "just now"): string {
    return this.#tokens[kind];
  }

  async stop(): Promise<void> {
    await this.gateway.stop();
  }

  #operator() {
    return this.gateway.sales.as("operator").sales;
  }
}
