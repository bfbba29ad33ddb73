import { Code } from "@connectrpc/connect";
import type { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { type SaleDefinition, Tenancy } from "../../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { type Founder, resultOrRefusal } from "../base/founder.ts";
import { texts } from "../base/texts.ts";
import { orNotInvited } from "./not-invited.ts";
import { fieldOfDefinition } from "./sale-form-values.ts";
import { settingsChange } from "./settings-change.ts";

/** A definition that somebody wants to save. */
export interface WantedDefinition {
  readonly saleUuid: string;
  readonly tenancy: string;
  readonly definition: SaleDefinition;
  /** The definition that it is based on; absent for a sale that isn't created yet, or isn't at hand. */
  readonly before?: SaleDefinition | undefined;
  /** Version of the definition that it is based on; 0 for a sale that isn't created yet. */
  readonly version: bigint;
  /** Returns the form's field for a field that the form of a sale's settings doesn't have. */
  readonly fieldOfOthers?: FieldOf;
}

/** Returns the form's field and label for a field of the contract; undefined where the form has none. */
export type FieldOf = (contractField: string) => { readonly field: string; readonly label: string } | undefined;

const noField: FieldOf = () => undefined;

/**
 * Returns the errors for which the service would refuse a definition.
 *
 * @throws PageError for somebody who may not create or change the sale
 */
export async function definitionErrors(
  { atCommitments }: Founder,
  { dashboard }: DashboardDependencies,
  { saleUuid, tenancy, definition, before, version: expectedDefinitionVersion, fieldOfOthers }: WantedDefinition,
): Promise<FormErrors> {
  const change = settingsChange(before, definition);
  const request = { saleUuid, tenancy: tenancyOf(tenancy), ...change, expectedDefinitionVersion };
  const call = async () => {
    const checked = dashboard.sales.checkSale(request, atCommitments).catch((error: unknown) => {
      // A service of the version before refuses only what is sent to be saved.
      if (!isRefused(error, Code.Unimplemented)) throw error;
    });
    return expectedDefinitionVersion === 0n ? orNotInvited(checked) : checked;
  };
  const checked = await resultOrRefusal(call);
  return "refusal" in checked ? errorsOfDefinition(checked.refusal, fieldOfOthers) : [];
}

/** Returns the form's errors for a refused definition. */
export function errorsOfDefinition(refusal: ServiceError, fieldOfOthers: FieldOf = noField): FormErrors {
  if (refusal.code === "aborted") return [{ text: texts().definition.changed }];
  return refusalErrors(refusal, (field) => fieldOfDefinition(field) ?? fieldOfOthers(field));
}

/** Returns the tenancy that a form's entry means. */
export function tenancyOf(entered: string): Tenancy {
  return entered === "live" ? Tenancy.LIVE : Tenancy.TEST;
}
