import { AmountNormaliser } from "../../sale/figures/amount.ts";
import type { PresentedCommitment } from "../../sale/figures/commitment-data.ts";
import { type Clearing, positionEntry } from "../../sale/figures/position.ts";
import { allocationsOfRecords, normaliseAllocations } from "../../sale/figures/position-allocations.ts";
import type { CommitmentRecord } from "../../sale/record/commitment.ts";
import type { Checks } from "./checks.ts";
import { comparePresented } from "./compare-figures.ts";
import type { ShownAllocation, ShownEntry, ShownPosition } from "./shown-position.ts";
import type { ShownDefinition } from "./shown-sale.ts";

/** The counting class of commitments that count here; see `CountingClass`. */
const COUNTED = 1n;
const NOT_COUNTED = 2n;

/** A commitment of the wallet as the chain has it. */
interface OwnRow {
  readonly record: CommitmentRecord;
  /** Undefined if the contract's state doesn't say it. */
  readonly counts: boolean | undefined;
}

/** The rules by which Tidemark should present commitments. */
export interface PresentationRules {
  readonly present: (record: CommitmentRecord) => PresentedCommitment;
  readonly definition: ShownDefinition;
  /** Whether the contract says what it accepts. */
  readonly saysAccepted: boolean;
  /** Whether the contract marks refunded commitments. */
  readonly marksRefunds: boolean;
  /** Absent at a fixed price, and if it isn't known. */
  readonly clearing?: Clearing;
}

/** Compares what Tidemark shows of a wallet with the commitments of the contract that name it. */
export class PositionComparison {
  readonly #shown: ShownPosition;
  readonly #checks: Checks;
  readonly #own = new Map<string, OwnRow>();

  constructor(shown: ShownPosition, checks: Checks) {
    this.#shown = shown;
    this.#checks = checks;
  }

  /** Adds a commitment of the chain, of whichever wallet. */
  add(record: CommitmentRecord, counts: boolean | undefined): void {
    if (record.amounts.every(({ wallet }) => wallet !== this.#shown.wallet)) return;
    this.#own.set(record.commitmentId, { record, counts });
  }

  conclude(rules: PresentationRules): void {
    const { wallet, entries } = this.#shown;
    const commitments = this.#own.size === 1 ? "commitment" : "commitments";
    this.#checks.covers("wallet", `${this.#own.size} ${commitments} of ${wallet}, field by field`);
    const shownIds = new Set(entries.map(({ commitment }) => commitment.commitmentId));
    if (shownIds.size < entries.length) this.#checks.differs("wallet", wallet, "a commitment twice", "each once");
    for (const id of this.#own.keys()) {
      if (!shownIds.has(id)) this.#checks.differs("wallet", `commitment 0x${id}`, "not shown", "names the wallet");
    }
    for (const entry of entries) this.#compare(entry, rules);
    this.#compareAllocations(rules);
  }

  #compareAllocations({ definition, saysAccepted, marksRefunds }: PresentationRules): void {
    const records = Array.from(this.#own.values(), ({ record }) => record);
    const raw = allocationsOfRecords(records, this.#shown.wallet, marksRefunds);
    const own = saysAccepted ? normaliseAllocations(new AmountNormaliser(definition), raw) : undefined;
    this.#checks.compare("wallet", "accepted and paid back", textOf(this.#shown.allocations), textOf(own));
  }

  #compare(entry: ShownEntry, rules: PresentationRules): void {
    const { commitment } = entry;
    const subject = `commitment 0x${commitment.commitmentId}`;
    const own = this.#own.get(commitment.commitmentId);
    if (own === undefined) {
      this.#checks.differs("wallet", subject, "shown", "doesn't name the wallet");
      return;
    }
    const { definition, present } = rules;
    comparePresented("wallet", subject, commitment, present(own.record), definition.parsesExtraData, this.#checks);
    if (own.counts !== undefined) this.#compareCounting(subject, entry, { ...own, counts: own.counts }, rules);
  }

  #compareCounting(
    subject: string,
    shown: ShownEntry,
    { record, counts }: Required<OwnRow>,
    { definition, clearing }: PresentationRules,
  ): void {
    const hasAmount = record.amounts.some(({ amount }) => amount > 0n);
    const countingClass = (hasAmount ? 1n : -1n) * (counts ? COUNTED : NOT_COUNTED);
    const facts = { definition, active: [COUNTED], ...(clearing && { clearing }) };
    const { notCounted, outcome } = positionEntry({ record, countingClass }, facts);
    this.#checks.compare("wallet", `${subject}, counts`, shown.counted, counts);
    this.#checks.compare("wallet", `${subject}, why it doesn't count`, shown.notCounted, notCounted);
    const isKnown = clearing !== undefined || definition.pricing.kind === "fixed";
    if (isKnown) this.#checks.compare("wallet", `${subject}, in or out`, shown.outcome, outcome);
  }
}

/** Allocations in one text, which is the same for every order; undefined without any knowledge of them. */
function textOf(allocations: readonly ShownAllocation[] | undefined): string | undefined {
  return allocations
    ?.map(
      ({ entityId, token, accepted, refunded }) =>
        `${accepted} accepted and ${refunded ?? "an unknown amount"} paid back of ${token} for entity 0x${entityId}`,
    )
    .sort()
    .join(", ");
}
