import type { EntitiesContext } from "../base/context.ts";
import { screenWallet } from "../screening/wallet-screener.ts";
import { readEntityBids } from "../wallets/entity-bids.ts";
import type { OutsideAnswers, OutsideQuestion } from "./decide.ts";
import type { EligibilitySubject } from "./load-facts.ts";

/**
 * Asks the commitments service for an entity's bids, or the sale's screener about a wallet. No lock may be held meanwhile.
 *
 * @returns the answers with this one
 * @throws ServiceError `unavailable` if the commitments service doesn't answer
 */
export async function askOutside<Answers extends OutsideAnswers>(
  context: EntitiesContext,
  { sale: { saleUuid }, wallet }: Pick<EligibilitySubject, "sale" | "wallet">,
  question: OutsideQuestion,
  answers: Answers,
): Promise<Answers> {
  if (question.kind === "bids") {
    const bids = await readEntityBids(context, saleUuid, question.entityUuid, wallet.kind);
    return { ...answers, bids: new Map([...answers.bids, [question.entityUuid, bids]]) };
  }
  const { rules } = question;
  const isRisky = (await screenWallet(context, saleUuid, rules, wallet)) === "risky";
  return { ...answers, screening: { isRisky, rules } };
}
