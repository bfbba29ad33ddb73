import { randomUUID } from "node:crypto";
import { type Client, Code, ConnectError } from "@connectrpc/connect";
import type {
  CommitmentService,
  GetCommitmentDataResponse,
  SaleRevision,
} from "../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { Logger } from "../services/shared/log.ts";
import type { GatewayCounters } from "./counters.ts";
import { publicBody } from "./public-body.ts";
import { internalError, PublicError, unavailable } from "./public-error.ts";
import { Representation } from "./representation.ts";

export type CommitmentClient = Pick<Client<typeof CommitmentService>, "getCommitmentData" | "getRevisions">;

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

  constructor(options: UpstreamOptions) {
    this.#options = options;
  }

  /**
   * A sale's public body as it is now; `held` itself where that is still current. Never an older revision than that
   * of `held` within the same generation.
   *
   * @throws PublicError: `not_found` for an unknown or draft sale, `unavailable`, `deadline_exceeded`, `internal`
   */
  async load(saleUuid: string, held: Representation | undefined): Promise<Representation> {
    const { client, timeoutMs, counters } = this.#options;
    counters.loads++;
    const atLeast = { generation: held?.generation ?? 0n, minimumRevision: held?.revision ?? 0n };
    try {
      return represent(await client.getCommitmentData({ saleUuid, ...atLeast }, { timeoutMs }), held);
    } catch (error) {
      const publicError = this.#publicError(error);
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

  #publicError(error: unknown): PublicError {
    if (error instanceof PublicError) return error;
    switch (error instanceof ConnectError ? error.code : Code.Internal) {
      case Code.NotFound:
        return new PublicError("not_found", "There is no such sale.");
      case Code.DeadlineExceeded:
        return new PublicError("deadline_exceeded", "The sale's figures took too long to read.");
      case Code.Unavailable:
      case Code.ResourceExhausted:
      case Code.Aborted:
      case Code.Canceled:
        return unavailable("The sale's figures can't be read at the moment.");
      default:
        return this.#unexpected(error);
    }
  }

  #unexpected(error: unknown): PublicError {
    const errorId = randomUUID();
    this.#options.logger.error({ err: error, errorId }, "commitment data can't be loaded");
    return internalError(errorId);
  }
}

function represent(response: GetCommitmentDataResponse, held: Representation | undefined): Representation {
  const { generation, revision, data } = response;
  if (held?.generation === generation) {
    if (revision === held.revision) return held;
    if (revision < held.revision) throw unavailable("The sale's figures are being brought up to date.");
  }
  if (data === undefined) throw new TypeError("GetCommitmentDataResponse.data is missing");
  return new Representation(generation, revision, publicBody(data));
}
