import { contractErrorField } from "../base/form-table.ts";
import type { Founder } from "../base/founder.ts";
import { type NewSaleValues, START_TABLE } from "./new-sale-values.ts";

/** The logos that were chosen for the first application. The sale shows the square one, too. */
export interface FirstFiles {
  readonly square?: Uint8Array<ArrayBuffer>;
  readonly wide?: Uint8Array<ArrayBuffer>;
}

/** A sale that was just created, and what its founder wants to begin with. */
export interface StartedSale {
  readonly founder: Founder;
  readonly saleUuid: string;
  /** UUID of the sale that it copies; empty for none. */
  readonly from: string;
  readonly values: NewSaleValues;
  readonly files: FirstFiles;
}

/** Returns the redirect URIs that were entered for the first application. */
export function redirectUris({ start: { redirectUri } }: NewSaleValues): readonly string[] {
  return redirectUri === "" ? [] : [redirectUri];
}

/** Returns the last step's field for a field of the requests by which a sale is started. */
export function fieldOfStart(contractField: string) {
  const [, name = ""] = /^(?:definition\.)?(\w+)/.exec(contractField) ?? [];
  return contractErrorField(START_TABLE, name);
}
