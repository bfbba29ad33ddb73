import type { Kysely } from "kysely";
import { bytesOfHex } from "../../shared/encoding/hex.ts";
import { arePermitsStopped } from "../eligibility/gather-facts.ts";
import type { ParticipationRules } from "../rules/participation-rules.ts";
import { readRules } from "../rules/rules-store.ts";
import type { EntitiesSchema } from "../schema/schema.ts";

/** The facts that all permits of a plain sale share: a sale without members and proofs of presence. */
export interface PlainSale {
  readonly saleUuid: string;
  readonly rules: ParticipationRules;
  readonly permitsStopped: boolean;
}

/** Reads what all permits of a sale have in common. @returns undefined for a sale that isn't plain */
export async function readPlainSale(query: Kysely<EntitiesSchema>, saleUuid: string): Promise<PlainSale | undefined> {
  const { rules } = await readRules(query, saleUuid);
  if (rules.livenessRequired || (await hasMembers(query, saleUuid))) return undefined;
  return { saleUuid, rules, permitsStopped: await arePermitsStopped(query, saleUuid) };
}

async function hasMembers(query: Kysely<EntitiesSchema>, saleUuid: string): Promise<boolean> {
  const sale = bytesOfHex(saleUuid);
  const row = await query
    .selectFrom("group_member")
    .select("sale")
    .where("sale", "=", sale)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
