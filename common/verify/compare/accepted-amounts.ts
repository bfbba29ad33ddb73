import { AmountNormaliser } from "../../sale/figures/amount.ts";
import type { CommitmentRecord } from "../../sale/record/commitment.ts";
import type { Checks } from "./checks.ts";
import type { ShownAccepted } from "./shown-accepted.ts";
import type { ShownDefinition } from "./shown-sale.ts";
import { TokenSums } from "./token-sums.ts";

/** Adds up what a contract accepts of each commitment. */
export class AcceptedAmounts {
  readonly #definition: ShownDefinition;
  readonly #sums = new TokenSums();

  constructor(definition: ShownDefinition) {
    this.#definition = definition;
  }

  add({ accepted = [] }: CommitmentRecord): void {
    this.#sums.add(accepted);
  }

  /**
   * Compares what Tidemark shows with these sums.
   *
   * @param totals the contract's own; undefined if it doesn't say what it accepts
   * @returns texts for people: a contract whose totals aren't the sums of its own commitments
   */
  compare(
    shown: ShownAccepted | undefined,
    totals: ReadonlyMap<string, bigint> | undefined,
    checks: Checks,
  ): readonly string[] {
    if (totals === undefined && shown === undefined) return [];
    const total = totals === undefined ? undefined : this.#total();
    if (total === undefined) checks.skipped("accepted", "the contract doesn't say what it accepts");
    else checks.covers("accepted", `${total} smallest units of all commitments together`);
    checks.compare("accepted", "accepted of all commitments", shown?.total, total);
    if (totals === undefined) return [];
    if (shown?.byToken !== undefined) this.#compareTokens(shown.byToken, checks);
    return this.#contradictions(totals);
  }

  #total(): bigint {
    const normaliser = new AmountNormaliser(this.#definition);
    // A set: whoever is checked may list a token twice.
    const tokens = new Set(this.#definition.paymentTokens.map(({ address }) => address));
    return [...tokens].reduce((sum, token) => sum + normaliser.normalise(token, this.#sums.of(token)), 0n);
  }

  #compareTokens(shown: ReadonlyMap<string, bigint>, checks: Checks): void {
    for (const token of this.#sums.differing(shown)) {
      checks.compare("accepted", `accepted of ${token}`, shown.get(token) ?? 0n, this.#sums.of(token));
    }
  }

  #contradictions(totals: ReadonlyMap<string, bigint>): readonly string[] {
    return this.#sums.differing(totals).map((token) => {
      const total = `the contract says that it accepts ${totals.get(token) ?? 0n} of token ${token}`;
      return `${total}, and of its commitments ${this.#sums.of(token)}`;
    });
  }
}
