import { randomUUID } from "node:crypto";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import { messageBytes } from "../../../common/platform/encoding/hex.ts";
import type { SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { recordMessage } from "../../../common/sale/record/commitment-message.ts";
import {
  type ApplyCommitmentsRequest,
  ApplyCommitmentsRequestSchema,
  type ApplyCommitmentsResponse,
  type GetCommitmentDataResponse,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { SaleStage } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { NaiveSale } from "../../support/chains/naive-sale.ts";
import type { SaleChange } from "./bid-source.ts";
import type { PersistentCaller } from "./persistent-caller.ts";
import { figuresExpected, figuresShown, type ShownFigures } from "./shown-figures.ts";

/** The fields of an apply besides its rows. */
export type Envelope = Pick<
  Exclude<MessageInitShape<typeof ApplyCommitmentsRequestSchema>, ApplyCommitmentsRequest>,
  "expectedRevision" | "leaseEpoch" | "sourcePosition" | "changeSet"
>;

/** An apply that the service has acknowledged. */
export interface Entry {
  readonly request: ApplyCommitmentsRequest;
  readonly change: SaleChange;
  /** The sale's revision after it. */
  readonly revision: bigint;
  /** Whether it made that revision. All parts of a change set except the last one don't. */
  readonly visible: boolean;
}

const STAGES = { commitment: SaleStage.COMMITMENT, done: SaleStage.DONE };

/** All applies to a sale that the service has acknowledged, and all figures that readers have seen. */
export class SaleLedger {
  readonly saleUuid: string;
  readonly #definition: SaleDefinition;
  readonly #entries: Entry[] = [];
  readonly #seen = new Map<bigint, ShownFigures[]>();
  #answersLost = 0;

  constructor(saleUuid: string, definition: SaleDefinition) {
    this.saleUuid = saleUuid;
    this.#definition = definition;
  }

  /** The entries in the order of their execution: by revision, and parts of a change set before its last part. */
  get entries(): readonly Entry[] {
    // Parts that aren't visible have the previous revision. The sort is stable, and only one writer sends parts.
    return this.#entries.toSorted((left, right) => Number(left.revision - right.revision));
  }

  /** The number of applies that were carried out although their first response was lost. */
  get answersLost(): number {
    return this.#answersLost;
  }

  /** The revisions that readers have seen, each once. */
  get revisionsSeen(): readonly bigint[] {
    return [...this.#seen.keys()];
  }

  /** Applies a change that readers can see, and repeats the call until it is acknowledged. */
  async apply(caller: PersistentCaller, change: SaleChange, envelope: Envelope = {}): Promise<Entry> {
    const request = applyRequest(this.saleUuid, change, envelope);
    const { revision, repeatedRequest } = await caller.call((client, options) =>
      client.applyCommitments(request, options),
    );
    if (repeatedRequest) this.#answersLost += 1;
    const entry = { request, change, revision, visible: request.changeSet?.last ?? true };
    this.#entries.push(entry);
    return entry;
  }

  /** Reads the public data and records it. */
  async observe(caller: PersistentCaller): Promise<GetCommitmentDataResponse> {
    const response = await caller.call((client, options) =>
      client.getCommitmentData({ saleUuid: this.saleUuid }, options),
    );
    if (response.data === undefined) throw new Error("GetCommitmentDataResponse.data is missing");
    this.#seen.set(response.revision, [...(this.#seen.get(response.revision) ?? []), figuresShown(response.data)]);
    return response;
  }

  /** Applies all entries to a model, and compares the model at each revision with what readers have seen. @returns the model */
  replay(compare: (revision: bigint, expected: ShownFigures, seen: ShownFigures) => void): NaiveSale {
    const sale = new NaiveSale(this.#definition);
    for (const { change, revision, visible } of this.entries) {
      sale.apply(change.upserts, change.removals, change.stage);
      const seen = visible ? (this.#seen.get(revision) ?? []) : [];
      if (seen.length === 0) continue;
      const expected = figuresExpected(sale);
      for (const figures of seen) compare(revision, expected, figures);
    }
    return sale;
  }
}

/** Sends an acknowledged request again, with the same request ID. */
export function repeat(caller: PersistentCaller, { request }: Entry): Promise<ApplyCommitmentsResponse> {
  return caller.call((client, options) => client.applyCommitments(request, options));
}

/** Returns an apply with a new request ID. */
export function applyRequest(saleUuid: string, change: SaleChange, envelope: Envelope): ApplyCommitmentsRequest {
  return create(ApplyCommitmentsRequestSchema, {
    ...envelope,
    saleUuid,
    requestId: randomUUID(),
    upserts: change.upserts.map(recordMessage),
    removals: change.removals.map(messageBytes),
    ...(change.stage === undefined ? {} : { stage: STAGES[change.stage] }),
  });
}
