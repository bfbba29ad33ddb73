import type { ServiceImpl } from "@connectrpc/connect";
import { ADDRESSES } from "../../../common/chains/addresses.ts";
import { CHAIN_FAMILIES } from "../../../common/chains/base/chain-family.ts";
import { bytesOfHex, messageBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { parseEmailAddress } from "../../../common/platform/names/email-address.ts";
import { withoutOuterBlanks } from "../../../common/platform/names/hidden-characters.ts";
import { pageStart, readPage, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import { addToCount, readParticipantCounts } from "../rules/participant-counts-store.ts";
import { changeDenyList, listDenyList } from "./deny-list.ts";
import { exportMembers } from "./export-members.ts";
import { importMembers } from "./import-members.ts";
import { emailKey, type MemberKey, memberKeyMac } from "./member.ts";
import { memberMessage } from "./member-message.ts";
import { deleteMembers, memberOfRow, readMemberRows } from "./members-store.ts";
import { recordParticipants } from "./record-participants.ts";

/** The methods of `EligibilityService` for the members and the deny list of a sale. */
export function memberMethods(
  dependencies: EntitiesContext,
): Pick<
  ServiceImpl<typeof EligibilityService>,
  "importMembers" | "listMembers" | "removeMembers" | "exportMembers" | "changeDenyList" | "listDenyList"
> {
  return {
    importMembers: importMembers(dependencies),
    listMembers: listMembers(dependencies),
    removeMembers: removeMembers(dependencies),
    exportMembers: exportMembers(dependencies),
    changeDenyList: changeDenyList(dependencies),
    listDenyList: listDenyList(dependencies),
  };
}

function removeMembers(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["removeMembers"] {
  const { database } = dependencies;
  const { dialect } = database;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = await requireRole(dependencies, context, saleUuid, "editor");
    const { members: before } = await database.read((query) => readParticipantCounts(query, saleUuid));
    await recordParticipants(dependencies, principal, saleUuid, { field: "Members", action: "removal", before });
    const removed = await database.writeExclusive(saleUuid, async (transaction) => {
      await lockSaleForChange(transaction, dialect, saleUuid);
      const deleted = await deleteMembers(transaction, saleUuid, request.memberUuids.map(bytesOfHex));
      await addToCount(transaction, dialect, saleUuid, "members", -deleted);
      return deleted;
    });
    return { removed };
  };
}

const UUID_HEX_DIGITS = 32;

function listMembers(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["listMembers"] {
  const { database, derivedKeys } = dependencies;
  return async ({ search, groupUuid, ...request }, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await requireRole(dependencies, context, saleUuid, "viewer");
    const after = pageStart(request.pageToken, UUID_HEX_DIGITS);
    const keys = search === "" ? undefined : searchedKeys(search);
    if (keys?.length === 0) return {};
    const filter = {
      groupUuid: groupUuid === "" ? undefined : groupUuid,
      keyMacs: keys?.map((key) => memberKeyMac(derivedKeys, saleUuid, key)),
    };
    const { items, nextPageToken } = await readPage(
      request.pageSize,
      (limit) => database.read((query) => readMemberRows(query, saleUuid, { after, limit, ...filter })),
      (row) => tokenOf(memberOfRow(derivedKeys, row).uuid),
    );
    return { members: items.map((row) => memberMessage(memberOfRow(derivedKeys, row))), nextPageToken };
  };
}

const ENTITY_ID = /^(?:0x)?([0-9a-fA-F]{32})$/;

/** Returns the keys that a text may be: an e-mail address, an entity ID or a wallet; none if it is nothing of these. */
function searchedKeys(search: string): readonly MemberKey[] {
  const text = withoutOuterBlanks(search);
  const [, entity] = ENTITY_ID.exec(text) ?? [];
  if (entity !== undefined) return [{ kind: "entity", value: messageBytes(entity) }];
  if (text.includes("@")) return emailKeys(text);
  const wallets = CHAIN_FAMILIES.map((family) => ADDRESSES[family].bytesOf(text)).filter(
    (bytes) => bytes !== undefined,
  );
  return wallets.map((value) => ({ kind: "wallet", value }));
}

function emailKeys(text: string): readonly MemberKey[] {
  try {
    return [emailKey(parseEmailAddress(text))];
  } catch (error) {
    if (error instanceof ServiceError) return [];
    throw error;
  }
}
