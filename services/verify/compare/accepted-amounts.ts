import { AmountNormaliser } from "../../commitments/domain/figures/amount.ts";
import type { CommitmentRecord } from "../../commitments/domain/sale/commitment.ts";
import { addTo } from "../../commitments/domain/sale/token-amounts.ts";
import type { Checks } from "./checks.ts";
import type { ShownAccepted } from "./shown-accepted.ts";
import type { ShownDefinition } from "./shown-sale.ts";

/** Adds up what a contract accepts of each commitment. */
export class AcceptedAmounts {
  readonly #definition: ShownDefinition;
  readonly #sums = new Map<string, bigint>();

  constructor(definition: ShownDefinition) {
    this.#definition = definition;
  }

  add({ accepted = [] }: CommitmentRecord): void {
    for (const { token, amount } of accepted) addTo(this.#sums, token, amount);
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
    else checks.made("accepted", `${total} smallest units of all commitments together`);
    checks.compare("accepted", "accepted of all commitments", shown?.total, total);
    if (totals === undefined) return [];
    for (const token of tokensOf(shown?.byToken ?? new Map(), this.#sums)) {
      if (shown?.byToken === undefined) break;
      checks.compare("accepted", `accepted of ${token}`, shown.byToken.get(token) ?? 0n, this.#sums.get(token) ?? 0n);
    }
    return this.#contradictions(totals);
  }

  #total(): bigint {
    const normaliser = new AmountNormaliser(this.#definition);
    const known = new Set(this.#definition.paymentTokens.map(({ address }) => address));
    return [...this.#sums]
      .filter(([token]) => known.has(token))
      .reduce((sum, [token, amount]) => sum + normaliser.normalise(token, amount), 0n);
  }

  #contradictions(totals: ReadonlyMap<string, bigint>): readonly string[] {
    return tokensOf(totals, this.#sums)
      .filter((token) => (totals.get(token) ?? 0n) !== (this.#sums.get(token) ?? 0n))
      .map((token) => {
        const total = `the contract says that it accepts ${totals.get(token) ?? 0n} of token ${token}`;
        return `${total}, and of its commitments ${this.#sums.get(token) ?? 0n}`;
      });
  }
}

function tokensOf(some: ReadonlyMap<string, bigint>, others: ReadonlyMap<string, bigint>): readonly string[] {
  return [...new Set([...some.keys(), ...others.keys()])];
}
