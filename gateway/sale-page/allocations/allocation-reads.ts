import type { IncomingMessage } from "node:http";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type { Logger } from "../../../common/platform/log/log.ts";
import type {
  CommitmentService,
  ListWalletAllocationsResponse,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { upstreamError } from "../../public-read/cache/upstream-error.ts";
import { AddressLimits } from "../../web/http/address-limits.ts";
import type { GatewayCounters } from "../../web/http/counters.ts";
import { PublicError, tooMany, unavailable } from "../../web/http/public-error.ts";

export type AllocationClient = Pick<Client<typeof CommitmentService>, "listWalletAllocations">;

/** Wallets on a page, and in a part of the file: the most that the commitments service gives at once. */
const PAGE_WALLETS = 100;
const FILE_WALLETS = 500;
/** Files under way at once. Each reads one part after another, as fast as its reader takes them. */
const MAX_FILES = 32;
const MAX_FILES_PER_ADDRESS = 2;
/**
 * Time after which a file whose reader hasn't taken a part, of some 60 KB, makes room for another where all places are taken. So no
 * number of slow readers, from however many addresses, keeps others out.
 */
const SLOW_PART_MS = 5_000;

export interface AllocationReadsOptions {
  readonly client: AllocationClient;
  /** Pages that are read at once. */
  readonly maxReads: number;
  /** The most for one address, or one IPv6 /64. */
  readonly maxReadsPerAddress: number;
  /** Returns the address that a request comes from. */
  readonly addressOf: (request: IncomingMessage) => string;
  /** Deadline of each call, in milliseconds. */
  readonly timeoutMs: number;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  readonly counters: Pick<GatewayCounters, "allocationLists" | "allocationListFailures">;
  readonly logger: Logger;
}

/** A page of a sale's allocations. */
export interface AllocationPage {
  readonly saleUuid: string;
  /** Empty for the first page. */
  readonly pageToken: string;
}

/** A file under way. */
interface OpenFile {
  /** Aborted where it makes room. */
  readonly ending: AbortController;
  /** Ends its count. */
  readonly leave: () => void;
  /** Since when its reader has been taking a part; undefined while one is read. */
  takingSince?: number | undefined;
}

/** Writes a file of its parts, the first of which is read already, until the signal is aborted. */
type WriteFile = (
  first: ListWalletAllocationsResponse,
  parts: AsyncGenerator<ListWalletAllocationsResponse>,
  signal: AbortSignal,
) => Promise<void>;

/** Reads of the allocations of settled sales. Only so many are under way at once, in all and for an address. */
export class AllocationReads {
  readonly #options: AllocationReadsOptions;
  readonly #pages: AddressLimits;
  readonly #files: AddressLimits;
  readonly #openFiles = new Set<OpenFile>();

  constructor(options: AllocationReadsOptions) {
    this.#options = options;
    const { maxReads: max, maxReadsPerAddress: maxPerAddress } = options;
    const errors = { full, addressFull: full };
    this.#pages = new AddressLimits({ max, maxPerAddress, ...errors });
    this.#files = new AddressLimits({ max: MAX_FILES, maxPerAddress: MAX_FILES_PER_ADDRESS, ...errors });
  }

  /** Reads a page for a request, which counts until then. @throws PublicError `resource_exhausted` where too many are under way */
  async page(page: AllocationPage, request: IncomingMessage): Promise<ListWalletAllocationsResponse> {
    const leave = this.#pages.enter(this.#options.addressOf(request));
    try {
      return await this.#list(page, PAGE_WALLETS);
    } finally {
      leave();
    }
  }

  /**
   * Hands a request's file its parts, all of one revision. The file counts until `write` is done, or it makes room for another.
   *
   * @throws PublicError as `page`, and what `write` throws
   */
  async file(saleUuid: string, request: IncomingMessage, write: WriteFile): Promise<void> {
    const address = this.#options.addressOf(request);
    if (this.#files.isFull && !this.#files.isAddressFull(address)) this.#endSlowestFile();
    const file = { ending: new AbortController(), leave: this.#files.enter(address) };
    this.#openFiles.add(file);
    try {
      const first = await this.#list({ saleUuid, pageToken: "" }, FILE_WALLETS);
      await write(first, this.#parts(saleUuid, first, file), file.ending.signal);
    } finally {
      this.#endFile(file);
    }
  }

  #endSlowestFile(): void {
    let slowest: OpenFile | undefined;
    let since = this.#options.now() - SLOW_PART_MS;
    for (const file of this.#openFiles) {
      if (file.takingSince === undefined || file.takingSince >= since) continue;
      [slowest, since] = [file, file.takingSince];
    }
    if (slowest === undefined) return;
    slowest.ending.abort();
    this.#endFile(slowest);
  }

  #endFile(file: OpenFile): void {
    this.#openFiles.delete(file);
    file.leave();
  }

  async *#parts(
    saleUuid: string,
    first: ListWalletAllocationsResponse,
    file: OpenFile,
  ): AsyncGenerator<ListWalletAllocationsResponse> {
    for (let part = first; ; ) {
      file.takingSince = this.#options.now();
      yield part;
      // The reader may still be taking the last one.
      if (part.nextPageToken === "") return;
      file.takingSince = undefined;
      part = await this.#list({ saleUuid, pageToken: part.nextPageToken }, FILE_WALLETS);
      const isSame = part.generation === first.generation && part.revision === first.revision;
      if (!isSame) throw unavailable("The allocations have changed meanwhile.");
    }
  }

  async #list(page: AllocationPage, pageSize: number): Promise<ListWalletAllocationsResponse> {
    const { client, timeoutMs, counters, logger } = this.#options;
    counters.allocationLists++;
    try {
      return await client.listWalletAllocations({ ...page, pageSize }, { timeoutMs });
    } catch (error) {
      const publicError = listError(error) ?? upstreamError(error, logger);
      if (publicError.status >= 500) counters.allocationListFailures++;
      throw publicError;
    }
  }
}

function listError(error: unknown): PublicError | undefined {
  switch (error instanceof ConnectError ? error.code : undefined) {
    case Code.InvalidArgument:
      return new PublicError("not_found", "There is no such page of allocations.");
    // A commitments service of an older version, or a sale that was settled for this gateway only.
    case Code.Unimplemented:
    case Code.FailedPrecondition:
      return unavailable("The allocations can't be read at the moment.");
    default:
      return undefined;
  }
}

function full(): PublicError {
  return tooMany("Too many lists of allocations are being read.");
}
