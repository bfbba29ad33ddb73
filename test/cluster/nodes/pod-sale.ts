import { randomUUID } from "node:crypto";
import type { Address } from "viem";
import { SaleStage, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { sampleGroup } from "../../../services/entities/testing/sample-rules.ts";
import { createFitClient, REDIRECT_URI } from "../../support/applications/fit-client.ts";
import { contractUuid } from "../../support/chains/chain-sale.ts";
import { deployFreeToken, deployPermitSale, permitSaleCalls } from "../../support/chains/permit-sale.ts";
import { auctionCalls } from "../../support/chains/sale-contract.ts";
import { until } from "../../support/repository/polling.ts";
import { sampleRulesMessage } from "../../support/sales/participation-sales.ts";
import { auction, evmSource } from "../../support/sales/sale-messages.ts";
import type { OperatorClients } from "./operator-clients.ts";
import { CHAIN, type OutsideServers } from "./outside.ts";

const MAX_WALLETS = 30;

/** An open sale whose contract is on the chain beside the cluster. */
export class PodSale {
  readonly uuid: string;
  readonly contract: Address;
  readonly token: Address;
  /** `client_id` of its application, whose redirect URI is `REDIRECT_URI`. */
  readonly clientUuid: string;
  readonly #outside: OutsideServers;
  #bids = 0;

  private constructor(outside: OutsideServers, facts: Pick<PodSale, "uuid" | "contract" | "token" | "clientUuid">) {
    this.#outside = outside;
    this.uuid = facts.uuid;
    this.contract = facts.contract;
    this.token = facts.token;
    this.clientUuid = facts.clientUuid;
  }

  /** Sets a sale up by the operator's calls: contract, application, key of permits, rules for everybody; opens it, and waits for its figures. */
  static async open(clients: OperatorClients, outside: OutsideServers): Promise<PodSale> {
    const { chain } = outside;
    const uuid = randomUUID();
    const token = await deployFreeToken(chain);
    const tokens = [token];
    const contract = await deployPermitSale(chain, { saleUuid: contractUuid(uuid), tokens, maxWallets: MAX_WALLETS });
    await chain.send(auctionCalls.setStage(contract, 1));
    const definition = auction({
      source: evmSource({ chain: CHAIN.name, contract: contract.toLowerCase() }),
      paymentTokens: [{ address: token.toLowerCase(), decimals: 6, usdStablecoin: true }],
    });
    await clients.sales.createSale({ saleUuid: uuid, tenancy: Tenancy.TEST, definition });
    const clientUuid = await createFitClient(clients, uuid, { redirectUris: [REDIRECT_URI] });
    const sale = new PodSale(outside, { uuid, contract, token, clientUuid });
    await sale.#letTakePart(clients);
    await clients.sales.openSale({ saleUuid: uuid, overrideConfirmName: definition.name ?? "" });
    await until(async () => (await clients.sales.getSale({ saleUuid: uuid })).sale?.stage === SaleStage.COMMITMENT);
    return sale;
  }

  /** Path of its figures. */
  get path(): string {
    return `/svc/v1/public/sales/${this.uuid}/commitment-data`;
  }

  /** Has another entity bid at the contract. @returns the number of bids so far */
  async bid(): Promise<number> {
    this.#bids += 1;
    const entity = `0x${this.#bids.toString(16).padStart(32, "0")}` as const;
    const wallet = `0x${this.#bids.toString(16).padStart(40, "b")}` as const;
    const added = [{ wallet, token: this.token, amount: 1_000_000n }];
    await this.#outside.chain.send(
      auctionCalls.bid(this.contract, { entity, price: 20n, lockup: false, added, extraData: "0x" }),
    );
    return this.#bids;
  }

  async #letTakePart({ permits, eligibility }: OperatorClients): Promise<void> {
    const saleUuid = this.uuid;
    const { key } = await permits.createKey({ saleUuid });
    await this.#outside.chain.send(permitSaleCalls.grantSigner(this.contract, (key?.address ?? "") as Address));
    await permits.activateKey({ saleUuid, keyUuid: key?.keyUuid ?? "" });
    const { version } = await eligibility.getRules({ saleUuid });
    const rules = sampleRulesMessage({
      groups: [sampleGroup({ minAmount: 100n, maxAmount: 9_000_000n })],
      payload: "settlement",
    });
    const changed = { ...rules, wallets: { ...rules.wallets, maxWalletsPerEntity: MAX_WALLETS } } as never;
    await eligibility.updateRules({ saleUuid, rules: changed, expectedVersion: version });
  }
}
