import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type {
  CommitmentService,
  GetCommitmentDataResponse,
  SaleRevision,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Logger } from "../../../services/shared/log/log.ts";
import type { GatewayCounters } from "../../web/http/counters.ts";
import { type PublicError, unavailable } from "../../web/http/public-error.ts";
import { publicBody } from "./public-body.ts";
import { Representation } from "./representation.ts";
import { upstreamError } from "./upstream-error.ts";

export type CommitmentClient = Pick<Client<typeof CommitmentService>, "getCommitmentData" | "getRevisions">;

/** Sales remembered as reported to the log; beyond that the one reported first can be so again. */
const MAX_REPORTED = 1000;

export interface UpstreamOptions {
  readonly client: CommitmentClient;
  /** Deadline of each call, in milliseconds. */
  readonly timeoutMs: number;
  readonly counters: GatewayCounters;
  readonly logger: Logger;
}

/** The commitments service, as the gateway's cache asks it. */
export class CommitmentsUpstream {
  readonly #options: UpstreamOptions;
  /** Sales whose last load exceeded a bound, in the order in which the log was told. */
  readonly #reported = new Set<string>();

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /**
   * A sale's public body as it is now; `held` itself where that is still current, unless it is wanted anew. Never an older
   * revision than that of `held` within the same generation.
   *
   * @throws PublicError: `not_found` for an unknown or draft sale, `unavailable`, `deadline_exceeded`, `internal`
   */
  async load(saleUuid: string, held: Representation | undefined, isAnew = false): Promise<Representation> {
    const { client, timeoutMs, counters } = this.#options;
    counters.loads++;
    const atLeast = { generation: held?.generation ?? 0n, minimumRevision: held?.revision ?? 0n };
    try {
      const response = await client.getCommitmentData({ saleUuid, ...atLeast }, { timeoutMs });
      const representation = represent(response, held, isAnew);
      this.#reported.delete(saleUuid);
      return representation;
    } catch (error) {
      const publicError = this.#publicError(saleUuid, error);
      if (publicError.code !== "not_found") counters.loadFailures++;
      throw publicError;
    }
  }

  /**
   * Generation and revision of those of the sales that can be read, by sale UUID.
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

  #publicError(saleUuid: string, error: unknown): PublicError {
    if (error instanceof ConnectError && error.code === Code.ResourceExhausted) this.#reportExhausted(saleUuid, error);
    return upstreamError(error, this.#options.logger);
  }

  /** Tells the log of a sale once until it loads again, since readers go on asking. The error names the bound. */
  #reportExhausted(saleUuid: string, error: unknown): void {
    if (this.#reported.has(saleUuid)) return;
    const [oldest] = this.#reported;
    if (oldest !== undefined && this.#reported.size >= MAX_REPORTED) this.#reported.delete(oldest);
    this.#reported.add(saleUuid);
    this.#options.logger.error({ err: error, saleUuid }, "commitment data exceed a bound");
  }
}

function represent(
  response: GetCommitmentDataResponse,
  held: Representation | undefined,
  isAnew: boolean,
): Representation {
  const { generation, revision, data, sale } = response;
  if (held?.generation === generation) {
    if (revision === held.revision && !isAnew) return held;
    if (revision < held.revision) throw unavailable("The sale's figures are being brought up to date.");
  }
  if (data === undefined) throw new TypeError("GetCommitmentDataResponse.data is missing");
  return new Representation(generation, revision, publicBody(data), sale);
}
