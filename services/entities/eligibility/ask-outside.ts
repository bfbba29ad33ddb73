import type { EntitiesContext } from "../base/context.ts";
import { screenWallet } from "../screening/wallet-screener.ts";
import type { ContractBids } from "../wallets/binding.ts";
import { readEntityBids, readWalletBids } from "../wallets/entity-bids.ts";
import type { OutsideAnswers, OutsideQuestion } from "./decide.ts";
import type { EligibilitySubject } from "./load-facts.ts";

/**
 * Asks the commitments service for bids in the sale's contract, or the sale's screener about a wallet. No lock may be held meanwhile.
 *
 * @returns the answers with this one
 * @throws ServiceError `unavailable` if the commitments service doesn't answer
 */
export async function askOutside<Answers extends OutsideAnswers>(
  context: EntitiesContext,
  { sale, entity, wallet }: Pick<EligibilitySubject, "sale" | "entity" | "wallet">,
  question: OutsideQuestion,
  answers: Answers,
): Promise<Answers> {
  if (question.kind === "bids") {
    const bids = await READ_BIDS[question.bidsOf](context, { sale, entity, wallet });
    return { ...answers, bids: { ...answers.bids, ...bids } };
  }
  const { rules } = question;
  const isRisky = (await screenWallet(context, sale.saleUuid, rules, wallet)) === "risky";
  return { ...answers, screening: { isRisky, rules } };
}

type Asking = Pick<EligibilitySubject, "sale" | "entity" | "wallet">;

const READ_BIDS: Readonly<
  Record<keyof ContractBids, (context: EntitiesContext, asking: Asking) => Promise<ContractBids>>
> = {
  ofWallet: async (context, { sale: { saleUuid }, entity: { saleSpecificId }, wallet }) => ({
    ofWallet: await readWalletBids(context, saleUuid, saleSpecificId, wallet),
  }),
  ofEntity: async (context, { sale: { saleUuid }, entity: { entityUuid }, wallet }) => ({
    ofEntity: await readEntityBids(context, saleUuid, entityUuid, wallet.kind),
  }),
};
