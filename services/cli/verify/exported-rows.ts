import type { Client } from "@connectrpc/connect";
import type { SourceCommitment } from "../../../common/contracts/source-commitment.ts";
import { bytesOfHex } from "../../../common/platform/encoding/hex.ts";
import { AmountNormaliser } from "../../../common/sale/figures/amount.ts";
import { recordOf } from "../../../common/sale/record/commitment-message.ts";
import { countsNow } from "../../../common/verify/compare/counts-now.ts";
import { RowTable } from "../../../common/verify/compare/row-table.ts";
import type { ShownContradiction, ShownRows } from "../../../common/verify/compare/shown-rows.ts";
import type { ShownDefinition } from "../../../common/verify/compare/shown-sale.ts";
import { MovedOn } from "../../../common/verify/shown/moved-on.ts";
import type {
  CommitmentService,
  ExportCommitmentsResponse,
  ListedCommitment,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";

/** The longest export, in milliseconds. */
const EXPORT_TIMEOUT_MS = 3_600_000;
const MAX_CONTRADICTIONS = 100;

/** The state whose commitments are read. */
export interface ExportedState {
  readonly saleUuid: string;
  readonly generation: bigint;
  readonly revision: bigint;
  readonly settled: boolean;
  readonly definition: ShownDefinition;
}

/**
 * Reads all commitments that the commitments service has.
 *
 * @throws MovedOn if they aren't those of the state any more; what the call throws; Error for an answer that isn't whole
 */
export async function exportedRows(
  commitments: Client<typeof CommitmentService>,
  state: ExportedState,
  signal: AbortSignal,
): Promise<ShownRows> {
  const { saleUuid } = state;
  const parts = commitments.exportCommitments({ saleUuid }, { signal, timeoutMs: EXPORT_TIMEOUT_MS });
  const rows = new ExportedRows(state);
  for await (const { part } of parts) rows.take(part);
  rows.requireWhole();
  const records = async (commitmentIds: readonly string[], soon: AbortSignal) => {
    const answer = await commitments.getCommitmentRecords(
      { saleUuid, commitmentIds: commitmentIds.map((id) => new Uint8Array(bytesOfHex(id))) },
      { signal: soon },
    );
    return answer.records.map((record): SourceCommitment => ({ sourceIndex: 0n, ...recordOf(record) }));
  };
  return { ...rows.shown, records };
}

class ExportedRows {
  readonly #state: ExportedState;
  readonly #normaliser: AmountNormaliser;
  readonly #table = new RowTable();
  readonly #contradictions: ShownContradiction[] = [];
  #contradictionCount = 0;
  #read = 0n;
  #expected: bigint | undefined;

  constructor(state: ExportedState) {
    this.#state = state;
    this.#normaliser = new AmountNormaliser(state.definition);
  }

  get shown(): Omit<ShownRows, "records"> {
    return {
      table: this.#table,
      contradictions: this.#contradictions,
      contradictionCount: this.#contradictionCount,
    };
  }

  take(part: ExportCommitmentsResponse["part"]): void {
    if (part.case === "commitments") for (const listed of part.value.commitments) this.#add(listed);
    if (part.case !== "header") return;
    const { generation, revision, commitmentCount } = part.value;
    if (generation !== this.#state.generation || revision !== this.#state.revision) throw new MovedOn();
    this.#expected = commitmentCount;
  }

  requireWhole(): void {
    if (this.#expected === this.#read) return;
    throw new Error(`the export has ${this.#read} commitments instead of ${this.#expected}`);
  }

  #add({ record, active, amount }: ListedCommitment): void {
    if (record === undefined) throw new TypeError("the answer has a commitment without its record");
    const row = recordOf(record);
    this.#read += 1n;
    if (!this.#table.add(row, active)) this.#contradict(row.commitmentId, "number", "listed twice", "listed once");
    const { definition, settled } = this.#state;
    const derived = this.#amountOf(row);
    if (derived !== amount) this.#contradict(row.commitmentId, "amount", amount, derived);
    const counts = countsNow(row, settled, definition.cancelledKeepsAmounts);
    if (counts !== undefined && counts !== active)
      this.#contradict(row.commitmentId, "active", `${active}`, `${counts}`);
  }

  #amountOf({ amounts }: ReturnType<typeof recordOf>): string {
    try {
      return this.#normaliser.sum(amounts).toString();
    } catch (error) {
      if (error instanceof RangeError) return "an amount in a token that the sale doesn't list";
      throw error;
    }
  }

  #contradict(commitmentId: string, field: ShownContradiction["field"], shown: string, derived: string): void {
    this.#contradictionCount += 1;
    if (this.#contradictions.length < MAX_CONTRADICTIONS) {
      this.#contradictions.push({ commitmentId, field, shown, derived });
    }
  }
}
