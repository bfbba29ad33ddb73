import { marksRefunds } from "../../sale/definition/contract-family.ts";
import type { SaleDefinition } from "../../sale/definition/sale.ts";
import type { SaleSnapshot } from "../../sale/figures/commitment-data.ts";
import { commitmentPresenter, presentCommitmentData } from "../../sale/figures/commitment-data.ts";
import { createExtraDataParser } from "../../sale/figures/extra-data.ts";
import type { CommitmentRecord } from "../../sale/record/commitment.ts";
import { AcceptedAmounts } from "./accepted-amounts.ts";
import { ChainFigures } from "./chain-figures.ts";
import type { ChainSale } from "./chain-sale.ts";
import type { Checks } from "./checks.ts";
import { compareFacts } from "./compare-facts.ts";
import { compareListed, compareTotals } from "./compare-figures.ts";
import { countsNow } from "./counts-now.ts";
import { PositionComparison, type PresentationRules } from "./position-comparison.ts";
import { RowComparison } from "./row-comparison.ts";
import type { ShownSale } from "./shown-sale.ts";
import { TokenSums } from "./token-sums.ts";

export interface ComparisonOptions {
  readonly signal: AbortSignal;
  /** Called with the number of the chain's commitments that were read so far, and of all. */
  readonly onProgress: (read: bigint, all: bigint) => Promise<void>;
}

/** The outcome of a comparison besides its checks. */
export interface ComparedSale {
  /** Texts for people about what the comparison doesn't prove. */
  readonly remarks: readonly string[];
}

/** Compares a sale as Tidemark shows it with the same sale on its chain. @throws SourceFault if the chain can't be read */
export async function compareSale(
  shown: ShownSale,
  chain: ChainSale,
  checks: Checks,
  options: ComparisonOptions,
): Promise<ComparedSale> {
  compareFacts(shown, chain, checks);
  const comparison = new SaleComparison(shown, chain, checks);
  let read = 0n;
  for await (const rows of chain.rows(options.signal)) {
    for (const row of rows) comparison.add(row);
    read += BigInt(rows.length);
    await options.onProgress(read, chain.count);
  }
  return comparison.conclude(options.signal);
}

/** The comparison of a sale's commitments, while they are read one after the other. */
class SaleComparison {
  readonly #shown: ShownSale;
  readonly #checks: Checks;
  readonly #chain: ChainSale;
  readonly #figures: ChainFigures;
  /** The amounts of all commitments, refunded ones included, as contracts add them up. */
  readonly #sums = new TokenSums();
  readonly #accepted: AcceptedAmounts;
  readonly #rows: RowComparison | undefined;
  readonly #position: PositionComparison | undefined;
  readonly #tokens: ReadonlySet<string>;
  /** The chain's commitments with the IDs in the list of the latest. */
  readonly #listed = new Map<string, CommitmentRecord | undefined>();
  /** Commitments of which the contract's state doesn't say whether they count. */
  #undecided = 0n;

  constructor(shown: ShownSale, chain: ChainSale, checks: Checks) {
    this.#shown = shown;
    this.#chain = chain;
    this.#checks = checks;
    this.#figures = new ChainFigures(shown.definition);
    this.#accepted = new AcceptedAmounts(shown.definition);
    this.#rows = shown.rows && new RowComparison(shown.rows, chain.hasIndexes, checks);
    this.#position = shown.position && new PositionComparison(shown.position, checks);
    this.#tokens = new Set(shown.definition.paymentTokens.map(({ address }) => address));
    for (const { commitmentId } of shown.figures.commitments) this.#listed.set(commitmentId, undefined);
  }

