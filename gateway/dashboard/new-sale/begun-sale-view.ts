import type { FormErrors } from "../base/form-errors.ts";
import type { Founder } from "../base/founder.ts";
import type { KnownChains, SourceCheck } from "../definition/check-source.ts";
import type { ParsedDefinition } from "../definition/parsed-definition.ts";
import type { FoundToken } from "../definition/token-check.ts";

/** View of a sale that was begun, be it a new one or a copy. */
export interface BegunSaleView {
  readonly founder: Founder;
  /** UUID of the sale that was begun: the same on every visit until it is created, so that a contract can hold it. */
  readonly saleUuid: string;
  readonly known: KnownChains;
  /** The facts of the tokens on the chain. */
  readonly found?: readonly FoundToken[];
  readonly errors?: FormErrors;
  readonly meaning?: ParsedDefinition;
  readonly check?: SourceCheck | undefined;
  readonly focus?: string | undefined;
  /** Whether the form's values are those of an earlier visit. */
  readonly isKept?: boolean;
}
