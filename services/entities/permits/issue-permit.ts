import { LRUCache } from "lru-cache";
import { isWallet, parseWallet, readWallet } from "../../../common/chains/wallet.ts";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import { Batcher } from "../../../common/platform/concurrency/batcher.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { ApplicationAccess } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { type AccessUpstream, type ApplicationGrant, requireApplication } from "../authority/application-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { PERMIT_BATCH_WAIT_MS } from "../base/lifetimes.ts";
import { askOutside } from "../eligibility/ask-outside.ts";
import { NO_ANSWERS, type Refused, refused } from "../eligibility/decide.ts";
import { loadFacts } from "../eligibility/load-facts.ts";
import { noEntity, requireVisibleEntity } from "../eligibility/visible-entity.ts";
import { SaleEntityIds } from "../entities/sale-entities-store.ts";
import {
  decidePermits,
  type NeedsOutsideCheck,
  type PermitAnswers,
  type PermitDecision,
  type RequestedPermit,
} from "./decide-permit.ts";
import { type IssuedPermit, type PermitOutcome, recordPermits } from "./record-permits.ts";

/** A call of an application for a permit. */
export interface PermitCall {
  readonly access: ApplicationAccess | undefined;
  readonly saleUuid: string;
  /** The ID by which the application knows the entity, in lower case. */
  readonly publicUuid: string;
  /** The text that the application sent. */
  readonly wallet: string;
}

export type PermitResult = IssuedPermit | Refused;

/** How often one permit is decided anew, because what it depends on changes all the time, before the call fails. */
const MAX_TRIES = 4;

/**
 * Issues permits. All go through the same steps in this order, one permit as a list of one:
 *
 * 1. authorise: auth is asked, and believed; nothing is begun before it has answered
 * 2. count: the rate limits of account and sale, so that only calls of valid tokens are counted
 * 3. locate: the entity's IDs and the sale
 *
 * and then, in lists of one sale, for which permits queue:
 *
 * 4. load the facts, and decide by them
 * 5. ask outside, for those who need it, while no lock is held: bids, a screener, a remote signer
 * 6. lock the sale, load and decide again, bind, record, sign, commit (`recordPermits`)
 *
 * Whoever needs to ask outside leaves the list for that, so that nobody waits for them, and comes back with the answers to
 * step 6. If these don't suffice any more by then, they ask again.
 */
export class PermitIssuer {
  readonly #context: EntitiesContext;
  readonly #entityIds: SaleEntityIds;
  readonly #queues: SaleBatchers<RequestedPermit, PermitOutcome>;

  constructor(context: EntitiesContext) {
    this.#context = context;
    this.#entityIds = new SaleEntityIds(context);
    this.#queues = new SaleBatchers(
      (saleUuid) =>
        new Batcher((requested) => issueList(context, saleUuid, requested), { maxWaitMs: PERMIT_BATCH_WAIT_MS }),
    );
  }

  /**
   * Issues a permit.
   *
   * @returns the result, and what auth has said about the call
   * @throws ServiceError as `requireApplication`; `resource_exhausted`; `not_found` if the application sees no such entity;
   *   `invalid_argument` for a malformed wallet; `unavailable`
   */
  async issue(call: PermitCall): Promise<{ readonly grant: ApplicationGrant; readonly result: PermitResult }> {
    const grant = await authorise(this.#context, call);
    await count(this.#context, grant);
    const located = await this.#locate(grant, call);
    const outcome = located.kind === "refused" ? located : await this.#decideAndRecord(located.requested);
    if (outcome.kind === "notFound") throw noEntity(call.publicUuid);
    return { grant, result: outcome };
  }

  /** Finds the entity and the sale. Whether the application sees the entity is decided with everything else. */
  async #locate(
    grant: ApplicationGrant,
    { publicUuid, wallet: text }: PermitCall,
  ): Promise<Refused | { readonly kind: "located"; readonly requested: RequestedPermit }> {
    const { saleUuid, email } = grant;
    const entity = await this.#entityIds.find(saleUuid, publicUuid);
    if (entity === undefined) throw noEntity(publicUuid);
    const { sale } = await this.#context.recentSales.read(saleUuid);
    const wallet = sale.kind && readWallet(sale.kind, text);
    if (wallet !== undefined && isWallet(wallet)) {
      return { kind: "located", requested: { subject: { sale, entity, email, wallet }, grant } };
    }
    // The answer says nothing about entities that the application doesn't see.
    await requireVisibleEntity(this.#context, grant, publicUuid);
    if (sale.kind !== undefined) parseWallet(sale.kind, text, "wallet");
    return refused("sale-not-active");
  }

  /** Takes the steps of a list, and leaves it to ask outside. */
  async #decideAndRecord(requested: RequestedPermit): Promise<Exclude<PermitOutcome, NeedsOutsideCheck>> {
    const { subject } = requested;
    let current = requested;
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const outcome = await this.#queues.run(subject.sale.saleUuid, current);
      if (outcome.kind !== "needsOutsideCheck") return outcome;
      const { answers, decision } = await askUntilDecided(this.#context, subject, outcome);
      if (decision.kind !== "ready") return decision;
      current = { ...requested, answers };
    }
    throw new ServiceError("unavailable", "what the permit depends on changes at the moment; retry");
  }
}

