import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { hexOfBytes } from "../../../common/platform/encoding/hex.ts";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import type { SettingChange } from "../../../common/sale/words/setting-change.ts";
import type {
  EligibilityService,
  SetFreezeRequest,
} from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { recordChange, requireRecentOwner, requireRole } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { lockSaleForChange } from "../base/lock-sale.ts";
import { countFreezes, deleteFreeze, isFrozen, readFreezes, storeFreeze } from "./freezes-store.ts";
import { countUnexpiredPermits } from "./unexpired-permits-store.ts";

type FreezeChange = Pick<SetFreezeRequest, "saleSpecificEntityId" | "frozen" | "note">;

/** The most frozen entities of one sale. */
const MAX_FREEZES = 10_000;

export function setFreeze(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["setFreeze"] {
  const { database, clock } = dependencies;
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    const principal = await requireRecentOwner(dependencies, context, saleUuid);
    await recordChange(dependencies, principal, saleUuid, "entity freeze", [settingOf(request)]);
    await storeChange(dependencies, saleUuid, request);
    const { saleSpecificEntityId } = request;
    const unexpiredPermits = await database.read((query) =>
      countUnexpiredPermits(query, saleUuid, clock(), saleSpecificEntityId),
    );
    return { unexpiredPermits };
  };
}

async function storeChange(
  { database, clock }: EntitiesContext,
  saleUuid: string,
  { saleSpecificEntityId: saleSpecificId, frozen, note }: FreezeChange,
): Promise<void> {
  const { dialect } = database;
  await database.writeExclusive(saleUuid, async (transaction) => {
    await lockSaleForChange(transaction, dialect, saleUuid);
    if (!frozen) return deleteFreeze(transaction, saleUuid, saleSpecificId);
    if (!(await isFrozen(transaction, saleUuid, saleSpecificId))) await requireRoom(transaction, saleUuid);
    return storeFreeze(transaction, dialect, saleUuid, { saleSpecificId, note, sinceMs: clock() });
  });
}

/** @throws ServiceError `failed_precondition` */
async function requireRoom(query: Parameters<typeof countFreezes>[0], saleUuid: string): Promise<void> {
  if ((await countFreezes(query, saleUuid)) < MAX_FREEZES) return;
  throw new ServiceError("failed_precondition", `a sale can have at most ${MAX_FREEZES} frozen entities`);
}

function settingOf({ saleSpecificEntityId, frozen, note }: FreezeChange): SettingChange {
  const text = note === "" ? "frozen" : `frozen: ${note}`;
  const field = `Entity 0x${hexOfBytes(saleSpecificEntityId)}`;
  return frozen ? { field, before: "", after: text } : { field, before: "frozen", after: "" };
}

/** The most freezes of one answer. */
const MAX_LISTED = 1_000;

export function listFreezes(dependencies: EntitiesContext): ServiceImpl<typeof EligibilityService>["listFreezes"] {
  return async (request, context) => {
    const saleUuid = request.saleUuid.toLowerCase();
    await requireRole(dependencies, context, saleUuid, "viewer");
    const freezes = await dependencies.database.read((query) => readFreezes(query, saleUuid, MAX_LISTED));
    return {
      freezes: freezes.map(({ saleSpecificId, note, sinceMs }) => ({
        saleSpecificEntityId: Uint8Array.from(saleSpecificId),
        note,
        since: timestampFromMs(Number(sinceMs)),
      })),
    };
  };
}
