import { isWallet, readWallet } from "../../../common/chains/wallet.ts";
import type { ApplicationGrant } from "../authority/application-access.ts";
import { noEntity } from "../eligibility/visible-entity.ts";
import type { PermitDependencies } from "./dependencies.ts";
import type { BatchedResult, WantedPermit } from "./issue-batch.ts";
import { SinglePermitIssuer } from "./issue-single-permit.ts";
import { PermitBatches } from "./permit-batches.ts";
import type { PermitResult } from "./permit-result.ts";
import { SaleEntityIds } from "./sale-entity-ids.ts";
import { VisibleEntities } from "./visible-batch.ts";

/** A permit that an application asks for. */
export interface PermitRequest {
  /** The answer of auth, which was asked after the call had arrived. */
  readonly granted: Promise<ApplicationGrant>;
  /** The answer of auth about the same token before, if there was one. The permit is begun by that. */
  readonly before: ApplicationGrant | undefined;
  /** The ID by which the application knows the entity, in lower case. */
  readonly publicUuid: string;
  /** The text that the application sent. */
  readonly wallet: string;
}

/** The time, after auth has answered too late, in which no permit is begun before its answer: each would take two batches. */
const AFTER_LATE_MS = 1_000;

/** Issues permits: together where the database alone decides about them, else each by itself. */
export class PermitIssuer {
  readonly #dependencies: PermitDependencies;
  readonly #entityIds: SaleEntityIds;
  /** Undefined where a remote signer may take its time to sign. */
  readonly #batches: PermitBatches | undefined;
  readonly #visibleEntities: VisibleEntities;
  readonly #single: SinglePermitIssuer;
  /** By the monotonic clock. */
  #lateAtMs = -Infinity;

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
   * @throws ServiceError whatever `granted` throws; `not_found` if the application sees no such entity; `invalid_argument` for
   *   a malformed wallet; `unavailable`
   */
  async issue(request: PermitRequest): Promise<PermitResult> {
    const { granted, publicUuid, wallet } = request;
    const early = await this.#issueEarly(request);
    // A batch has a result only for a permit that auth has confirmed.
    if (typeof early === "object") return early;
    const grant = await granted;
    const result = early === "unconfirmed" ? await this.#issueTogether(request, { grant }) : early;
    if (result === "unseen") throw noEntity(publicUuid);
    if (typeof result === "object") return result;
    return this.#single.issue({ ...(await this.#visibleEntities.require(grant, publicUuid)), grant, wallet });
  }

  /** Issues a permit while auth is asked. It is given away, as any result, only once auth has said the same as before. */
  async #issueEarly(request: PermitRequest): Promise<BatchedResult> {
    const { granted, before } = request;
    if (before === undefined || performance.now() < this.#lateAtMs + AFTER_LATE_MS) return "unconfirmed";
    let isAnswered = false;
    const onAnswer = () => {
      isAnswered = true;
    };
    granted.then(onAnswer, onAnswer);
    try {
      const result = await this.#issueTogether(request, { grant: before, granted });
      if (result === "unconfirmed" && !isAnswered) this.#lateAtMs = performance.now();
      return result;
    } catch (error) {
      await granted;
      throw error;
    }
  }

  async #issueTogether(
    { publicUuid, wallet: text }: PermitRequest,
    by: Pick<WantedPermit, "grant" | "granted">,
  ): Promise<BatchedResult> {
    const { grant } = by;
    if (this.#batches === undefined) return "alone";
    const entity = await this.#entityIds.find(grant.saleUuid, publicUuid);
    if (entity === undefined) return "unseen";
    const { sale } = await this.#dependencies.recentSales.read(grant.saleUuid);
    const wallet = sale.kind && readWallet(sale.kind, text);
    if (wallet === undefined || !isWallet(wallet)) return "alone";
    return this.#batches.issue({ subject: { sale, entity, email: grant.email, wallet }, ...by });
  }
}
