import { timestampMs } from "@bufbuild/protobuf/wkt";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import { LRUCache } from "lru-cache";
import { atMost } from "../../../common/platform/cache/at-most.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import type {
  CommitmentService,
  GetCommitmentDataResponse,
  SaleRevision,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { FeedState } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { GatewayCounters } from "../../web/http/counters.ts";
import { type PublicError, unavailable } from "../../web/http/public-error.ts";
import { changedBlock } from "./changed-block.ts";
import type { ChangedSalesAnswer } from "./changed-sales.ts";
import { publicBody } from "./public-body.ts";
import { Representation } from "./representation.ts";
import { UnreadSale } from "./unread-sale.ts";
import { upstreamError } from "./upstream-error.ts";

export type CommitmentClient = Pick<
  Client<typeof CommitmentService>,
  "getCommitmentData" | "getRevisions" | "listChangedSales"
>;

/** Sales kept as reported to the log. One that makes room is reported again. */
const MAX_REPORTED = 1000;

/** A sale's body, and how current its figures are. */
export interface LoadedSale {
  readonly representation: Representation;
  /** Undefined where the commitments service is of an older version. */
  readonly feedState: FeedState | undefined;
}

export interface UpstreamOptions {
  readonly client: CommitmentClient;
  /** Deadline of each call, in milliseconds. */
  readonly timeoutMs: number;
  readonly counters: GatewayCounters;
  readonly logger: Logger;
}

/** The calls of the commitments service that the cache of sales makes. */
export class CommitmentsUpstream {
  readonly #options: UpstreamOptions;
  /** Sales whose last load exceeded a bound, which the log knows already. */
  readonly #reported = new LRUCache<string, true>(atMost(MAX_REPORTED));

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /**
   * Returns a sale's public body. Within one generation it is never of an older revision than the held one.
   *
   * @param held returned itself as the body where it is still current
   * @param isReload whether a new body is made even where the revision is the held one
   * @throws PublicError: `not_found` for an unknown or draft sale, `unavailable`, `deadline_exceeded`, `internal`
   */
  async load(saleUuid: string, held: Representation | undefined, isReload = false): Promise<LoadedSale> {
    const { client, timeoutMs, counters } = this.#options;
    counters.loads++;
    const atLeast = { generation: held?.generation ?? 0n, minimumRevision: held?.revision ?? 0n };
    try {
      const response = await client.getCommitmentData({ saleUuid, ...atLeast, allowUnread: true }, { timeoutMs });
      const representation = represent(response, held, isReload);
      this.#reported.delete(saleUuid);
      return { representation, feedState: response.feedState };
    } catch (error) {
      const publicError = this.#publicError(saleUuid, error);
      if (publicError.code !== "not_found") counters.loadFailures++;
      throw publicError;
    }
  }

  /**
   * Returns generation and revision of the sales, by sale UUID; those that can't be read are left out.
   *
   * @throws ConnectError
   */
  async revisions(saleUuids: string[]): Promise<ReadonlyMap<string, SaleRevision>> {
    const { client, timeoutMs, counters } = this.#options;
    counters.refreshes++;
    try {
      const { revisions } = await client.getRevisions({ saleUuids }, { timeoutMs });
      return new Map(revisions.map((revision) => [revision.saleUuid, revision]));
    } catch (error) {
      counters.refreshFailures++;
      throw error;
    }
  }

  /**
   * Returns which sales have changed since an earlier call.
   *
   * @param cursor empty for the first call
   * @returns "absent" where the commitments service is of an older version, without the method
   * @throws ConnectError
   */
  async changedSales(cursor: string): Promise<ChangedSalesAnswer | "absent"> {
    const { client, timeoutMs, counters } = this.#options;
    counters.changeLists++;
    try {
      const { changed, complete, cursor: next } = await client.listChangedSales({ cursor }, { timeoutMs });
      const revisions = changed.map(({ saleUuid, revision }) => [saleUuid, revision] as const);
      return { changed: new Map(revisions), complete, cursor: next };
    } catch (error) {
      if (error instanceof ConnectError && error.code === Code.Unimplemented) return "absent";
      counters.changeListFailures++;
      throw error;
    }
  }

  #publicError(saleUuid: string, error: unknown): PublicError {
    if (error instanceof ConnectError && error.code === Code.ResourceExhausted) this.#reportExhausted(saleUuid, error);
    return upstreamError(error, this.#options.logger);
  }

  /**
   * Logs the failure of a sale once until the sale loads again, since readers keep asking. The error names the bound.
   */
  #reportExhausted(saleUuid: string, error: unknown): void {
    if (this.#reported.has(saleUuid)) return;
    this.#reported.set(saleUuid, true);
    this.#options.logger.error({ err: error, saleUuid }, "commitment data exceed a bound");
  }
}

function represent(
  response: GetCommitmentDataResponse,
  held: Representation | undefined,
  isReload: boolean,
): Representation {
  const { generation, revision, data, sale, feedState, committedAt, changedPosition } = response;
  if (data === undefined && sale !== undefined) throw new UnreadSale(sale, feedState);
  if (held?.generation === generation) {
    if (revision === held.revision && !isReload) return held;
    if (revision < held.revision) throw unavailable("The sale's figures are being brought up to date.");
  }
  if (data === undefined) throw new TypeError("GetCommitmentDataResponse.data is missing");
  const committedAtMs = committedAt && timestampMs(committedAt);
  const details = { sale, committedAtMs, changedBlock: changedBlock(changedPosition) };
  return new Representation(generation, revision, publicBody(data), details);
}
