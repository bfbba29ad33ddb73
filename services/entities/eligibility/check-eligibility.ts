import type { ServiceImpl } from "@connectrpc/connect";
import { parseWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import {
  type EligibilityService,
  FailureReason as ReasonMessage,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { readSaleFacts } from "../authority/sale-facts.ts";
import { livenessUrl } from "../setup/liveness.ts";
import { checkParticipation } from "./check-participation.ts";
import type { FailureReason, ParticipationDecision } from "./decide.ts";
import type { EligibilityDependencies } from "./dependencies.ts";
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

/** The decision about a sale that has no contract, and so no wallets. */
const NOT_ACTIVE: ParticipationDecision = { kind: "refused", reason: "sale-not-active" };

export function checkEligibility(
  dependencies: EligibilityDependencies,
): ServiceImpl<typeof EligibilityService>["checkEligibility"] {
  return async ({ access, saleUuid, entityUuid, wallet }) => {
    const needed = { scope: "sale_eligibility_check", saleUuid } as const;
    const grant = await dependencies.recentGrants.require(access, needed);
    const visible = await requireVisibleEntity(dependencies, grant, entityUuid.toLowerCase());
    const sale = await readSaleFacts(dependencies, grant.saleUuid);
    if (sale.kind === undefined) return messageOf(dependencies, grant.saleUuid, visible, NOT_ACTIVE);
    const subject = { sale, ...visible, email: grant.email, wallet: parseWallet(sale.kind, wallet, "wallet") };
    const checked = await checkParticipation(dependencies, subject);
    if (checked === undefined) throw new ServiceError("not_found", `there is no entity ${entityUuid} in this sale`);
    return messageOf(dependencies, grant.saleUuid, visible, checked.decision);
  };
}

async function messageOf(
  dependencies: EligibilityDependencies,
  saleUuid: string,
  { stored, entity }: VisibleEntity,
  decision: ParticipationDecision,
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
