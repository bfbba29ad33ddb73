import { setTimeout as delay } from "node:timers/promises";
import type { CallOptions, Client } from "@connectrpc/connect";
import type { CommitmentData } from "../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import type {
  CommitmentService,
  ExportHeader,
  ListedCommitment,
} from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Sale, SaleDefinition } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { hexOfBytes } from "../platform/encoding/hex.ts";
import { EXPORT_TIMEOUT_MS } from "../sale/csv/commitment-export.ts";
import { draftOf } from "../sale/definition/definition-message.ts";
import type { SourceLocation } from "../sale/definition/source-location.ts";
import { ticksOf } from "../sale/record/ticks.ts";
import { settleableSale } from "../sale/settlement/settleable-sale.ts";
import type { BookCommitment, SettlementBook, SettlementTerms } from "../sale/settlement/settlement-book.ts";
import type { SettlementObstacle } from "../sale/settlement/settlement-obstacles.ts";

/** Reads of a sale that changes between its parts. */
const MAX_READS = 10;
const PAUSE_MS = 100;

/** The services that have a sale and its commitments. */
export interface SettlementServices {
  readonly sales: Pick<Client<typeof SaleService>, "getSale">;
  readonly commitments: Pick<Client<typeof CommitmentService>, "getCommitmentData" | "exportCommitments">;
}

export interface SettlementReading {
  readonly signal: AbortSignal;
  /** Who asks for the sale and its commitments, where it isn't the caller itself. */
  readonly headers?: NonNullable<CallOptions["headers"]>;
  /** The most amounts of commitments, and the most commitments, those that don't count among them; any number by default. */
  readonly maxAmounts?: number;
  /** Called with the number of commitments read so far, and of all. */
  readonly onRead?: (read: bigint, all: bigint) => Promise<unknown>;
}

/** A book without a founder's lists, and what the service publishes of the same revision. */
export interface ReadBook {
  readonly book: SettlementBook;
  /** Absent for a sale that isn't read from a contract. */
  readonly location?: SourceLocation;
  readonly published: CommitmentData;
  /** The source's warning; empty for none. */
  readonly warning: string;
}

/** Why no book was read. */
export type UnreadBook =
  | { readonly reason: "obstacles"; readonly sale: Sale; readonly obstacles: readonly SettlementObstacle[] }
  | { readonly reason: "too large" }
  /** The sale changed while it was read, each time. */
  | { readonly reason: "changes" };

/** Reads a sale that can be settled and its commitments, at one revision. @throws what the calls throw; Error for an answer that isn't whole */
export async function readSettlementBook(
  saleUuid: string,
  services: SettlementServices,
  reading: SettlementReading,
): Promise<ReadBook | UnreadBook> {
  for (let read = 1; read <= MAX_READS; read += 1) {
    // Whether time is up is for the next call to say, in the error of all calls.
    if (read > 1) await delay(PAUSE_MS);
    const result = await readOnce(saleUuid, services, reading);
    if (!("reason" in result) || result.reason !== "changes") return result;
  }
  return { reason: "changes" };
}

async function readOnce(
  saleUuid: string,
  { sales, commitments: service }: SettlementServices,
  reading: SettlementReading,
): Promise<ReadBook | UnreadBook> {
  const { signal, headers = {}, maxAmounts = Number.POSITIVE_INFINITY } = reading;
  const { sale } = await sales.getSale({ saleUuid }, { signal, headers });
  if (sale === undefined) throw new TypeError("the answer has no sale");
  const settleable = settleableSale(sale);
  if ("obstacles" in settleable) return { reason: "obstacles", sale, obstacles: settleable.obstacles };
  const answer = await service.getCommitmentData({ saleUuid }, { signal });
  if (answer.generation !== sale.generation || answer.revision !== sale.revision) return { reason: "changes" };
  const { data: published } = answer;
  if (published === undefined) throw new TypeError("the answer has no data");
  if (published.commitmentCount > maxAmounts) return { reason: "too large" };
  const read = await readCommitments(sale, service, reading);
  if ("reason" in read) return read;
  const { definition, commitments } = read;
  const terms = termsOf(definition, published.paymentTokenDecimals);
  return {
    book: { input: settleable.input, terms, refusals: [], limits: [], commitments },
    ...(settleable.location === undefined ? {} : { location: settleable.location }),
    published,
    warning: sale.sourceStatus?.warning ?? "",
  };
}

function termsOf(definition: SaleDefinition, normalised: number): SettlementTerms {
  const { pricing, priceTick, paymentTokens, paymentTokenDecimals = normalised } = draftOf(definition);
  return { pricing, priceTick, paymentTokens, paymentTokenDecimals };
}

interface ReadCommitments {
  /** The sale's settings at the same revision. */
  readonly definition: SaleDefinition;
  readonly commitments: readonly BookCommitment[];
}

/** Reads the commitments of a sale that count. */
async function readCommitments(
  { uuid: saleUuid, generation, revision }: Sale,
  service: SettlementServices["commitments"],
  { signal, headers = {}, maxAmounts = Number.POSITIVE_INFINITY, onRead }: SettlementReading,
): Promise<ReadCommitments | UnreadBook> {
  let header: ExportHeader | undefined;
  let [read, amounts] = [0n, 0];
  const commitments: BookCommitment[] = [];
  for await (const { part } of service.exportCommitments(
    { saleUuid },
    { signal, headers, timeoutMs: EXPORT_TIMEOUT_MS },
  )) {
    if (part.case === "header") {
      header = part.value;
      if (header.generation !== generation || header.revision !== revision) return { reason: "changes" };
      if (header.commitmentCount > maxAmounts) return { reason: "too large" };
    }
    if (part.case !== "commitments") continue;
    for (const listed of part.value.commitments) {
      if (!listed.active) continue;
      const commitment = bookCommitment(listed);
      amounts += commitment.amounts.length;
      commitments.push(commitment);
    }
    if (amounts > maxAmounts) return { reason: "too large" };
    read += BigInt(part.value.commitments.length);
    await onRead?.(read, header?.commitmentCount ?? 0n);
  }
  if (header?.definition === undefined || header.commitmentCount !== read) {
    throw new Error(`the export has ${read} commitments instead of ${header?.commitmentCount}`);
  }
  return { definition: header.definition, commitments };
}

function bookCommitment({ record }: ListedCommitment): BookCommitment {
  if (record === undefined) throw new TypeError("the answer has a commitment without its record");
  return {
    commitmentId: hexOfBytes(record.commitmentId),
    entityId: hexOfBytes(record.entityId),
    priceTicks: ticksOf(record.priceTicks),
    amounts: record.amounts.map(({ wallet, token, amount }) => ({ wallet, token, amount: BigInt(amount) })),
  };
}
