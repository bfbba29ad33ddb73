import type { MessageInitShape } from "@bufbuild/protobuf";
import type { ServiceImpl } from "@connectrpc/connect";
import type { RunningExport } from "../../../common/platform/db/running-exports.ts";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import type {
  EligibilityService,
  ExportMembersResponseSchema,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import type { DerivedKeys } from "../base/derived-keys.ts";
import type { EntitiesSchema } from "../base/schema.ts";
import { readParticipantCounts } from "../rules/participant-counts-store.ts";
import { memberMessage } from "./member-message.ts";
import { memberOfRow, readMemberRows } from "./members-store.ts";

/** Members in one message. */
const PAGE_MEMBERS = 500;

type Part = MessageInitShape<typeof ExportMembersResponseSchema>;

export function exportMembers(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["exportMembers"] {
  const { derivedKeys, memberExports } = dependencies;
  return async function* (request, context) {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = await requireRole(dependencies, context, saleUuid, "viewer");
    const accountUuid = principal.kind === "person" ? principal.accountUuid : undefined;
    const running = await memberExports.begin(context.signal, accountUuid);
    try {
      for await (const part of parts(running, derivedKeys, saleUuid)) {
        running.offered();
        yield part;
        running.taken();
      }
    } finally {
      await running.end();
    }
  };
}

/** Yields the number of members, and then all of them, of one moment. */
async function* parts(
  { snapshot, signal }: RunningExport<EntitiesSchema>,
  derivedKeys: DerivedKeys,
  saleUuid: string,
): AsyncGenerator<Part> {
  signal.throwIfAborted();
  const { members: total } = await snapshot.read((query) => readParticipantCounts(query, saleUuid));
  yield { total };
  for (let after = ""; ; ) {
    signal.throwIfAborted();
    const page = { after, limit: PAGE_MEMBERS };
    const rows = await snapshot.read((query) => readMemberRows(query, saleUuid, page));
    const last = rows.at(-1);
    if (last === undefined) return;
    yield { members: rows.map((row) => memberMessage(memberOfRow(derivedKeys, row))) };
    if (rows.length < PAGE_MEMBERS) return;
    after = hexOfBytes(last.member);
  }
}
