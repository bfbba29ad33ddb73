import { create } from "@bufbuild/protobuf";
import type { Client } from "@connectrpc/connect";
import type { EligibilityService } from "../../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  type ParticipationRules,
  ParticipationRulesSchema,
  PermitPayload,
  ScreeningFailure,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import {
  type PermitKey,
  PermitKeyStatus,
  type PermitService,
} from "../../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import type { DemoSale } from "./demo-sales.ts";

/** The group of everybody in the demo's auction. */
const EVERYBODY = "55555555-5555-4555-8555-555555555555";
/** Bounds of an entity's total, in whole tokens. */
const [MIN_TOKENS, MAX_TOKENS] = [10n, 25_000n];
/** The number that the contract allows. */
const MAX_WALLETS = 30;

export interface ParticipationClients {
  readonly eligibility: Pick<Client<typeof EligibilityService>, "getRules" | "updateRules">;
  readonly permits: Pick<Client<typeof PermitService>, "activateKey" | "createKey" | "listKeys">;
}

/**
 * Switches taking part on for a sale whose contract takes permits: a key that its contract accepts, and rules for everybody.
 * Rules that somebody has set stay.
 *
 * @param grantSigner makes the contract accept a signer, which it may have forgotten with its chain
 */
export async function ensureParticipation(
  { eligibility, permits }: ParticipationClients,
  sale: DemoSale,
  grantSigner: (signer: string) => Promise<void>,
): Promise<void> {
  const saleUuid = sale.uuid;
  const [{ version }, { keys }] = await Promise.all([
    eligibility.getRules({ saleUuid }),
    permits.listKeys({ saleUuid }),
  ]);
  const signing = keys.filter(({ status }) => status !== PermitKeyStatus.RETIRED);
  for (const { address } of signing) await grantSigner(address);
  if (!signing.some(isActive)) await activateKey(permits, saleUuid, signing[0], grantSigner);
  if (version === 0n) await eligibility.updateRules({ saleUuid, rules: openRules(sale), expectedVersion: version });
}

async function activateKey(
  permits: ParticipationClients["permits"],
  saleUuid: string,
  next: PermitKey | undefined,
  grantSigner: (signer: string) => Promise<void>,
): Promise<void> {
  const key = next ?? (await permits.createKey({ saleUuid })).key;
  if (key === undefined) throw new Error("the entities service made no key");
  await grantSigner(key.address);
  await permits.activateKey({ saleUuid, keyUuid: key.keyUuid });
}

function isActive({ status }: PermitKey): boolean {
  return status === PermitKeyStatus.ACTIVE;
}

/** Rules by which every entity may bid at any time. */
function openRules({ oneToken, lowestBid }: DemoSale): ParticipationRules {
  return create(ParticipationRulesSchema, {
    enabled: true,
    countryRule: CountryRule.ALL_BUT_LISTED,
    entityTypes: [EntityType.PERSON, EntityType.ORGANIZATION],
    groups: [
      {
        uuid: EVERYBODY,
        name: "Everybody",
        minAmount: (MIN_TOKENS * oneToken).toString(),
        maxAmount: (MAX_TOKENS * oneToken).toString(),
        minPriceTicks: lowestBid,
      },
    ],
    defaultGroupUuid: EVERYBODY,
    wallets: { maxWalletsPerEntity: MAX_WALLETS, onScreeningFailure: ScreeningFailure.CLOSED },
    payload: PermitPayload.SETTLEMENT,
    onSalePage: true,
  });
}
