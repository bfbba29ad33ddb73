import type { ServiceImpl } from "@connectrpc/connect";
import { parseWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import {
  type EligibilityService,
  FailureReason as ReasonMessage,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireApplication } from "../authority/application-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { readSaleFacts } from "../base/sale-facts.ts";
import { livenessUrl } from "../setup/liveness.ts";
import { askOutside } from "./ask-outside.ts";
import type { EligibilityDecision, FailureReason } from "./decide.ts";
import { decideSubject, NO_ANSWERS } from "./decide.ts";
import { type EligibilitySubject, loadFacts } from "./load-facts.ts";
import { requireVisibleEntity, type VisibleEntity } from "./visible-entity.ts";

const REASONS: Readonly<Record<FailureReason, ReasonMessage>> = {
  "sale-not-active": ReasonMessage.SALE_NOT_ACTIVE,
  unknown: ReasonMessage.UNKNOWN,
  "outside-time-window": ReasonMessage.OUTSIDE_TIME_WINDOW,
  "wallet-not-linked": ReasonMessage.WALLET_NOT_LINKED,
  "max-wallets-used": ReasonMessage.MAX_WALLETS_USED,
  "wallet-risk": ReasonMessage.WALLET_RISK,
  "requires-liveness": ReasonMessage.REQUIRES_LIVENESS,
};

const WALLETS_BIDS = { kind: "bids", bidsOf: "ofWallet" } as const;

/** The decision about a sale that has no contract, and so no wallets. */
const NOT_ACTIVE: EligibilityDecision = { kind: "refused", reason: "sale-not-active" };

export function checkEligibility(
  dependencies: EntitiesContext,
): ServiceImpl<typeof EligibilityService>["checkEligibility"] {
  return async ({ access, saleUuid, entityUuid, wallet }) => {
    const needed = { scope: "sale_eligibility_check", saleUuid } as const;
    const grant = await requireApplication(dependencies, access, needed);
    const visible = await requireVisibleEntity(dependencies, grant, entityUuid.toLowerCase());
    const sale = await readSaleFacts(dependencies, grant.saleUuid);
    if (sale.kind === undefined) return messageOf(dependencies, grant.saleUuid, visible, NOT_ACTIVE);
    const subject = { sale, ...visible, email: grant.email, wallet: parseWallet(sale.kind, wallet, "wallet") };
    const decision = await checkSubject(dependencies, subject);
    if (decision === undefined) throw new ServiceError("not_found", `there is no entity ${entityUuid} in this sale`);
    return messageOf(dependencies, grant.saleUuid, visible, decision);
  };
}

/**
 * Decides whether an entity would get a permit for a wallet now. Nothing is written.
 *
 * @returns undefined if the entity was deleted
 * @throws ServiceError `unavailable` if the commitments service doesn't answer
 */
async function checkSubject(
  context: EntitiesContext,
  subject: EligibilitySubject,
): Promise<EligibilityDecision | undefined> {
  const loading = { subjects: [subject], isLocking: false };
  const { facts } = await context.database.read((query) => loadFacts(context, query, loading));
  const [subjectFacts] = facts;
  if (subjectFacts === undefined) return undefined;
  let answers = NO_ANSWERS;
  for (;;) {
    const decision = decideSubject(subjectFacts, answers);
    if (decision.kind === "refused") return decision;
    // A permit needs the contract's bids only in doubt. Whoever is told to be ready shall be so by the contract, too, whatever it has
    // taken from others than this service.
    if (decision.kind === "ready" && answers.bids.ofWallet !== undefined) return decision;
    const question = decision.kind === "ready" ? WALLETS_BIDS : decision.question;
    answers = await askOutside(context, subject, question, answers);
  }
}

async function messageOf(
  dependencies: EntitiesContext,
  saleUuid: string,
  { stored, entity }: VisibleEntity,
  decision: EligibilityDecision,
) {
  if (decision.kind === "ready") return { ready: true };
  if (decision.reason !== "requires-liveness") return { failure: REASONS[decision.reason] };
  const url = await livenessUrl(dependencies, saleUuid, stored, entity);
  return { failure: REASONS[decision.reason], livenessUrl: url };
}

/** The message of a failing reason. */
export function reasonMessage(reason: FailureReason): ReasonMessage {
  return REASONS[reason];
}
