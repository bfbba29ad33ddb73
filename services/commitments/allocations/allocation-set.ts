import { ADDRESSES } from "../../../common/chains/addresses.ts";
import { invalidArgument, ServiceError } from "../../../common/platform/errors/service-error.ts";
import { paymentTokenKind } from "../../../common/sale/definition/payment-tokens.ts";
import type { Sale, SaleDefinition } from "../../../common/sale/definition/sale.ts";
import { UINT256_MAX } from "../../../common/sale/definition/uint.ts";
import { ViolationList } from "../../../common/sale/definition/violation-list.ts";
import type { Allocation } from "../../../common/sale/record/allocation.ts";
import { addAmounts, addTo, areEqual, type TokenAmounts } from "../../../common/sale/record/token-amounts.ts";
import { NO_ALLOCATIONS, type OpenAllocationSet, type SaleAllocations } from "../base/domain/sale-allocations.ts";
import type { SaleState } from "../base/domain/sale-state.ts";
import { requireNoChangeSet } from "../base/domain/sale-transitions.ts";
import type { ChangeSetPart } from "../changing/domain/admit-apply.ts";

/** A part of a set of allocations, checked by itself. */
export interface AllocationPart {
  readonly set: ChangeSetPart;
  readonly allocations: readonly Allocation[];
  /** The sums over the whole set; required in the last part. */
  readonly totals?: TokenAmounts | undefined;
}

/** Refuses a set for a sale whose source says its allocations, or that isn't settled, or is being changed. @throws ServiceError `failed_precondition` */
export function requireAllocatable({ definition }: Sale, state: SaleState): void {
  const { status } = state;
  if (definition.source !== undefined) {
    throw new ServiceError("failed_precondition", "the sale's contract decides about its allocations");
  }
  requireNoChangeSet(state);
  if (status === "settled") return;
  throw new ServiceError("failed_precondition", `the sale is ${status}; its allocations can be set once it is settled`);
}

/**
 * Returns the set to which a part belongs, before its rows: a new one for part 0.
 *
 * @throws ServiceError `aborted` if another part is next
 */
export function setOfPart(
  allocations: SaleAllocations = NO_ALLOCATIONS,
  { uuid, part }: ChangeSetPart,
): OpenAllocationSet {
  const { version, open } = allocations;
  const continues = open?.uuid === uuid;
  if (continues && open.nextPart === part) return open;
  if (!continues && part === 0) {
    return { uuid, version: (open?.version ?? version) + 1n, nextPart: 0, accepted: NO_ALLOCATIONS.accepted };
  }
  const next = continues ? `continues with part ${open.nextPart}, not ${part}` : "isn't open; begin with part 0";
  throw new ServiceError("aborted", `set ${uuid} ${next}`);
}

/**
 * Returns the allocations of a sale after a part of a set. The last part shows its rows instead of those from before.
 *
 * @param set the set before the part, as `setOfPart` returns it
 * @throws ServiceError `failed_precondition` if the sums aren't the totals, `invalid_argument` if the last part has none
 */
export function afterSetPart(
  before: SaleAllocations = NO_ALLOCATIONS,
  set: OpenAllocationSet,
  { set: { last }, allocations, totals }: AllocationPart,
): SaleAllocations {
  const accepted = addAmounts(set.accepted, sumsOf(allocations));
  if (!last) return { ...before, open: { ...set, nextPart: set.nextPart + 1, accepted } };
  if (totals === undefined) {
    const message = "are required in the last part";
    throw invalidArgument([{ field: "totals", rule: "totals.required", message }]);
  }
  if (!areEqual(accepted, totals)) throw wrongSums(accepted, totals);
  return { version: set.version, accepted, expected: totals };
}

function sumsOf(allocations: readonly Allocation[]): ReadonlyMap<string, bigint> {
  const sums = new Map<string, bigint>();
  for (const { token, accepted } of allocations) addTo(sums, token, accepted);
  return sums;
}

function wrongSums(accepted: TokenAmounts, totals: TokenAmounts): ServiceError {
  const tokens = [...new Set([...accepted.keys(), ...totals.keys()])].sort();
  const token = tokens.find((each) => accepted.get(each) !== totals.get(each)) ?? "";
  const [sum, total] = [accepted.get(token) ?? 0n, totals.get(token) ?? 0n];
  const problem = `the allocations of token ${token} add up to ${sum}, and their total is ${total}`;
  return new ServiceError("failed_precondition", `${problem}: correct them and begin another set`);
}

/**
 * Checks the allocations of a part of a set; returns them with their addresses in canonical form.
 *
 * @throws ServiceError `invalid_argument` with up to 20 violations
 */
export function checkAllocations(
  definition: Pick<SaleDefinition, "paymentTokens">,
  allocations: readonly Allocation[],
): readonly Allocation[] {
  const kind = paymentTokenKind(definition);
  const tokens = new Set(definition.paymentTokens.map(({ address }) => address));
  const violations = new ViolationList();
  const seen = new Set<string>();
  const checked = allocations.map((allocation, index) => {
    const at = `allocations[${index}]`;
    const wallet = ADDRESSES[kind].canonical(allocation.wallet);
    const token = ADDRESSES[kind].canonical(allocation.token);
    if (wallet === undefined) violations.add(`${at}.wallet`, "address.form", ADDRESSES[kind].form);
    if (token === undefined || !tokens.has(token)) {
      violations.add(`${at}.token`, "payment_token.unknown", "is not a payment token of this sale");
    }
    const { accepted } = allocation;
    if (accepted <= 0n || accepted > UINT256_MAX) violations.add(`${at}.accepted`, "range", "must be 1 to 2^256-1");
    const key = `${allocation.entityId}/${wallet}/${token}`;
    if (seen.has(key)) violations.add(at, "allocation.duplicate", "must not occur twice");
    seen.add(key);
    return { ...allocation, wallet: wallet ?? allocation.wallet, token: token ?? allocation.token };
  });
  violations.throwIfAny();
  return checked;
}

/** Refuses too many allocations in one call, before anything else is done with them. @throws ServiceError `invalid_argument` */
export function checkAllocationCount(count: number, most: number): void {
  if (count <= most) return;
  throw invalidArgument([{ field: "allocations", rule: "rows.number", message: `must be at most ${most}` }]);
}
