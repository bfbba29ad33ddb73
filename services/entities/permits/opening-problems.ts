import { formatWallet } from "../../../common/chains/wallet.ts";
import type { EntitiesContext } from "../base/context.ts";
import { readSaleFacts, type SaleFacts } from "../base/sale-facts.ts";
import { contractKnowledge } from "../permit-keys/contract-knowledge.ts";
import { activeKeyOf } from "../permit-keys/permit-key.ts";
import { readKeys } from "../permit-keys/permit-keys-store.ts";
import { readContractTerms, termsViolations } from "../rules/contract-terms.ts";
import { type ParticipationRules, permitProblems } from "../rules/participation-rules.ts";
import { readRules } from "../rules/rules-store.ts";

/** A reason why a sale can't open. */
export interface OpeningProblem {
  /** The name in the RPC message `OpeningProblem`. */
  readonly name: "identity_provider" | "definition" | "key" | "signer" | "rules" | "contract";
  /** The reason as a clause, for people. */
  readonly text: string;
}

type Dependencies = Pick<EntitiesContext, "database" | "sales" | "indexer" | "identityProvider">;

/**
 * Returns why a sale can't open: one in which people take part through Tidemark needs a key that signs its permits and that its
 * contract knows, and rules whose permits its contract takes. A live one also needs a provider of identity checks that isn't `demo`.
 *
 * @param isLive whether it is a sale of the tenancy `live`; by default as the commitments service says
 * @throws ServiceError if the sale can't be read
 */
export async function openingProblems(
  dependencies: Dependencies,
  saleUuid: string,
  isLive?: boolean,
): Promise<readonly OpeningProblem[]> {
  const { rules } = await dependencies.database.read((query) => readRules(query, saleUuid));
  if (!rules.enabled) return [];
  const sale = await readSaleFacts(dependencies, saleUuid);
  const identity = identityProblems(dependencies, isLive ?? sale.tenancy === "live");
  const definition = permitProblems(sale).map((text) => ({ name: "definition", text }) as const);
  // Without a contract, there is nothing to ask.
  if (definition.length > 0) return [...identity, ...definition];
  const asked = await Promise.all([signerProblems(dependencies, sale), termsProblems(dependencies, sale, rules)]);
  return [...identity, ...asked.flat()];
}

function identityProblems({ identityProvider }: Dependencies, isLive: boolean): readonly OpeningProblem[] {
  if (!isLive || identityProvider.name !== "demo") return [];
  return [{ name: "identity_provider", text: "IDENTITY_PROVIDER is demo, whose approvals a live sale doesn't accept" }];
}

async function signerProblems(dependencies: Dependencies, sale: SaleFacts): Promise<readonly OpeningProblem[]> {
  const keys = await dependencies.database.read((query) => readKeys(query, sale.saleUuid));
  const key = activeKeyOf(keys, sale);
  if (key === undefined)
    return [{ name: "key", text: `no key for the chain ${sale.chain} is active that would sign them` }];
  const { accepted, problem } = await contractKnowledge(dependencies, sale, key);
  if (accepted === true) return [];
  if (accepted === undefined) return [{ name: "contract", text: problem }];
  const address = formatWallet({ kind: key.kind, bytes: key.address });
  return [{ name: "signer", text: `its contract doesn't accept those of the key ${address}` }];
}

async function termsProblems(
  dependencies: Dependencies,
  sale: SaleFacts,
  rules: ParticipationRules,
): Promise<readonly OpeningProblem[]> {
  const known = await readContractTerms(dependencies, sale);
  if ("problem" in known) return [{ name: "contract", text: `what its contract takes isn't known: ${known.problem}` }];
  return termsViolations(rules, known.terms).map(({ field, message }) => ({
    name: "rules",
    text: `${field} ${message}`,
  }));
}
