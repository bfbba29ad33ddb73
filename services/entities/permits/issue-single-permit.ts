import { encodePermit } from "../../../common/chains/permit-encoding.ts";
import { parseWallet } from "../../../common/chains/wallet.ts";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { ApplicationGrant } from "../authority/application-access.ts";
import { type CheckedParticipation, checkParticipation } from "../eligibility/check-participation.ts";
import type { ReadyParticipation } from "../eligibility/decide.ts";
import type { ParticipationSubject } from "../eligibility/gather-facts.ts";
import type { VisibleEntity } from "../eligibility/visible-entity.ts";
import { activeKeyOf, type PermitKey, permitEnd } from "../permit-keys/permit-key.ts";
import { type BatchedCheck, checkBatch } from "./check-batch.ts";
import type { PermitDependencies } from "./dependencies.ts";
import { permitOf } from "./permit-of.ts";
import type { IssuedPermit, PermitResult, RefusedPermit } from "./permit-result.ts";
import { newPermitUuid } from "./permits-store.ts";
import { permitRecorder } from "./record-permits.ts";
import type { PermitToRecord, RecordingOutcome } from "./recordable.ts";
import { SaleBatchers } from "./sale-batchers.ts";

/** An entity that an application asks a permit for. */
export interface SinglePermitRequest extends VisibleEntity {
  readonly grant: ApplicationGrant;
  /** The text that the application sent. */
  readonly wallet: string;
}

/** A permit that was signed, and isn't recorded yet. */
interface SignedPermit extends IssuedPermit {
  readonly toRecord: PermitToRecord;
}

const NOT_ACTIVE: RefusedPermit = { refused: "sale-not-active" };
/** Permits that are made for one request before it is refused, because what they depend on changes all the time. */
const MAX_TRIES = 4;

/**
 * Issues permits that need more than the database: each is checked, signed, and given away only if it could be recorded after the
 * same check.
 */
export class SinglePermitIssuer {
  readonly #dependencies: PermitDependencies;
  readonly #checkers: SaleBatchers<ParticipationSubject, BatchedCheck>;
  readonly #recorders: SaleBatchers<PermitToRecord, RecordingOutcome>;

  constructor(dependencies: PermitDependencies) {
    this.#dependencies = dependencies;
    this.#checkers = new SaleBatchers(
      (saleUuid) => new Batcher((subjects) => checkBatch(dependencies, saleUuid, subjects)),
    );
    this.#recorders = new SaleBatchers((saleUuid) => permitRecorder(dependencies, saleUuid));
  }

  /**
   * Issues a permit.
   *
   * @throws ServiceError `not_found` for an entity that was deleted; `invalid_argument` for a malformed wallet; `unavailable`
   */
  async issue(request: SinglePermitRequest): Promise<PermitResult> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const made = await this.#make(request);
      if ("refused" in made) return made;
      const { toRecord, ...issued } = made;
      const outcome = await this.#recorders.run(toRecord.subject.sale.saleUuid, toRecord);
      if (outcome === "recorded") return issued;
      if (outcome === "deleted") throw entityDeleted();
      if (outcome !== "changed") return outcome;
    }
    throw new ServiceError("unavailable", "what the permit depends on changes at the moment; retry");
  }

  /** @returns undefined for a sale without a contract */
  async #subjectOf({ grant, entity, wallet }: SinglePermitRequest): Promise<ParticipationSubject | undefined> {
    const { sale } = await this.#dependencies.recentSales.read(grant.saleUuid);
    if (sale.kind === undefined) return undefined;
    return { sale, entity, email: grant.email, wallet: parseWallet(sale.kind, wallet, "wallet") };
  }

  /** Checks and signs. */
  async #make(request: SinglePermitRequest): Promise<SignedPermit | RefusedPermit> {
    const subject = await this.#subjectOf(request);
    if (subject === undefined) return NOT_ACTIVE;
    const { checked, keys } = await this.#check(subject);
    const { decision } = checked;
    if (decision.kind === "refused") return { refused: decision.reason };
    const key = activeKeyOf(keys, subject.sale);
    if (key === undefined) return NOT_ACTIVE;
    return this.#sign({ subject, key, clientUuid: request.grant.clientUuid }, checked, decision);
  }

  /** @throws ServiceError `not_found` for an entity that was deleted */
  async #check(subject: ParticipationSubject): Promise<{ checked: CheckedParticipation; keys: readonly PermitKey[] }> {
    const { checked: batched, keys } = await this.#checkers.run(subject.sale.saleUuid, subject);
    if (batched === "deleted") throw entityDeleted();
    if (batched !== "alone") return { checked: batched, keys };
    const checked = await checkParticipation(this.#dependencies, subject);
    if (checked === undefined) throw entityDeleted();
    return { checked, keys };
  }

  async #sign(
    made: Pick<PermitToRecord, "subject" | "key" | "clientUuid">,
    { judged, bids }: CheckedParticipation,
    decision: ReadyParticipation,
  ): Promise<SignedPermit> {
    const { clock, permitSigner } = this.#dependencies;
    const { subject, key } = made;
    const { wallet } = subject;
    const nowMs = clock();
    const expiresAt = permitEnd(nowMs);
    const permit = permitOf(subject, decision, expiresAt);
    const encoded = encodePermit(wallet.kind, permit);
    const signature = await permitSigner.sign(key, encoded);
    const toRecord = { ...made, judged, bids, uuid: newPermitUuid(nowMs), expiresAt, encoded };
    return { permit, wallet, signature, toRecord };
  }
}

function entityDeleted(): ServiceError {
  return new ServiceError("not_found", "the entity was deleted");
}