function authorise(context: AccessUpstream, { access, saleUuid }: PermitCall): Promise<ApplicationGrant> {
  return requireApplication(context, access, { scope: "sale_eligibility_check", saleUuid });
}

/** @throws ServiceError `resource_exhausted` */
async function count({ permitRates }: EntitiesContext, { accountUuid, saleUuid }: ApplicationGrant): Promise<void> {
  await permitRates.take("permit_account", accountUuid);
  await permitRates.take("permit_sale", saleUuid);
}

/** Takes the steps of a list of one sale. Those who have asked outside were decided about before. */
async function issueList(
  context: EntitiesContext,
  saleUuid: string,
  requested: readonly RequestedPermit[],
): Promise<readonly PermitOutcome[]> {
  const undecided = requested.filter(({ answers }) => answers === undefined);
  const decisions = await decideList(context, undecided);
  const mayBeIssued = requested.filter((each) => (decisions.get(each)?.kind ?? "ready") === "ready");
  const recorded = await recordPermits(context, saleUuid, mayBeIssued);
  const outcomes = new Map(mayBeIssued.map((each, index) => [each, recorded[index]]));
  return requested.map((each) => outcomes.get(each) ?? (decisions.get(each) as PermitOutcome));
}

/** Loads the facts about permits, without a lock, and decides by them. */
async function decideList(
  context: EntitiesContext,
  requested: readonly RequestedPermit[],
): Promise<ReadonlyMap<RequestedPermit, PermitDecision>> {
  if (requested.length === 0) return new Map();
  const loading = { subjects: requested.map(({ subject }) => subject), isLocking: false };
  const loaded = await context.database.read((query) => loadFacts(context, query, loading));
  const decisions = decidePermits(requested, loaded);
  return new Map(requested.map((each, index) => [each, decisions[index] as PermitDecision]));
}

/** Asks outside until a decision needs no further answer. */
async function askUntilDecided(
  context: EntitiesContext,
  subject: RequestedPermit["subject"],
  first: NeedsOutsideCheck,
): Promise<{ readonly answers: PermitAnswers; readonly decision: Exclude<PermitDecision, NeedsOutsideCheck> }> {
  let answers: PermitAnswers = NO_ANSWERS;
  let decision: PermitDecision = first;
  while (decision.kind === "needsOutsideCheck") {
    answers = await ask(context, subject, decision.question, answers);
    decision = decision.decideWith(answers);
  }
  return { answers, decision };
}

async function ask(
  context: EntitiesContext,
  subject: RequestedPermit["subject"],
  question: NeedsOutsideCheck["question"],
  answers: PermitAnswers,
): Promise<PermitAnswers> {
  if (question.kind !== "signature") return askOutside(context, subject, question, answers);
  const { key, expiresAt, encoded } = question;
  const signature = await context.permitSigner.sign(key, encoded);
  return { ...answers, signed: { keyUuid: key.uuid, expiresAt, encoded, signature } };
}

const MAX_SALES = 1_000;

/** Batchers by sale, each made when it is needed first. */
class SaleBatchers<Item, Result> {
  readonly #make: (saleUuid: string) => Batcher<Item, Result>;
  readonly #batchers = new LRUCache<string, Batcher<Item, Result>>(atMost(MAX_SALES));

  constructor(make: (saleUuid: string) => Batcher<Item, Result>) {
    this.#make = make;
  }

  /** Runs one item in a batch of its sale. @throws what the batch throws */
  run(saleUuid: string, item: Item): Promise<Result> {
    const batcher = this.#batchers.get(saleUuid) ?? this.#make(saleUuid);
    this.#batchers.set(saleUuid, batcher);
    return batcher.run(item);
  }
}
