import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { RunningExport } from "../../../common/platform/db/running-exports.ts";
import { principalOf } from "../../../common/platform/rpc/identity/principal.ts";
import { definitionMessage } from "../../../common/sale/definition/definition-message.ts";
import type {
  CommitmentService,
  ExportCommitmentsResponseSchema,
} from "../../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { listedMessage } from "../base/commitment-message.ts";
import type { CommitmentsContext } from "../base/context.ts";
import { generationNumber } from "../base/generation.ts";
import type { CommitmentsSchema } from "../base/schema.ts";
import { openList } from "./list-rows.ts";

/** Rows in one message. With the largest rows that the contract allows it is still below the 64 MiB that clients accept. */
const PAGE_ROWS = 200;

type Part = MessageInitShape<typeof ExportCommitmentsResponseSchema>;

export function exportCommitmentsRpc({
  authority,
  exports,
}: CommitmentsContext): ServiceImpl<typeof CommitmentService>["exportCommitments"] {
  return async function* (request, context) {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = principalOf(context);
    await authority.requireRole(principal, saleUuid, "viewer");
    const accountUuid = principal.kind === "person" ? principal.accountUuid : undefined;
    const running = await exports.begin(context.signal, accountUuid);
    try {
      for await (const part of parts(running, saleUuid)) {
        running.offered();
        yield part;
        running.taken();
      }
    } finally {
      await running.end();
    }
  };
}

async function* parts({ snapshot, signal }: RunningExport<CommitmentsSchema>, saleUuid: string): AsyncGenerator<Part> {
  signal.throwIfAborted();
  const list = await openList(snapshot, saleUuid);
  const generation = generationNumber(list.generation);
  const definition = definitionMessage(list.definition);
  const { revision, count, saysAccepted } = list;
  const header = { generation, revision, commitmentCount: count, saysAccepted, definition };
  yield { part: { case: "header", value: header } };
  let after = "";
  for (;;) {
    signal.throwIfAborted();
    const page = await list.page(after, PAGE_ROWS);
    const last = page.at(-1);
    if (last !== undefined) yield { part: { case: "commitments", value: { commitments: page.map(listedMessage) } } };
    if (last === undefined || page.length < PAGE_ROWS) return;
    after = last.record.commitmentId;
  }
}
