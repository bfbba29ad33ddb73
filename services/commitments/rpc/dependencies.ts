import type { ExtraDataParser } from "../domain/extra-data.ts";
import type { SaleAuthority } from "../sale-authority.ts";
import type { CommitmentsDatabase } from "../store/schema.ts";

/** What the handlers work with. */
export interface Dependencies {
  readonly database: CommitmentsDatabase;
  readonly authority: SaleAuthority;
  /** Upserts and removals in one apply, at most. */
  readonly applyMaxRows: number;
  /** The parser of extra data for a parameter list. */
  readonly extraDataParser: (parameters: string) => Promise<ExtraDataParser>;
}
