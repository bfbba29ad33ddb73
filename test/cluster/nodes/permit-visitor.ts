import { randomUUID } from "node:crypto";
import type { Address, Hex } from "viem";
import type { SignedPermit } from "../../../client/index.ts";
import { UserCalls } from "../../../client/index.ts";
import { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import { sampleClient } from "../../../services/auth/testing/sample-application.ts";
import { REDIRECT_URI } from "../../support/applications/fit-client.ts";
import { answerOf, CONSENT, tokensIn, WebApplication } from "../../support/applications/web-application.ts";
import { fund, outcome } from "../../support/chains/permit-sale.ts";
import { changeByPage, createByPage } from "../../support/pages/entity-forms.ts";
import { untilDefined } from "../../support/repository/polling.ts";
import { type DistributedRelease, PUBLIC_HOST } from "./distributed-release.ts";
import { HostFront } from "./host-front.ts";
import type { OperatorClients } from "./operator-clients.ts";
import type { PodSale } from "./pod-sale.ts";

/** A person at the pages of a release, behind a proxy as an ingress controller is, and at the application of a sale. */
export class PermitVisitor {
  readonly email = `${randomUUID()}@example.com`;
  readonly #release: DistributedRelease;
  readonly #sale: PodSale;
  readonly #front: HostFront;
  readonly #browser: PageBrowser;
  #entityUuid = "";

  private constructor(release: DistributedRelease, sale: PodSale, front: HostFront) {
    this.#release = release;
    this.#sale = sale;
    this.#front = front;
    this.#browser = new PageBrowser(front.origin);
  }

  /** @param front what leads to the pages, by default a stand-in for an ingress controller; it stops with the visitor */
  static async start(release: DistributedRelease, sale: PodSale, front?: HostFront): Promise<PermitVisitor> {
    const used = front ?? (await HostFront.start(await release.gatewayUrl(), PUBLIC_HOST));
    return new PermitVisitor(release, sale, used);
  }

  /** Signs in by the code of a mail. @throws Error if that doesn't lead to the account */
  async signIn(): Promise<void> {
    const asked = await this.#browser.open("/account");
    const sent = await this.#browser.send(asked, { action: "/sign-in", fields: { email: this.email } });
    const code = codeIn(await this.#mailedText());
    const { path, html } = await this.#browser.send(sent, { action: "/sign-in/code", fields: { code } });
    if (path !== "/account") throw new Error(`the sign-in ended at ${path}: ${html}`);
  }

  /** Adds the person as an entity, and has the operator approve it. */
  async passReview({ entities }: OperatorClients): Promise<void> {
    const entityUuid = await createByPage(this.#browser, "person", "Alice");
    await changeByPage(this.#browser, entityUuid, "begin", { country: "Germany" });
    const { entity } = await entities.getEntity({ entityUuid });
    const value = { reference: randomUUID(), country: "DE" };
    const expectedVersion = entity?.version ?? 0n;
    await entities.decideReview({ entityUuid, expectedVersion, decision: { case: "approval", value } });
    this.#entityUuid = entityUuid;
  }

  /** Lets the application know the entity. @returns the application's access token */
  async grant(): Promise<string> {
    const sample = sampleClient();
    const definition = { ...sample.definition, redirectUris: [REDIRECT_URI] };
    const application = new WebApplication(this.#front.origin, { ...sample, uuid: this.#sale.clientUuid, definition });
    const consent = await application.authorize(this.#browser);
    const fields = { decision: "allow", entity: this.#entityUuid };
    const code = answerOf(await this.#browser.send(consent, { action: CONSENT, fields })).get("code");
    return tokensIn(await application.exchange(code ?? "")).accessToken;
  }

  /** The permit that the application gets for a wallet of the chain. */
  async permit(accessToken: string): Promise<SignedPermit> {
    const calls = new UserCalls({ url: this.#front.origin }, accessToken);
    const { EntityID } = await calls.myProfile();
    const PurchasingWalletAddress = await this.#wallet();
    return calls.generatePurchasePermit({ SaleUUID: this.#sale.uuid, EntityID, PurchasingWalletAddress });
  }

  /** The contract's answer to a bid with the permit: `accepted`, or its error. */
  async bidOutcome({ PermitJSON, Signature }: SignedPermit): Promise<readonly unknown[]> {
    const { chain } = this.#release.outside;
    const { contract, token } = this.#sale;
    const wallet = await this.#wallet();
    await fund(chain, wallet, token, contract);
    const permit = {
      saleSpecificEntityID: PermitJSON.SaleSpecificEntityID as Hex,
      saleUUID: PermitJSON.SaleUUID as Hex,
      wallet,
      expiresAt: BigInt(PermitJSON.ExpiresAt),
      minAmount: BigInt(PermitJSON.MinAmount),
      maxAmount: BigInt(PermitJSON.MaxAmount),
      minPrice: BigInt(PermitJSON.MinPrice),
      maxPrice: BigInt(PermitJSON.MaxPrice),
      opensAt: BigInt(PermitJSON.OpensAt),
      closesAt: BigInt(PermitJSON.ClosesAt),
      payload: PermitJSON.Payload as Hex,
    };
    const bid = { lockup: false, price: permit.minPrice > 20n ? permit.minPrice : 20n, amount: permit.minAmount };
    return outcome(chain, contract, { token, permit, signature: Signature as Hex, bid }, wallet);
  }

  stop(): Promise<void> {
    return this.#front.stop();
  }

  async #wallet(): Promise<Address> {
    const [, wallet] = await this.#release.outside.chain.client.getAddresses();
    if (wallet === undefined) throw new Error("the chain has no second account");
    return wallet;
  }

  async #mailedText(): Promise<string> {
    const { mails } = this.#release.outside.mail;
    const own = () => mails.find(({ recipients }) => recipients.includes(this.email));
    return (await untilDefined(async () => own())).message.text ?? "";
  }
}
