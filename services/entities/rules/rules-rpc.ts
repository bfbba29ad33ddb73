import type { ServiceImpl } from "@connectrpc/connect";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { Principal } from "../../../common/platform/rpc/identity/principal.ts";
import { ruleChanges } from "../../../common/sale/words/rules-lines.ts";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { recordChange, requireMember, requireRecentOwner } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import { readSaleFacts, type SaleFacts } from "../base/sale-facts.ts";
import { hasActiveKey } from "../permit-keys/permit-keys-store.ts";
import { checkRules } from "./check-rules.ts";
import { readContractTerms, termsViolations } from "./contract-terms.ts";
import { listFreezes, setFreeze } from "./freezes.ts";
import { readParticipantCounts } from "./participant-counts-store.ts";
import type { ParticipationRules } from "./participation-rules.ts";
import { publicRulesMessage, rulesMessage, rulesOfMessage } from "./rules-message.ts";
import { readRules, rulesChanged, writeRules } from "./rules-store.ts";
import { countUnexpiredPermits } from "./unexpired-permits-store.ts";

/** The methods of `EligibilityService` for the rules of a sale and its frozen entities. */
export function rulesMethods(
  dependencies: EntitiesContext,
): Pick<
  ServiceImpl<typeof EligibilityService>,
  "getRules" | "updateRules" | "setFreeze" | "listFreezes" | "getPublicRules"
> {
  return {
    getRules: getRules(dependencies),
    updateRules: updateRules(dependencies),
    setFreeze: setFreeze(dependencies),
    listFreezes: listFreezes(dependencies),
    getPublicRules: getPublicRules(dependencies),
  };
}

function getRules(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["getRules"] {
  const { database, clock } = dependencies;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const role = await requireMember(dependencies, context, saleUuid);
    return database.read(async (query) => {
      const { rules, version } = await readRules(query, saleUuid);
      const { members, denied } = await readParticipantCounts(query, saleUuid);
      const unexpiredPermits = await countUnexpiredPermits(query, saleUuid, clock());
      const shown = role === "viewer" ? withoutScreenerPath(rules) : rules;
      return { rules: rulesMessage(shown), version, unexpiredPermits, memberCount: members, denyListCount: denied };
    });
  };
}

function getPublicRules({ database }: EntitiesContext): ServiceImpl<typeof EligibilityService>["getPublicRules"] {
  return async ({ saleUuid }) => {
    const { rules } = await database.read((query) => readRules(query, saleUuid.toLowerCase()));
    const shown = publicRulesMessage(rules);
    return shown === undefined ? {} : { rules: shown };
  };
}

/** Shortens the screener's URL to its host: path and query may hold a secret, which viewers don't need. */
function withoutScreenerPath(rules: ParticipationRules): ParticipationRules {
  const { screenerUrl } = rules.wallets;
  if (screenerUrl === "") return rules;
  return { ...rules, wallets: { ...rules.wallets, screenerUrl: new URL(screenerUrl).origin } };
}

interface RulesUpdate {
  readonly sale: SaleFacts;
  readonly rules: ParticipationRules;
  readonly expectedVersion: bigint;
}

function updateRules(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["updateRules"] {
  const { database, clock, outbound } = dependencies;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = await requireRecentOwner(dependencies, context, saleUuid);
    if (request.rules === undefined) throw new TypeError("protovalidate requires the rules");
    const sale = await readSaleFacts(dependencies, saleUuid);
    const update = { sale, rules: rulesOfMessage(request.rules), expectedVersion: request.expectedVersion };
    checkRules(update.rules, sale, (url) => outbound.urlProblem(url));
    await checkTerms(dependencies, update);
    await recordUpdate(dependencies, principal, update);
    const version = await storeUpdate(dependencies, update);
    const unexpiredPermits = await database.read((query) => countUnexpiredPermits(query, saleUuid, clock()));
    return { rules: rulesMessage(update.rules), version, unexpiredPermits };
  };
}

/**
 * Checks rules by which people take part against the sale's contract. One that can't be asked refuses nothing; that of a draft is asked
 * again before the opening.
 *
 * @throws ServiceError `invalid_argument` that names each field that the contract can't take
 */
async function checkTerms(dependencies: EntitiesContext, { sale, rules }: RulesUpdate): Promise<void> {
  if (!rules.enabled) return;
  const known = await readContractTerms(dependencies, sale);
  const violations = "terms" in known ? termsViolations(rules, known.terms) : [];
  if (violations.length > 0) throw invalidArgument(violations);
}

/** Records the change before it is made, so that none is made without a record. */
async function recordUpdate(dependencies: EntitiesContext, principal: Principal, update: RulesUpdate): Promise<void> {
  const { saleUuid } = update.sale;
  const { rules, version } = await dependencies.database.read(async (query) => {
    await requireKey(query, update);
    return readRules(query, saleUuid);
  });
  if (version !== update.expectedVersion) throw rulesChanged();
  const changes = ruleChanges(rulesMessage(rules), rulesMessage(update.rules), update.sale.units, { isBrief: true });
  await recordChange(dependencies, principal, saleUuid, "participation", changes);
}

async function storeUpdate({ database, clock }: EntitiesContext, update: RulesUpdate): Promise<bigint> {
  const { saleUuid } = update.sale;
  const { dialect } = database;
  return database.writeExclusive(saleUuid, async (transaction) => {
    await lockSaleForChange(transaction, dialect, saleUuid);
    await requireKey(transaction, update);
    return writeRules(transaction, saleUuid, update, clock());
  });
}

/** @throws ServiceError `failed_precondition` if taking part shall be on in an open sale without a key that signs permits */
async function requireKey(query: Parameters<typeof hasActiveKey>[0], { sale, rules }: RulesUpdate): Promise<void> {
  if (sale.status !== "open" || !rules.enabled || (await hasActiveKey(query, sale.saleUuid))) return;
  throw new ServiceError(
    "failed_precondition",
    "taking part can't be switched on: the sale is open and has no active key that signs permits",
  );
}
