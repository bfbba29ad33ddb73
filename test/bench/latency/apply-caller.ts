import { once } from "node:events";
import { Agent, request } from "node:http";
import { buffer } from "node:stream/consumers";
import { create, fromBinary, toBinary } from "@bufbuild/protobuf";
import type { CommitmentRecord } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";
import {
  ApplyCommitmentsRequestSchema,
  ApplyCommitmentsResponseSchema,
  CommitmentService,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import type { CallerCredentials } from "../../../services/shared/rpc/callers.ts";
import { bearer } from "../../support/raw-call.ts";

/**
 * Calls `ApplyCommitments` as the Connect protocol has it, with as little work of its own as it takes: the load stands on the
 * machine that is measured.
 */
export class ApplyCaller {
  readonly #url: URL;
  readonly #authorization: string;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(url: URL, authorization: string) {
    this.#url = url;
    this.#authorization = authorization;
  }

  /** Good for the minutes that the token of a caller is. */
  static async of(url: string, credentials: CallerCredentials): Promise<ApplyCaller> {
    const method = `${CommitmentService.typeName}/${CommitmentService.method.applyCommitments.name}`;
    return new ApplyCaller(new URL(method, `${url}/`), await bearer(credentials));
  }

  /** @returns the sale's revision after it */
  async apply(saleUuid: string, requestId: string, bid: CommitmentRecord): Promise<bigint> {
    const message = create(ApplyCommitmentsRequestSchema, { saleUuid, requestId, upserts: [bid] });
    const body = toBinary(ApplyCommitmentsRequestSchema, message);
    const call = request(this.#url, {
      method: "POST",
      agent: this.#agent,
      headers: {
        authorization: this.#authorization,
        "content-type": "application/proto",
        "connect-protocol-version": "1",
        "content-length": body.length,
      },
    });
    call.end(body);
    const [response] = await once(call, "response");
    const answer = await buffer(response);
    if (response.statusCode !== 200) throw new Error(`${response.statusCode}: ${answer}`);
    return fromBinary(ApplyCommitmentsResponseSchema, answer).revision;
  }

  close(): void {
    this.#agent.destroy();
  }
}