  add(row: CommitmentRecord): void {
    const added = this.#rows?.add(row);
    this.#sums.add(row.amounts);
    this.#accepted.add(row);
    const reduced = this.#withKnownTokens(row);
    if (this.#listed.has(row.commitmentId)) this.#listed.set(row.commitmentId, reduced);
    const counts = countsNow(reduced, this.#shown.settled, this.#keepsAmounts);
    this.#position?.add(reduced, counts);
    if (counts === undefined) this.#undecided += 1n;
    // Where all commitments are shown, each says whether it counts.
    if (counts ?? added?.active ?? false) this.#figures.add(reduced);
  }

  async conclude(signal: AbortSignal): Promise<ComparedSale> {
    await this.#rows?.conclude(signal);
    const { definition, figures } = this.#shown;
    const settings: SaleDefinition = { ...definition, cancelledKeepsAmounts: this.#keepsAmounts ?? false };
    const parse = await createExtraDataParser(definition.extraDataParameters);
    const present = commitmentPresenter(settings, parse);
    compareListed(
      figures.commitments,
      (id) => presented(this.#listed.get(id), present),
      definition.parsesExtraData,
      this.#checks,
    );
    const snapshot = this.#undecided > 0n && this.#rows === undefined ? undefined : this.#figures.snapshot();
    if (snapshot === undefined) this.#skipTotals();
    else compareTotals(figures, presentCommitmentData(settings, snapshot, parse), this.#checks);
    const { acceptedTotals, totals } = this.#chain;
    const saysAccepted = acceptedTotals !== undefined;
    const refunds = marksRefunds(this.#shown.source.contractFamily);
    this.#position?.conclude({ present, definition, saysAccepted, marksRefunds: refunds, ...this.#clearing(snapshot) });
    const accepted = this.#accepted.compare(this.#shown.accepted, acceptedTotals, this.#checks);
    return { remarks: [...compareTokenSums(this.#sums, totals), ...accepted, ...this.#undecidedRemark()] };
  }

  get #keepsAmounts(): boolean | undefined {
    return this.#shown.definition.cancelledKeepsAmounts ?? this.#chain.cancelledKeepsAmounts;
  }

  #clearing(snapshot: SaleSnapshot | undefined): Pick<PresentationRules, "clearing"> {
    const tick = snapshot?.clearingTick;
    return tick === undefined ? {} : { clearing: { tick, demand: this.#figures.demandFrom(tick) } };
  }

  /** The commitment without amounts in tokens that the sale doesn't list, which are differences. */
  #withKnownTokens(row: CommitmentRecord): CommitmentRecord {
    const isKnown = ({ token, amount }: CommitmentRecord["amounts"][number]) =>
      amount === 0n || this.#tokens.has(token);
    if (row.amounts.every(isKnown)) return row;
    const unknown = row.amounts
      .filter((amount) => !isKnown(amount))
      .map(({ token, amount }) => `${amount} of ${token}`);
    this.#checks.differs(
      "commitments",
      `commitment 0x${row.commitmentId}`,
      "no such payment token",
      unknown.join(", "),
    );
    return { ...row, amounts: row.amounts.filter(isKnown) };
  }

  #skipTotals(): void {
    const reason = `of ${this.#undecided} refunded commitments the contract doesn't say whether they count`;
    for (const name of ["total", "count", "clearing price"] as const) this.#checks.skipped(name, reason);
    this.#checks.covers("latest", `${this.#listed.size} commitments, field by field; not that they are the latest`);
  }

  #undecidedRemark(): readonly string[] {
    if (this.#undecided === 0n) return [];
    const problem = `${this.#undecided} commitments are refunded, and keep their amounts`;
    return [
      `${problem}: whether they were cancelled before the end isn't in the contract's state, so it isn't checked`,
    ];
  }
}

function presented<Presented>(row: CommitmentRecord | undefined, present: (row: CommitmentRecord) => Presented) {
  return row && present(row);
}

/**
 * Compares the sums of a contract's commitments with its own totals. Both are the node's word, so a difference says nothing
 * about Tidemark: either the contract counts otherwise, or the node's answers contradict each other.
 *
 * @returns texts for people
 */
function compareTokenSums(sums: TokenSums, totals: ReadonlyMap<string, bigint> | undefined): readonly string[] {
  if (totals === undefined) return [];
  return sums.differing(totals).map((token) => {
    const total = `the contract's own total of token ${token} is ${totals.get(token) ?? 0n}`;
    return `${total}, and its commitments have ${sums.of(token)}: it may count otherwise, or the node may not be honest`;
  });
}
