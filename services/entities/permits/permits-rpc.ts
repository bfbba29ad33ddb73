import type { MessageInitShape } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import type { ServiceImpl } from "@connectrpc/connect";
import { formatWallet } from "../../../common/chains/wallet.ts";
import { HOUR_MS } from "../../../common/platform/db/hour-counts.ts";
import { pageStart, readPage, tokenOf } from "../../../common/platform/rpc/server/page-token.ts";
import type {
  PermitRecordSchema,
  PermitService,
  SignedPermitSchema,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { requireRole, visibleSales } from "../authority/sale-access.ts";
import type { EntitiesContext } from "../base/context.ts";
import { RefusalCounts } from "../days/refusal-counts.ts";
import { reasonMessage } from "../eligibility/check-eligibility.ts";
import { requireVisibleEntity } from "../eligibility/visible-entity.ts";
import { salesWithActiveKey } from "../permit-keys/permit-keys-store.ts";
import { salesTakingPart } from "../rules/rules-store.ts";
import { livenessUrl } from "../setup/liveness.ts";
import { PermitIssuer } from "./issue-permit.ts";
import { openingProblems } from "./opening-problems.ts";
import { countHolders, countIssued, countIssuedSince } from "./permit-counts-store.ts";
import { type PermitRecord, readPermits } from "./permits-store.ts";
import type { IssuedPermit } from "./record-permits.ts";

type Methods = Pick<
  ServiceImpl<typeof PermitService>,
  "issuePermit" | "listPermits" | "countPermits" | "listPermitSummaries" | "listOpeningProblems"
>;

const KEY_DIGITS = 32;

/** The methods of `PermitService` for permits. */
export function permitMethods(dependencies: EntitiesContext): Methods {
  const { database, clock } = dependencies;
  return {
    issuePermit: issuePermit(dependencies),
    listPermitSummaries: listPermitSummaries(dependencies),

    async listOpeningProblems(request, context) {
      const saleUuid = request.saleUuid.toLowerCase();
      await requireRole(dependencies, context, saleUuid, "viewer");
      return { problems: (await openingProblems(dependencies, saleUuid)).map(({ name, text }) => ({ name, text })) };
    },

    async listPermits(request, context) {
      const saleUuid = request.saleUuid.toLowerCase();
      await requireRole(dependencies, context, saleUuid, "viewer");
      const { saleSpecificEntityId: saleSpecificId } = request;
      const after = pageStart(request.pageToken, KEY_DIGITS);
      const ofEntity = saleSpecificId.length === 0 ? {} : { saleSpecificId };
      const { items, nextPageToken } = await readPage(
        request.pageSize,
        (size) => database.read((query) => readPermits(query, saleUuid, { after, size, ...ofEntity })),
        ({ uuid }) => tokenOf(uuid),
      );
      return { permits: items.map(recordMessage), nextPageToken };
    },

    async countPermits(request, context) {
      const saleUuid = request.saleUuid.toLowerCase();
      await requireRole(dependencies, context, saleUuid, "viewer");
      const holders = await database.read((query) => countHolders(query, saleUuid, clock()));
      const { total, hours } = await countIssued(database, saleUuid, clock());
      return {
        ...holders,
        permits: total,
        hours: hours.map(({ hourMs, count }) => ({ hour: timestampFromMs(Number(hourMs)), permits: count })),
      };
    },
  };
}

function issuePermit(dependencies: EntitiesContext): Methods["issuePermit"] {
  const issuer = new PermitIssuer(dependencies);
  const refusals = new RefusalCounts(dependencies);
  return async ({ access, saleUuid, entityUuid, wallet }) => {
    const publicUuid = entityUuid.toLowerCase();
    const { grant, result } = await issuer.issue({ access, saleUuid, publicUuid, wallet });
    if (result.kind === "issued") return { result: { case: "issued", value: permitMessage(result) } };
    refusals.count(grant.saleUuid, result.reason);
    const reason = reasonMessage(result.reason);
    if (result.reason !== "requires-liveness") return { result: { case: "refusal", value: { reason } } };
    const { stored, entity } = await requireVisibleEntity(dependencies, grant, publicUuid);
    const url = await livenessUrl(dependencies, grant.saleUuid, stored, entity);
    return { result: { case: "refusal", value: { reason, livenessUrl: url } } };
  };
}

function permitMessage({ permit, wallet, signature }: IssuedPermit): MessageInitShape<typeof SignedPermitSchema> {
  return {
    permit: {
      saleSpecificEntityId: bytesMessage(permit.saleSpecificId),
      saleUuid: bytesMessage(permit.saleUuid),
      wallet: formatWallet(wallet),
      expiresAt: permit.expiresAt,
      minAmount: permit.minAmount.toString(),
      maxAmount: permit.maxAmount.toString(),
      minPrice: permit.minPrice,
      maxPrice: permit.maxPrice,
      opensAt: permit.opensAt,
      closesAt: permit.closesAt,
      payload: bytesMessage(permit.payload),
    },
    signature: bytesMessage(signature),
  };
}

function recordMessage(record: PermitRecord): MessageInitShape<typeof PermitRecordSchema> {
  const { permit } = record;
  return {
    permitUuid: record.uuid,
    saleSpecificEntityId: bytesMessage(permit.saleSpecificId),
    wallet: formatWallet(record.wallet),
    clientUuid: record.clientUuid,
    keyUuid: record.keyUuid,
    issuedAt: timestampFromMs(Number(record.issuedAtMs)),
    expiresAt: timestampFromMs(Number(record.expiresAtMs)),
    minAmount: permit.minAmount.toString(),
    maxAmount: permit.maxAmount.toString(),
    minPrice: permit.minPrice,
    maxPrice: permit.maxPrice,
    forcedLockup: record.forcedLockup,
    groupUuid: record.groupUuid,
  };
}

/** A copy for a message, not a view into a larger buffer. */
function bytesMessage(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes);
}

const DAY_MS = 24n * HOUR_MS;

function listPermitSummaries(dependencies: EntitiesContext): ServiceImpl<typeof PermitService>["listPermitSummaries"] {
  const { database, clock } = dependencies;
  return async (request, context) => {
    const visible = await visibleSales(dependencies, context, request.saleUuids);
    const nowMs = clock();
    const counts = await countIssuedSince(database, visible, nowMs, nowMs - DAY_MS);
    const enabled = await database.read((query) => salesTakingPart(query, visible));
    const signing = await database.read((query) => salesWithActiveKey(query, visible));
    return {
      sales: visible.map((saleUuid) => {
        const { hours, total } = counts.get(saleUuid) ?? { hours: [], total: 0n };
        return {
          saleUuid,
          permits: total,
          lastDay: hours.reduce((sum, { count }) => sum + count, 0n),
          enabled: enabled.has(saleUuid),
          hasActiveKey: signing.has(saleUuid),
        };
      }),
    };
  };
}
