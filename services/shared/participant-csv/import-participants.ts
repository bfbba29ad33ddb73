import { type Client, Code, ConnectError } from "@connectrpc/connect";
import pRetry from "p-retry";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { isProblem, type LineProblem, type MemberInit, type NamedGroup, participantRows } from "./participant-rows.ts";
import { walletRows } from "./wallet-rows.ts";

/** The rows of one call, at most. */
const BATCH_ROWS = 500;
/** The mistakes that are kept; the others are only counted. */
const MAX_PROBLEMS = 1_000;
const MAX_RETRIES = 5;
const FIRST_BACKOFF_MS = 100;

export interface ImportTarget<Method extends "importMembers" | "changeDenyList"> {
  readonly eligibility: Pick<Client<typeof EligibilityService>, Method>;
  readonly saleUuid: string;
  /** Checks everything and stores nothing. */
  readonly dryRun: boolean;
  readonly signal: AbortSignal;
  /** Called with the number of rows that were sent or refused so far. */
  readonly onProgress?: (rows: number) => unknown;
}

/** The result of an import. Sending the same file again stores nothing more. */
export interface ImportResult {
  readonly rows: number;
  /** Rows that were stored, or would be; of a deny list, wallets that were added or removed. */
  readonly stored: number;
  readonly unchanged: number;
  readonly problemCount: number;
  /** In the order of the file; at most 1,000. */
  readonly problems: readonly LineProblem[];
}

/**
 * Imports members from CSV. Rows with mistakes are refused by themselves.
 *
 * @throws ParticipantFileError for a file that can't be read any further, after what comes before was stored; and what the
 *   call throws
 */
export function importParticipants(
  chunks: AsyncIterable<Uint8Array>,
  groups: readonly NamedGroup[],
  target: ImportTarget<"importMembers">,
): Promise<ImportResult> {
  const { eligibility, saleUuid, dryRun, signal } = target;
  return sendRows(readMembers(chunks, groups), target, (members: MemberInit[]) =>
    eligibility.importMembers({ saleUuid, members, dryRun }, { signal }),
  );
}

/** Adds the wallets of a CSV file to a sale's deny list, or removes them. @throws as `importParticipants` */
export function importDenyList(
  chunks: AsyncIterable<Uint8Array>,
  { remove, ...target }: ImportTarget<"changeDenyList"> & { readonly remove: boolean },
): Promise<ImportResult> {
  const { eligibility, saleUuid, dryRun, signal } = target;
  return sendRows(readWallets(chunks), target, async (wallets: string[]) => {
    const { changed, ...answer } = await eligibility.changeDenyList({ saleUuid, wallets, remove, dryRun }, { signal });
    return { ...answer, stored: changed };
  });
}

/** A row that can be sent, or a mistake. */
type Sendable<Row> = { readonly line: number; readonly row: Row } | LineProblem;

interface Answer {
  readonly stored: number;
  readonly unchanged: number;
  readonly problems: readonly { readonly row: number; readonly field: string; readonly message: string }[];
}

async function* readMembers(chunks: AsyncIterable<Uint8Array>, groups: readonly NamedGroup[]) {
  for await (const read of participantRows(chunks, groups)) {
    yield isProblem(read) ? read : { line: read.line, row: read.member };
  }
}

async function* readWallets(chunks: AsyncIterable<Uint8Array>) {
  for await (const read of walletRows(chunks)) {
    yield "message" in read ? read : { line: read.line, row: read.wallet };
  }
}

async function sendRows<Row>(
  rows: AsyncIterable<Sendable<Row>>,
  { signal, onProgress }: Pick<ImportTarget<never>, "signal" | "onProgress">,
  call: (rows: Row[]) => Promise<Answer>,
): Promise<ImportResult> {
  const total = new Total();
  for await (const batch of batchesOf(rows)) {
    const problems = batch.filter((each) => "message" in each);
    const sent = batch.filter((each) => "row" in each);
    const answer = sent.length === 0 ? undefined : await retrying(() => call(sent.map(({ row }) => row)), signal);
    const refused = (answer?.problems ?? []).map(({ row, ...problem }) => ({ line: sent[row]?.line ?? 0, ...problem }));
    total.add(batch.length, answer, [...problems, ...refused]);
    await onProgress?.(total.rows);
  }
  return total.result();
}

async function* batchesOf<Row>(rows: AsyncIterable<Row>): AsyncGenerator<Row[], void> {
  let batch: Row[] = [];
  for await (const row of rows) {
    batch.push(row);
    if (batch.length < BATCH_ROWS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}

/** Calls again after an unknown outcome: the same rows are stored once. */
function retrying<Result>(call: () => Promise<Result>, signal: AbortSignal): Promise<Result> {
  return pRetry(call, {
    retries: MAX_RETRIES,
    minTimeout: FIRST_BACKOFF_MS,
    randomize: true,
    shouldRetry: ({ error }) => [Code.Unavailable, Code.DeadlineExceeded].includes(ConnectError.from(error).code),
    signal,
  });
}

class Total {
  rows = 0;
  #stored = 0;
  #unchanged = 0;
  #problemCount = 0;
  readonly #problems: LineProblem[] = [];

  add(rows: number, answer: Answer | undefined, problems: readonly LineProblem[]): void {
    this.rows += rows;
    this.#stored += answer?.stored ?? 0;
    this.#unchanged += answer?.unchanged ?? 0;
    this.#problemCount += problems.length;
    const kept = problems.toSorted((a, b) => a.line - b.line).slice(0, MAX_PROBLEMS - this.#problems.length);
    this.#problems.push(...kept);
  }

  result(): ImportResult {
    const [stored, unchanged, problemCount] = [this.#stored, this.#unchanged, this.#problemCount];
    return { rows: this.rows, stored, unchanged, problemCount, problems: this.#problems };
  }
}
