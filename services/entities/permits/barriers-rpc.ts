import type { ServiceImpl } from "@connectrpc/connect";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { PermitService } from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSale } from "../base/lock-sale.ts";
import { readSaleFacts, type SaleFacts } from "../base/sale-facts.ts";
import { contractKnowledge } from "../permit-keys/contract-knowledge.ts";
import { activeKeyOf, type PermitKey } from "../permit-keys/permit-key.ts";
import { readKeys } from "../permit-keys/permit-keys-store.ts";
import { readContractTerms, termsViolations } from "../rules/contract-terms.ts";
import { type ParticipationRules, permitProblems } from "../rules/participation-rules.ts";
import { readRules } from "../rules/rules-store.ts";
import { eraseRemovedSale } from "./complete-stop.ts";
import { storeStop } from "./sale-permits-store.ts";

type Methods = Pick<ServiceImpl<typeof PermitService>, "admitOpening" | "stopPermits" | "eraseSale">;

/** The methods of `PermitService` for the commitments service. */
export function barrierMethods(dependencies: EntitiesContext): Methods {
  return {
    async admitOpening({ saleUuid, live }) {
      await admitOpening(dependencies, saleUuid.toLowerCase(), live);
      return {};
    },
    async stopPermits({ saleUuid }) {
      await stopPermits(dependencies, saleUuid.toLowerCase());
      return {};
    },
    async eraseSale({ saleUuid }) {
      await eraseRemovedSale(dependencies, saleUuid.toLowerCase());
      return {};
    },
  };
}

/**
 * Stops permits of a sale that is about to change. Permits that are being recorded are recorded before; afterwards none is
 * until `completeStop` has read what came of the change.
 */
async function stopPermits(
  { database, clock }: Pick<EntitiesContext, "database" | "clock">,
  saleUuid: string,
): Promise<void> {
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSale(transaction, database.dialect, saleUuid);
    await storeStop(transaction, { saleUuid, stoppedAtMs: clock() });
  });
}

type Dependencies = Pick<EntitiesContext, "database" | "sales" | "indexer" | "identityProvider">;

/**
 * Checks that a sale may open: one in which people take part through Tidemark needs a key that signs its permits and that its
 * contract knows, and rules whose permits its contract takes. A live one also needs a provider of identity checks that isn't `demo`.
 *
 * @param live whether it is a sale of the tenancy `live`
 * @throws ServiceError `failed_precondition` saying what is missing
 */
async function admitOpening(dependencies: Dependencies, saleUuid: string, live: boolean): Promise<void> {
  const { rules } = await dependencies.database.read((query) => readRules(query, saleUuid));
  if (!rules.enabled) return;
  if (live && dependencies.identityProvider.name === "demo")
    throw refused("IDENTITY_PROVIDER is demo, whose approvals a live sale doesn't accept");
  const sale = await readSaleFacts(dependencies, saleUuid);
  const [problem] = permitProblems(sale);
  if (problem !== undefined) throw refused(problem);
  const key = await requireActiveKey(dependencies, sale);
  await Promise.all([requireKnown(dependencies, sale, key), requireTerms(dependencies, sale, rules)]);
}

async function requireActiveKey({ database }: Dependencies, sale: SaleFacts): Promise<PermitKey> {
  const keys = await database.read((query) => readKeys(query, sale.saleUuid));
  const key = activeKeyOf(keys, sale);
  if (key !== undefined) return key;
  throw refused(`no key for the chain ${sale.chain} is active that would sign them`);
}

async function requireKnown(dependencies: Dependencies, sale: SaleFacts, key: PermitKey): Promise<void> {
  const { accepted, problem } = await contractKnowledge(dependencies, sale, key);
  if (accepted === true) return;
  const address = formatWallet({ kind: key.kind, bytes: key.address });
  throw refused(accepted === false ? `its contract doesn't accept those of the key ${address}` : problem);
}

async function requireTerms(dependencies: Dependencies, sale: SaleFacts, rules: ParticipationRules): Promise<void> {
  const known = await readContractTerms(dependencies, sale);
  if ("problem" in known) throw refused(`what its contract takes isn't known: ${known.problem}`);
  const [violation] = termsViolations(rules, known.terms);
  if (violation !== undefined) throw refused(`${violation.field} ${violation.message}`);
}

function refused(what: string): ServiceError {
  return new ServiceError("failed_precondition", `people take part in the sale through permits, and ${what}`);
}
