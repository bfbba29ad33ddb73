import type { MessageInitShape } from "@bufbuild/protobuf";
import type { SaleUnits } from "../../../common/sale/words/sale-units.ts";
import { EntityType } from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import {
  CountryRule,
  type ParticipationGroupSchema,
  type ParticipationRulesSchema,
  PermitPayload,
  ScreeningFailure,
} from "../../../proto/gen/tidemark/entities/v1/participation_rules_pb.ts";
import { readCountries } from "../../web/pages/country-entry.ts";
import type { FormError, FormErrors } from "../base/form-errors.ts";
import type { ParsedNumber } from "../base/utc-entry.ts";
import { readUtcEntry } from "../base/utc-entry.ts";
import { readAmount, readPrice } from "./read-amounts.ts";
import { type GroupEntry, groupFields, type RulesFormValues } from "./rules-form-values.ts";
import { groupLabel, rulesLabel } from "./rules-labels.ts";

type RulesInit = MessageInitShape<typeof ParticipationRulesSchema>;
type GroupInit = MessageInitShape<typeof ParticipationGroupSchema>;

/** The rules that a form's values mean, or the errors. */
export type ReadRules =
  | { readonly rules: RulesInit; readonly errors: readonly [] }
  | { readonly rules?: undefined; readonly errors: FormErrors };

const MAX_WALLETS = 255n;
const MAX_PRIORITY = 1_000n;

/**
 * Returns the rules that a form's values mean, in smallest units, price ticks and seconds. Only entries that the contract
 * can't express are refused here; the service checks the rules.
 */
export function readRules(formValues: RulesFormValues, units: SaleUnits): ReadRules {
  const reader = new RulesReader(units);
  const rules = reader.rules(formValues);
  return reader.errors.length === 0 ? { rules, errors: [] } : { errors: reader.errors };
}

class RulesReader {
  readonly errors: FormError[] = [];
  readonly #units: SaleUnits;

  constructor(units: SaleUnits) {
    this.#units = units;
  }

  rules(formValues: RulesFormValues): RulesInit {
    const entityTypes = [
      ...(formValues.persons ? [EntityType.PERSON] : []),
      ...(formValues.organizations ? [EntityType.ORGANIZATION] : []),
    ];
    if (entityTypes.length === 0) this.#refuse("persons", "Choose people, organizations or both");
    const { codes, unknown } = readCountries(formValues.countries);
    if (unknown.length > 0) this.#refuse("countries", `Not a country: ${unknown.slice(0, 5).join(", ")}`);
    return {
      enabled: formValues.enabled,
      countryRule: formValues.countryRule === "only_listed" ? CountryRule.ONLY_LISTED : CountryRule.ALL_BUT_LISTED,
      countries: [...codes],
      entityTypes,
      groups: formValues.groups.map((group, index) => this.#group(group, index)),
      defaultGroupUuid: formValues.groups.some(({ uuid }) => uuid === formValues.defaultGroup)
        ? formValues.defaultGroup
        : "",
      wallets: this.#wallets(formValues),
      livenessRequired: formValues.liveness,
      payload: formValues.payload === "settlement" ? PermitPayload.SETTLEMENT : PermitPayload.NONE,
      bidsWithoutPrice: formValues.bidsWithoutPrice,
    };
  }

  #wallets({ maxWallets, linking, denyList, screenerUrl, onScreeningFailure }: RulesFormValues): RulesInit["wallets"] {
    const max = this.#number("max_wallets", rulesLabel("max_wallets"), { text: maxWallets, max: MAX_WALLETS, min: 1n });
    return {
      maxWalletsPerEntity: Number(max),
      linkingRequired: linking,
      denyList,
      screenerUrl,
      onScreeningFailure: onScreeningFailure === "open" ? ScreeningFailure.OPEN : ScreeningFailure.CLOSED,
    };
  }

  #group(group: GroupEntry, index: number): GroupInit {
    const fields = groupFields(index);
    const label = (field: keyof typeof fields) => groupLabel(field, group.name, index);
    const read = (field: keyof GroupEntry, how: (text: string) => ParsedNumber): bigint | undefined => {
      const text = group[field];
      if (typeof text !== "string" || text === "") return undefined;
      const entered = how(text);
      if ("value" in entered) return entered.value;
      this.#refuse(fields[field], entered.reason, label(field));
      return undefined;
    };
    const amount = (text: string) => readAmount(this.#units, text);
    const price = (text: string) => readPrice(this.#units, text);
    if (group.name.trim() === "") this.#refuse(fields.name, "Enter a name", label("name"));
    const priority = { text: group.priority || "0", max: MAX_PRIORITY, min: 0n };
    return {
      uuid: group.uuid,
      name: group.name,
      opensAt: read("opens", readUtcEntry) ?? 0n,
      closesAt: read("closes", readUtcEntry) ?? 0n,
      minAmount: String(read("minAmount", amount) ?? 0n),
      maxAmount: String(read("maxAmount", amount) ?? ""),
      minPriceTicks: read("minPrice", price) ?? 0n,
      maxPriceTicks: read("maxPrice", price) ?? 0n,
      forcedLockup: group.lockup,
      priority: Number(this.#number(fields.priority, label("priority"), priority)),
    };
  }

  #number(
    field: string,
    label: string,
    { text, min, max }: { readonly text: string; readonly min: bigint; readonly max: bigint },
  ): bigint {
    const value = /^\d{1,4}$/.test(text) ? BigInt(text) : undefined;
    if (value !== undefined && value >= min && value <= max) return value;
    this.#refuse(field, `Enter a whole number from ${min} to ${max}`, label);
    return min;
  }

  #refuse(field: string, text: string, label = rulesLabel(field)): void {
    this.errors.push({ field, label, text });
  }
}

/** Returns the form's field for a field of `UpdateRulesRequest`, such as `rules.groups[0].closes_at`. */
export function fieldOfRules(
  contractField: string,
  groups: readonly GroupEntry[],
): { readonly field: string; readonly label: string } | undefined {
  const path = contractField.replace(/^rules\./, "");
  const [, index, part = "name"] = /^groups\[(\d+)\](?:\.(\w+))?/.exec(path) ?? [];
  if (index !== undefined) {
    const key = GROUP_FIELDS[part] ?? "name";
    return {
      field: groupFields(Number(index))[key],
      label: groupLabel(key, groups[Number(index)]?.name, Number(index)),
    };
  }
  const field = FIELDS[path.replace(/\[\d+\]$/, "")];
  return field === undefined ? undefined : { field, label: rulesLabel(field) };
}

const GROUP_FIELDS: Readonly<Record<string, keyof ReturnType<typeof groupFields>>> = {
  name: "name",
  opens_at: "opens",
  closes_at: "closes",
  min_amount: "minAmount",
  max_amount: "maxAmount",
  min_price_ticks: "minPrice",
  max_price_ticks: "maxPrice",
  forced_lockup: "lockup",
  priority: "priority",
};

const FIELDS: Readonly<Record<string, string>> = {
  enabled: "enabled",
  country_rule: "country-all-but",
  countries: "countries",
  entity_types: "persons",
  groups: "add-group",
  default_group_uuid: "default-none",
  "wallets.max_wallets_per_entity": "max_wallets",
  "wallets.linking_required": "linking",
  "wallets.deny_list": "deny_list",
  "wallets.screener_url": "screener_url",
  "wallets.on_screening_failure": "screening-closed",
  liveness_required: "liveness",
  payload: "payload-none",
  bids_without_price: "bids_without_price",
};
