import type { TokenAmounts } from "../../../common/sale/record/token-amounts.ts";
import type { OpenAllocationSet, SaleAllocations } from "./domain/sale-allocations.ts";

/** The column `sale_state.allocations`, whose numbers are decimal text. */
interface StoredAllocations {
  readonly version: string;
  readonly accepted: StoredAmounts;
  readonly stored?: StoredAmounts;
  readonly expected?: StoredAmounts;
  readonly open?: {
    readonly uuid: string;
    readonly version: string;
    readonly nextPart: number;
    readonly accepted: StoredAmounts;
  };
}

/** Token and amount of each. */
type StoredAmounts = readonly (readonly [string, string])[];

/** Encodes what is known of a sale's allocations; null for nothing. */
export function textOfAllocations(allocations: SaleAllocations | undefined): string | null {
  if (allocations === undefined) return null;
  const { version, accepted, stored, expected, open } = allocations;
  const row: StoredAllocations = {
    version: version.toString(),
    accepted: storedAmounts(accepted),
    ...(stored && { stored: storedAmounts(stored) }),
    ...(expected && { expected: storedAmounts(expected) }),
    ...(open && { open: { ...open, version: open.version.toString(), accepted: storedAmounts(open.accepted) } }),
  };
  return JSON.stringify(row);
}

/** Decodes `textOfAllocations`. */
export function allocationsOfText(text: string): SaleAllocations {
  const { version, accepted, stored, expected, open }: StoredAllocations = JSON.parse(text);
  return {
    version: BigInt(version),
    accepted: amountsOf(accepted),
    ...(stored && { stored: amountsOf(stored) }),
    ...(expected && { expected: amountsOf(expected) }),
    ...(open && { open: openSetOf(open) }),
  };
}

function openSetOf({ uuid, version, nextPart, accepted }: NonNullable<StoredAllocations["open"]>): OpenAllocationSet {
  return { uuid, version: BigInt(version), nextPart, accepted: amountsOf(accepted) };
}

function storedAmounts(amounts: TokenAmounts): StoredAmounts {
  return [...amounts].map(([token, amount]) => [token, amount.toString()]);
}

function amountsOf(stored: StoredAmounts): TokenAmounts {
  return new Map(stored.map(([token, amount]) => [token, BigInt(amount)]));
}
