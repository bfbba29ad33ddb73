import { SaleStage, Tenancy } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { EntityType } from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { sampleDefinition } from "../../services/auth/testing/sample-application.ts";
import { ensureSaleEntity } from "../../services/entities/entities/sale-entities-store.ts";
import { rulesMessage } from "../../services/entities/rules/rules-message.ts";
import { GROUP_UUID, sampleGroup, sampleRules } from "../../services/entities/testing/sample-rules.ts";
import { USER } from "../../test/support/processes/auth-in-process.ts";
import { applyUnderLease, auctionPricing } from "../../test/support/sales/sale-messages.ts";
import { type FullGateway, harbourPortal, startFullGateway } from "./auth-gateway.ts";
import { SALE } from "./fake-commitments.ts";
import { harbourAuction } from "./founder-site.ts";
import { addEntity } from "./own-entities.ts";

export const ENTITY_UUID = "7c1e3f4a-52d0-4b8e-9a61-2f0c5d7e8b93";
export const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
/** The ID of the entity in the contract. */
export const SALE_SPECIFIC_ID = "1234567890abcdef1234567890abcdef";

const GROUP = sampleGroup({
  opensAt: 1_704_060_000n,
  minAmount: 1_000_000_000n,
  maxAmount: 15_000_000_000n,
  minPriceTicks: 5n,
  maxPriceTicks: 100n,
});

/** A gateway whose user has an entity that may take part in `SALE`, and has given an application access to it. */
export class PublicCallsSite {
  readonly gateway: FullGateway;
  /** Has all scopes. */
  readonly accessToken: string;

  private constructor(gateway: FullGateway, accessToken: string) {
    this.gateway = gateway;
    this.accessToken = accessToken;
  }

  /** @param variables as for `startFullGateway` */
  static async start(variables: Readonly<Record<string, string>> = {}): Promise<PublicCallsSite> {
    const gateway = await startFullGateway(variables);
    const definition = harbourAuction({ pricing: auctionPricing({ floorTicks: "5" }) });
    const operator = gateway.sales.as("operator");
    await operator.sales.createSale({ saleUuid: SALE, tenancy: Tenancy.TEST, definition });
    const application = await harbourPortal(gateway.auth);
    await operator.sales.openSale({ saleUuid: SALE, overrideConfirmName: definition.name ?? "" });
    await applyUnderLease(operator, SALE, { stage: SaleStage.COMMITMENT });
    await takePart(gateway);
    const { accessToken } = await application.tokens(await gateway.auth.signIn());
    const site = new PublicCallsSite(gateway, accessToken);
    await site.#bindWallet();
    return site;
  }

  /** Lets calls pass again as they come. */
  reset(): void {
    this.gateway.auth.faults.reset();
    this.gateway.entities.faults.reset();
  }

  /** Returns a token of another application of the sale, which gets these scopes only. */
  async tokenFor(scopes: readonly string[]): Promise<string> {
    const definition = sampleDefinition({ scopes: scopes.map((scope) => ({ scope, required: true })) });
    const application = await this.gateway.auth.application({ uuid: crypto.randomUUID(), saleUuid: SALE, definition });
    return (await application.tokens(await this.gateway.auth.signIn())).accessToken;
  }

  /** Has a permit issued, since limits are those of a wallet that has one. */
  async #bindWallet(): Promise<void> {
    const access = { accessToken: this.accessToken };
    const request = { access, saleUuid: SALE, entityUuid: ENTITY_UUID, wallet: WALLET };
    await this.gateway.entities.as("gateway").permits.issuePermit(request);
  }

  stop(): Promise<void> {
    return this.gateway.stop();
  }
}

/** Sets the rules and the key of the sale, and the entity of the user. */
async function takePart(gateway: FullGateway): Promise<void> {
  const { entities } = gateway;
  const { permits, eligibility, entities: operator } = entities.as("operator");
  const { key } = await permits.createKey({ saleUuid: SALE });
  await permits.activateKey({ saleUuid: SALE, keyUuid: key?.keyUuid ?? "", override: true });
  const { defaultGroupUuid, ...rules } = sampleRules({ groups: [GROUP] });
  await eligibility.updateRules({ saleUuid: SALE, rules: rulesMessage(rules) });
  const member = { groupUuid: GROUP_UUID, key: { case: "email", value: USER } } as const;
  await eligibility.importMembers({ saleUuid: SALE, members: [member] });
  const saleSpecificEntityId = Uint8Array.from(Buffer.from(SALE_SPECIFIC_ID, "hex"));
  const row = { email: USER, type: EntityType.PERSON, entityUuid: ENTITY_UUID, saleSpecificEntityId };
  await operator.importEntityIds({ saleUuid: SALE, rows: [row] });
  const checked = { setupState: "complete", provider: "review", country: "DE" } as const;
  const entity = await addEntity(gateway, { label: "Alice", ...checked });
  await ensureSaleEntity(entities.context, SALE, entity, USER);
}
