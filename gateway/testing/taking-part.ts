import { create, type MessageInitShape } from "@bufbuild/protobuf";
import type { GroupMember, GroupMemberSchema } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import {
  type ParticipationGroup,
  ParticipationGroupSchema,
  type ParticipationRules,
} from "../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import type { PermitKey } from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { PERMIT_LIFETIME_MS } from "../../services/entities/base/lifetimes.ts";
import {
  insertPermitsStatement,
  newPermitUuid,
  type PermitRecord,
} from "../../services/entities/permits/permits-store.ts";
import { idBytes } from "../../test/support/sales/sale-messages.ts";
import { takingPartPaths } from "../dashboard/base/dashboard-paths.ts";
import { CLIENT_ID, type FullGateway } from "./auth-gateway.ts";
import { SALE } from "./fake-commitments.ts";

export const GROUP = "99999999-9999-4999-8999-999999999999";
export const OTHER_GROUP = "99999999-9999-4999-8999-999999999998";
export const TAKING_PART = takingPartPaths(SALE);

/** Returns a group with all bounds, in December 2026. */
export function boundedGroup(changes: Partial<ParticipationGroup> = {}): ParticipationGroup {
  return create(ParticipationGroupSchema, {
    uuid: GROUP,
    name: "Early supporters",
    opensAt: 1_796_083_200n,
    closesAt: 1_798_675_200n,
    minAmount: "100000000",
    maxAmount: "5000000000",
    minPriceTicks: 10n,
    maxPriceTicks: 50n,
    priority: 10,
    ...changes,
  });
}

/** Returns the rules of `SALE` with their version. */
export async function storedRules({ entities }: FullGateway): Promise<{ rules: ParticipationRules; version: bigint }> {
  const { rules, version } = await entities.as("operator").eligibility.getRules({ saleUuid: SALE });
  if (rules === undefined) throw new TypeError("GetRulesResponse is incomplete");
  return { rules, version };
}

/** Changes the rules of `SALE`, as an operator does. */
export async function setRules(gateway: FullGateway, change: Partial<ParticipationRules>): Promise<void> {
  const { rules, version: expectedVersion } = await storedRules(gateway);
  const { eligibility } = gateway.entities.as("operator");
  await eligibility.updateRules({ saleUuid: SALE, rules: Object.assign(rules, change), expectedVersion });
}

/** Adds members to groups of `SALE`, as an operator does. */
export async function addMembers(
  { entities }: FullGateway,
  members: readonly MessageInitShape<typeof GroupMemberSchema>[],
): Promise<void> {
  const { eligibility } = entities.as("operator");
  const { problems } = await eligibility.importMembers({ saleUuid: SALE, members: [...members] });
  if (problems.length > 0) throw new Error(JSON.stringify(problems));
}

/** Returns the first members of groups of `SALE`, in no particular order. */
export async function storedMembers({ entities }: FullGateway): Promise<readonly GroupMember[]> {
  const { members } = await entities.as("operator").eligibility.listMembers({ saleUuid: SALE, pageSize: 100 });
  return members;
}

/** The ID in the contract of the entity that `storePermits` gives permits to. */
export const ENTITY_ID = new Uint8Array(16).fill(7);

type GivenPermit = Partial<Omit<PermitRecord, "permit">> & Partial<PermitRecord["permit"]>;

/** Stores permits of `SALE` as if they had been issued: just now, for an entity with a wallet for each, by default. */
export async function storePermits({ auth, entities }: FullGateway, given: readonly GivenPermit[]): Promise<void> {
  const { database } = entities.context;
  const records = given.map((permit, number) => permitRecord(auth.time.now(), number, permit));
  await database.write((transaction) => transaction.executeQuery(insertPermitsStatement(database.dialect, records)));
}

function permitRecord(nowMs: bigint, number: number, given: GivenPermit): PermitRecord {
  const { issuedAtMs = nowMs, maxAmount = 2n ** 256n - 1n, minAmount = 100_000_000n, ...changes } = given;
  const { minPrice = 10n, maxPrice = 50n, saleSpecificId = ENTITY_ID } = given;
  return {
    uuid: newPermitUuid(issuedAtMs),
    saleUuid: SALE,
    entityUuid: "00000000-0000-4000-8000-000000000007",
    wallet: { kind: "evm", bytes: idBytes(number, 20) },
    clientUuid: CLIENT_ID,
    keyUuid: "00000000-0000-4000-8000-0000000000ee",
    groupUuid: GROUP,
    permit: { saleSpecificId, minAmount, maxAmount, minPrice, maxPrice },
    forcedLockup: true,
    issuedAtMs,
    expiresAtMs: issuedAtMs + PERMIT_LIFETIME_MS,
    ...changes,
  };
}

/** Creates a key of `SALE`, and activates it whatever the contract says. */
export async function activateNewKey(gateway: FullGateway): Promise<void> {
  const { permits } = gateway.entities.as("operator");
  const { key } = await permits.createKey({ saleUuid: SALE });
  await permits.activateKey({ saleUuid: SALE, keyUuid: key?.keyUuid ?? "", override: true });
}

/** Returns the keys of `SALE`, the newest first. */
export async function storedKeys({ entities }: FullGateway): Promise<readonly PermitKey[]> {
  return (await entities.as("operator").permits.listKeys({ saleUuid: SALE })).keys;
}

/** Adds wallets to the deny list of `SALE`, at most 500. */
export async function denyWallets({ entities }: FullGateway, wallets: readonly string[]): Promise<void> {
  await entities.as("operator").eligibility.changeDenyList({ saleUuid: SALE, wallets: [...wallets] });
}
