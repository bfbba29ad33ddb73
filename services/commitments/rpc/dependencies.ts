import type { Caller } from "../../shared/rpc/callers.ts";
import type { ExtraDataParser } from "../domain/extra-data.ts";
import type { Sale } from "../domain/sale.ts";
import type { CommitmentsDatabase } from "../store/schema.ts";

/** Says who may open a sale, and when. */
export interface OpenSalePolicy {
  /** @throws ServiceError `permission_denied` or `failed_precondition`, in words that say what is missing. */
  admit(sale: Sale, caller: Caller): Promise<void>;
}

/** What the handlers work with. */
export interface Dependencies {
  readonly database: CommitmentsDatabase;
  readonly openSalePolicy: OpenSalePolicy;
  /** Upserts and removals in one apply, at most. */
  readonly applyMaxRows: number;
  /** The parser of extra data for a parameter list. */
  readonly extraDataParser: (parameters: string) => Promise<ExtraDataParser>;
}
