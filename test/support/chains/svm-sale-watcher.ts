import { isDeepStrictEqual } from "node:util";
import { Code, ConnectError } from "@connectrpc/connect";
import { expect } from "vitest";
import { SaleStatus } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { commitmentOf } from "../../../services/indexer/sending/stored-sale.ts";
import type { CommitmentsProcess } from "../processes/commitments-process.ts";
import { until } from "../repository/polling.ts";
import { decodeSvmSale, type SvmFigures, svmRow } from "./svm-direct.ts";
import type { SvmNode } from "./svm-node.ts";

const DONE = 4;
const LOOK_INTERVAL_MS = 20;

interface Look {
  readonly fault: string;
  /** The slot of the shown figures; undefined before the first snapshot. */
  readonly slot: number | undefined;
  /** Whether all shown figures are right and match the current accounts. */
  readonly isUpToDate: boolean;
}

/** Reads a sale like the public, and compares all of it with the program's accounts at the sale's slot. */
export class SvmSaleWatcher {
  readonly #service: CommitmentsProcess;
  readonly #saleUuid: string;
  readonly #node: SvmNode;
  /** The last revision that was compared. Its figures can't change. */
  #revision: bigint | undefined;
  readonly #expected = new Map<number, SvmFigures>();
  #compared = 0;
  #faults = 0;

  constructor(service: CommitmentsProcess, saleUuid: string, node: SvmNode) {
    this.#service = service;
    this.#saleUuid = saleUuid;
    this.#node = node;
  }

  /** Number of looks that found a fault. */
  get faultsSeen(): number {
    return this.#faults;
  }

  get summary(): string {
    return `${this.#compared} comparisons, ${this.#faults} looks at a fault`;
  }

  async look(): Promise<Look> {
    const before = await this.#state();
    const { fault, slot, revision } = before;
    if (fault !== "") this.#faults += 1;
    if (slot === undefined) return { fault, slot, isUpToDate: false };
    const isRight = revision === this.#revision || (await this.#compare(before, slot));
    return { fault, slot, isUpToDate: isRight && this.#isCurrent(slot) };
  }

  #isCurrent(slot: number): boolean {
    const newest = this.#node.state.slot;
    return slot === newest || isDeepStrictEqual(this.expectedAt(slot), this.expectedAt(newest));
  }

  /** @returns whether everything that was read belongs to one revision. */
  async #compare({ revision, isSettled }: { revision: bigint | undefined; isSettled: boolean }, slot: number) {
    const shown = await this.#shown();
    if (shown === undefined || revision !== (await this.#state()).revision) return false;
    const { stage, ...expected } = this.expectedAt(slot);
    expect({ slot, isSettled, ...shown }).toEqual({ slot, isSettled: stage === DONE, ...expected });
    this.#revision = revision;
    this.#compared += 1;
    return true;
  }

  /** The state of the accounts at a slot. */
  expectedAt(slot: number): SvmFigures {
    const known = this.#expected.get(slot);
    if (known !== undefined) return known;
    const figures = decodeSvmSale(this.#node.accountsAt(slot), this.#node.saleAccount);
    this.#expected.set(slot, figures);
    return figures;
  }

  /** Looks until the current state of the accounts is shown. */
  untilInStep(): Promise<void> {
    return this.until(({ isUpToDate }) => isUpToDate);
  }

  /** Looks, up to a minute, until a condition holds. */
  until(isWanted: (look: Look) => boolean): Promise<void> {
    return until(async () => isWanted(await this.look()), LOOK_INTERVAL_MS);
  }

  async #state() {
    const { sale } = await this.#service.sales.getSale({ saleUuid: this.#saleUuid });
    const slot = sale?.hasSnapshot === true ? Number(sale.sourcePosition?.height) : undefined;
    const isSettled = sale?.status === SaleStatus.SETTLED;
    return { revision: sale?.revision, fault: sale?.sourceStatus?.fault ?? "", slot, isSettled };
  }

  /** Undefined during a change set. */
  async #shown() {
    try {
      const rows = await this.#rows();
      const { data } = await this.#service.commitments.getCommitmentData({ saleUuid: this.#saleUuid });
      return { rows, total: data?.totalAmount, count: data?.commitmentCount };
    } catch (error) {
      if (ConnectError.from(error).code === Code.Unavailable) return undefined;
      throw error;
    }
  }

  /** The rows with an amount. For others, the sums can't confirm that a list is complete. */
  async #rows(): Promise<readonly string[]> {
    const rows: string[] = [];
    let pageToken = "";
    do {
      const request = { saleUuid: this.#saleUuid, pageSize: 500, pageToken };
      const page = await this.#service.commitments.listCommitments(request);
      const records = page.commitments.flatMap(({ record }) => (record === undefined ? [] : commitmentOf(record)));
      rows.push(...records.filter(({ amounts }) => amounts.length > 0).map(svmRow));
      pageToken = page.nextPageToken;
    } while (pageToken !== "");
    return rows.sort();
  }
}
