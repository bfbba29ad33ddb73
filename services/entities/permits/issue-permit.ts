import type { ApplicationGrant } from "../access/application-access.ts";
import { noEntity } from "../eligibility/visible-entity.ts";
import { SaleEntityIds } from "../permit-batches/sale-entity-ids.ts";
import { VisibleEntities } from "../permit-batches/visible-batch.ts";
import { isWallet, readWallet } from "../wallets/wallet.ts";
import type { PermitDependencies } from "./dependencies.ts";
import type { BatchedResult } from "./issue-batch.ts";
import { SinglePermitIssuer } from "./issue-single-permit.ts";
import { PermitBatches } from "./permit-batches.ts";
import type { PermitResult } from "./permit-result.ts";

/** A permit that an application asks for. */
export interface PermitRequest {
  readonly grant: ApplicationGrant;
  /** The ID by which the application knows the entity, in lower case. */
  readonly publicUuid: string;
  /** The text that the application sent. */
  readonly wallet: string;
}

/** Issues permits: together where the database alone decides about them, else each by itself. */
export class PermitIssuer {
  readonly #dependencies: PermitDependencies;
  readonly #entityIds: SaleEntityIds;
  /** Undefined where a remote signer may take its time to sign. */
  readonly #batches: PermitBatches | undefined;
  readonly #visibleEntities: VisibleEntities;
  readonly #single: SinglePermitIssuer;

  constructor(dependencies: PermitDependencies) {
    const { openKey } = dependencies.permitSigner;
    this.#dependencies = dependencies;
    this.#entityIds = new SaleEntityIds(dependencies);
    this.#batches = openKey && new PermitBatches({ ...dependencies, openKey });
    this.#visibleEntities = new VisibleEntities(dependencies);
    this.#single = new SinglePermitIssuer(dependencies);
  }

  /**
   * Issues a permit.
   *
   * @throws ServiceError `not_found` if the application sees no such entity; `invalid_argument` for a malformed wallet;
   *   `unavailable`
   */
  async issue(request: PermitRequest): Promise<PermitResult> {
    const result = await this.#issueTogether(request);
    if (result === "unseen") throw noEntity(request.publicUuid);
    if (result !== "alone") return result;
    const { grant, publicUuid, wallet } = request;
    return this.#single.issue({ ...(await this.#visibleEntities.require(grant, publicUuid)), grant, wallet });
  }

  async #issueTogether({ grant, publicUuid, wallet: text }: PermitRequest): Promise<BatchedResult> {
    if (this.#batches === undefined) return "alone";
    const entity = await this.#entityIds.find(grant.saleUuid, publicUuid);
    if (entity === undefined) return "unseen";
    const { sale } = await this.#dependencies.recentSales.read(grant.saleUuid);
    const wallet = sale.kind && readWallet(sale.kind, text);
    if (wallet === undefined || !isWallet(wallet)) return "alone";
    return this.#batches.issue({ subject: { sale, entity, email: grant.email, wallet }, grant });
  }
}
