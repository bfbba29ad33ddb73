import type { ServiceImpl } from "@connectrpc/connect";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type {
  EligibilityService,
  GroupMember,
  ImportMembersRequest,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import { addToCount, readParticipantCounts } from "../rules/participant-counts-store.ts";
import { readRules } from "../rules/rules-store.ts";
import { readListedSale } from "./listed-sale.ts";
import { hasSameBounds, type NewMember } from "./member.ts";
import { type MemberIds, memberIds, readStoredBounds, rowOfMember, storeMembers } from "./members-store.ts";
import { isMember, type MemberContext, type RowProblem, readMember } from "./read-member.ts";
import { recordParticipants } from "./record-participants.ts";

/** The most members of one sale. */
const MAX_MEMBERS = 1_000_000n;

/** A row that can be stored. */
interface CheckedRow {
  readonly member: NewMember;
  readonly ids: MemberIds;
}

interface CheckedRows {
  readonly rows: readonly CheckedRow[];
  readonly problems: readonly (RowProblem & { readonly row: number })[];
}

export function importMembers(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["importMembers"] {
  const { database } = dependencies;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = await requireRole(dependencies, context, saleUuid, "editor");
    const { rows, problems } = await checkRows(dependencies, saleUuid, request);
    const { changed, before } = await database.read(async (query) => ({
      changed: (await changedRows(query, saleUuid, rows)).changed,
      before: (await readParticipantCounts(query, saleUuid)).members,
    }));
    const answer = { stored: changed.length, unchanged: rows.length - changed.length, problems: [...problems] };
    if (request.dryRun || changed.length === 0) return answer;
    await recordParticipants(dependencies, principal, saleUuid, { field: "Members", action: "import", before });
    await store(dependencies, saleUuid, rows);
    return answer;
  };
}

async function checkRows(
  dependencies: EntitiesContext,
  saleUuid: string,
  { members }: ImportMembersRequest,
): Promise<CheckedRows> {
  const { kind } = await readListedSale(dependencies, saleUuid);
  const { rules } = await dependencies.database.read((query) => readRules(query, saleUuid));
  return checkedRows(dependencies, saleUuid, members, { kind, groups: rules.groups });
}

/** Reads rows, of which none may be in the same group by the same key as an earlier one. */
function checkedRows(
  { derivedKeys }: EntitiesContext,
  saleUuid: string,
  messages: readonly GroupMember[],
  context: MemberContext,
): CheckedRows {
  const rows = new Map<string, CheckedRow>();
  const problems = messages.flatMap((message, row) => {
    const member = readMember(message, context);
    if (!isMember(member)) return [{ row, ...member }];
    const ids = memberIds(derivedKeys, saleUuid, member);
    const key = hexOfBytes(ids.member);
    if (rows.has(key)) return [{ row, field: member.key.kind, message: "is in this group by an earlier row, too" }];
    rows.set(key, { member, ids });
    return [];
  });
  return { rows: [...rows.values()], problems };
}

/** Returns the rows that aren't stored as they are, and how many of them aren't stored at all. */
async function changedRows(
  query: Parameters<typeof readStoredBounds>[0],
  saleUuid: string,
  rows: readonly CheckedRow[],
): Promise<{ readonly changed: readonly CheckedRow[]; readonly added: number }> {
  if (rows.length === 0) return { changed: [], added: 0 };
  const stored = await readStoredBounds(
    query,
    saleUuid,
    rows.map(({ ids }) => ids.member),
  );
  const boundsOf = ({ ids }: CheckedRow) => stored.get(hexOfBytes(ids.member));
  const changed = rows.filter((row) => {
    const bounds = boundsOf(row);
    return bounds === undefined || !hasSameBounds(bounds, row.member);
  });
  return { changed, added: changed.filter((row) => boundsOf(row) === undefined).length };
}

/** @throws ServiceError `failed_precondition` */
async function store(
  { database, derivedKeys }: EntitiesContext,
  saleUuid: string,
  rows: readonly CheckedRow[],
): Promise<void> {
  const { dialect } = database;
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSaleForChange(transaction, dialect, saleUuid);
    const { changed, added } = await changedRows(transaction, saleUuid, rows);
    const { members } = await readParticipantCounts(transaction, saleUuid);
    if (members + BigInt(added) > MAX_MEMBERS) {
      throw new ServiceError("failed_precondition", `a sale can have at most ${MAX_MEMBERS} members`);
    }
    const stored = changed.map(({ ids, member }) => rowOfMember(derivedKeys, saleUuid, ids, member));
    await storeMembers(transaction, dialect, stored);
    await addToCount(transaction, dialect, saleUuid, "members", added);
  });
}
