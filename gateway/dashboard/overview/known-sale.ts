import type { Client } from "../../../proto/gen/tidemark/auth/v1/client_service_pb.ts";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import type { FounderSale } from "../base/founder.ts";
import { type ContractState, contractState, recentState } from "../definition/contract-state.ts";
import { bounded, figureFacts, orUnknown, overviewsOf, permitsOf, signInsOf } from "./gather-facts.ts";
import { openingProblemsOf } from "./opening-problems.ts";
import type { ApplicationFacts, Known, SaleFacts } from "./sale-facts.ts";
import { isSignerKnown } from "./signer-knowledge.ts";

/** All that a page about one sale knows of it. */
export interface KnownSale {
  readonly facts: SaleFacts;
  readonly clients: Known<readonly Client[]>;
  /** Undefined for a sale without one. */
  readonly contract: ContractState | undefined;
}

/**
 * Asks all services at the same time. What one doesn't answer in time isn't known.
 *
 * @param next page to which a sign-in leads back
 * @throws SignInRequired
 */
export async function knownSale(
  found: FounderSale,
  dependencies: DashboardDependencies,
  next: string,
): Promise<KnownSale> {
  const { sale, founder } = found;
  const { uuid: saleUuid } = sale;
  const asked = { founder, dependencies, saleUuids: [saleUuid], next };
  const [overviews, signIns, { clients, ...rest }, contract] = await Promise.all([
    overviewsOf(asked),
    signInsOf(asked),
    requiredFacts(found, dependencies, next),
    contractState(found, dependencies),
  ]);
  const overview = overviews?.get(saleUuid);
  const facts: SaleFacts = {
    ...rest,
    figures: overview && figureFacts(overview),
    signIns: signIns?.get(saleUuid),
    contract: contract?.state,
    // A draft's problems say it, too.
    isSignerKnown: sale.status === SaleStatus.DRAFT ? undefined : await isSignerKnown(asked, rest.permits),
  };
  return { facts, clients, contract };
}

/**
 * Returns the facts of a draft that its checklist is about, and nothing else. Its contract is checked only where no page has done it just
 * now.
 *
 * @throws SignInRequired
 */
export async function draftFacts(
  found: FounderSale,
  dependencies: DashboardDependencies,
  next: string,
): Promise<SaleFacts> {
  const [{ clients: _, ...rest }, contract] = await Promise.all([
    requiredFacts(found, dependencies, next),
    recentState(found, dependencies),
  ]);
  return { ...rest, figures: undefined, signIns: undefined, contract };
}

/** Returns what else than its contract decides whether a sale can open. */
async function requiredFacts(found: FounderSale, dependencies: DashboardDependencies, next: string) {
  const { sale, founder } = found;
  const asked = { founder, dependencies, saleUuids: [sale.uuid], next };
  const [clients, permits] = await Promise.all([clientsOf(found, dependencies), permitsOf(asked)]);
  const ofSale = permits?.get(sale.uuid);
  return {
    sale,
    clients,
    applications: clients?.map(applicationOf),
    permits: ofSale,
    hasTakingPart: dependencies.entitiesUpstream !== undefined,
    openingProblems: await openingProblemsOf(asked, sale.status, ofSale),
  };
}

/** Returns the applications of a sale; undefined while they can’t be asked for. */
export async function clientsOf({ sale, founder }: FounderSale, dependencies: DashboardDependencies) {
  const { clients } = dependencies.clients;
  const request = { saleUuid: sale.uuid };
  return (await orUnknown(dependencies, "applications", () => clients.listClients(request, bounded(founder.atAuth))))
    ?.clients;
}

function applicationOf({ uuid, definition, obstacles, openingRequirements }: Client): ApplicationFacts {
  return { uuid, name: definition?.name ?? "", obstacles, openingRequirements };
}
