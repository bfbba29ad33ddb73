import type { SourceCommitment } from "../../contracts/source-commitment.ts";
import type { CommitmentRecord } from "../../sale/record/commitment.ts";
import { commitmentDigest } from "../../sale/record/commitment-digest.ts";
import type { Checks } from "./checks.ts";
import { rowDifferences } from "./row-differences.ts";
import type { TableRow } from "./row-table.ts";
import type { ShownRows } from "./shown-rows.ts";

/** Commitments whose differing fields are looked up. Of further ones only the ID is named. */
const MAX_DETAILED = 100;

/** Compares every commitment of a contract with those that Tidemark shows, in any order. */
export class RowComparison {
  readonly #shown: ShownRows;
  readonly #hasIndexes: boolean;
  readonly #checks: Checks;
  /** Commitments of the chain that are shown otherwise, with the digest that is shown. */
  readonly #differing: { readonly row: CommitmentRecord; readonly digest: string }[] = [];
  #differingCount = 0;
  #compared = 0n;

  constructor(shown: ShownRows, hasIndexes: boolean, checks: Checks) {
    this.#shown = shown;
    this.#hasIndexes = hasIndexes;
    this.#checks = checks;
  }

  /** Compares a commitment of the chain. @returns how it is shown; undefined if it isn't */
  add(row: CommitmentRecord): TableRow | undefined {
    this.#compared += 1n;
    const shown = this.#shown.table.see(row.commitmentId);
    const subject = `commitment 0x${row.commitmentId}`;
    if (shown === undefined) {
      this.#checks.differs("commitments", subject, "no such commitment", summaryOf(row));
      return undefined;
    }
    if (this.#hasIndexes) {
      this.#checks.compare("commitments", `${subject}, index`, shown.sourceIndex, row.sourceIndex);
    }
    if (shown.digest !== commitmentDigest(row)) this.#addDiffering(row, shown.digest);
    return shown;
  }

  /** Reports everything that shows only once all commitments of the chain are known. */
  async conclude(signal: AbortSignal): Promise<void> {
    const { table, contradictions, contradictionCount } = this.#shown;
    this.#checks.covers(
      "commitments",
      `${this.#compared} of the contract and ${table.size} shown, every field of each`,
    );
    for (const commitmentId of table.unseen()) {
      this.#checks.differs("commitments", `commitment 0x${commitmentId}`, "shown", "no such commitment");
    }
    for (const { commitmentId, field, shown, derived } of contradictions) {
      this.#checks.differs("commitments", `commitment 0x${commitmentId}, ${field}`, shown, derived);
    }
    this.#reportFurther(contradictionCount - contradictions.length, "whose parts contradict each other");
    await this.#detail(signal);
  }

  #addDiffering(row: CommitmentRecord, digest: string): void {
    this.#differingCount += 1;
    if (this.#differing.length < MAX_DETAILED) this.#differing.push({ row, digest });
  }

  async #detail(signal: AbortSignal): Promise<void> {
    const ids = this.#differing.map(({ row }) => row.commitmentId);
    const records = ids.length === 0 ? [] : await this.#shown.records(ids, signal);
    const shownById = new Map(records.map((record) => [record.commitmentId, record]));
    for (const { row, digest } of this.#differing) this.#reportFields(row, digest, shownById.get(row.commitmentId));
    this.#reportFurther(this.#differingCount - this.#differing.length, "shown otherwise");
  }

  #reportFurther(count: number, problem: string): void {
    if (count > 0)
      this.#checks.differs("commitments", `${count} further commitments`, problem, "as its contract has them");
  }

  /** @param shown the commitment as it is shown now, which may be later than the comparison */
  #reportFields(row: CommitmentRecord, digest: string, shown: SourceCommitment | undefined): void {
    const subject = `commitment 0x${row.commitmentId}`;
    if (shown === undefined || commitmentDigest(shown) !== digest) {
      this.#checks.differs("commitments", subject, "another one of this ID", summaryOf(row));
      return;
    }
    for (const { field, shown: one, chain } of rowDifferences(shown, row)) {
      this.#checks.differs("commitments", `${subject}, ${field}`, one, chain);
    }
  }
}

/** The fields of a commitment in one line. */
function summaryOf({ entityId, createdAtSeconds, priceTicks, lockup, refunded, amounts }: CommitmentRecord): string {
  const flags = [lockup ? ", lockup" : "", refunded ? ", refunded" : ""].join("");
  const paid = amounts.map(({ wallet, token, amount }) => `${amount} of ${token} from ${wallet}`).join(", ");
  return `entity 0x${entityId}, time ${createdAtSeconds}, ${priceTicks} ticks${flags}; ${paid || "no amounts"}`;
}
