import type { MessageInitShape } from "@bufbuild/protobuf";
import { fill } from "../../../common/platform/language/message.ts";
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
import { errorField, fieldAt } from "../base/form-table.ts";
import { texts } from "../base/texts.ts";
import type { ParsedNumber } from "../base/utc-entry.ts";
import { readUtcEntry } from "../base/utc-entry.ts";
import { readAmount, readPrice } from "./read-amounts.ts";
import type { RulesFormValues } from "./rules-form-values.ts";
import { GROUP_TABLE, type GroupEntry, type GroupField, groupLabel, RULES_TABLE } from "./rules-table.ts";

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
    if (entityTypes.length === 0) this.#refuse(errorField(RULES_TABLE.persons), texts().rules.noKind);
    const { codes, unknown } = readCountries(formValues.countries);
    if (unknown.length > 0) {
      const countries = unknown.slice(0, 5).join(", ");
      this.#refuse(errorField(RULES_TABLE.countries), fill(texts().rules.unknownCountries, { countries }));
    }
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
      onSalePage: formValues.onSalePage,
    };
  }

  #wallets({ maxWallets, linking, denyList, screenerUrl, onScreeningFailure }: RulesFormValues): RulesInit["wallets"] {
    const max = this.#number(errorField(RULES_TABLE.maxWallets), { text: maxWallets, max: MAX_WALLETS, min: 1n });
    return {
      maxWalletsPerEntity: Number(max),
      linkingRequired: linking,
      denyList,
      screenerUrl,
      onScreeningFailure: onScreeningFailure === "open" ? ScreeningFailure.OPEN : ScreeningFailure.CLOSED,
    };
  }

  #group(group: GroupEntry, index: number): GroupInit {
    const errorFieldOf = (field: GroupField) => ({
      field: fieldAt(GROUP_TABLE[field], index),
      label: groupLabel(field, group.name, index),
    });
    const read = (field: Exclude<GroupField, "lockup">, how: (text: string) => ParsedNumber): bigint | undefined => {
      if (group[field] === "") return undefined;
      const entered = how(group[field]);
      if ("value" in entered) return entered.value;
      this.#refuse(errorFieldOf(field), entered.reason);
      return undefined;
    };
    const amount = (text: string) => readAmount(this.#units, text);
    const price = (text: string) => readPrice(this.#units, text);
    if (group.name.trim() === "") this.#refuse(errorFieldOf("name"), texts().groupForm.nameMissing);
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
      priority: Number(this.#number(errorFieldOf("priority"), priority)),
    };
  }

  #number(
    field: ReturnType<typeof errorField>,
    { text, min, max }: { readonly text: string; readonly min: bigint; readonly max: bigint },
  ): bigint {
    const value = /^\d{1,4}$/.test(text) ? BigInt(text) : undefined;
    if (value !== undefined && value >= min && value <= max) return value;
    this.#refuse(field, fill(texts().rules.wholeNumber, { least: String(min), most: String(max) }));
    return min;
  }

  #refuse(field: ReturnType<typeof errorField>, text: string): void {
    this.errors.push({ ...field, text });
  }
}
