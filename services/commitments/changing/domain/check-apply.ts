import { ADDRESSES } from "../../../../common/chains/addresses.ts";
import type { ChainFamily } from "../../../../common/chains/base/chain-family.ts";
import { invalidArgument } from "../../../../common/platform/errors/service-error.ts";
import { mayBidAgain } from "../../../../common/sale/definition/contract-family.ts";
import { paymentTokenKind } from "../../../../common/sale/definition/payment-tokens.ts";
import { type SaleDefinition, sourceFamily } from "../../../../common/sale/definition/sale.ts";
import { highestTicks, type TickWidth, tickWidth } from "../../../../common/sale/definition/tick-width.ts";
import { ticksBound } from "../../../../common/sale/definition/ticks-bound.ts";
import { UINT256_MAX } from "../../../../common/sale/definition/uint.ts";
import { ViolationList } from "../../../../common/sale/definition/violation-list.ts";
import { countsDemand } from "../../../../common/sale/figures/bid-demand.ts";
import type { CommitmentRecord, WalletTokenAmount } from "../../../../common/sale/record/commitment.ts";
import { COMMITMENT_LIMITS } from "../../../../common/sale/record/commitment-limits.ts";

/** The parts of a definition that decide which rows are valid. */
type CheckedBy = Pick<SaleDefinition, "paymentTokens" | "widePrices" | "pricing" | "source">;

const COMMITMENT_ID_DIGITS = 64;
const commitmentIdPattern = /^[0-9a-f]{64}$/;
const entityIdPattern = /^[0-9a-f]{32}$/;

/**
 * Checks the rows of an apply (the rules of `ApplyCommitmentsRequest` and `CommitmentRecord` in the contract); returns
 * the upserts with their addresses in canonical form.
 *
 * @param removals commitment IDs.
 * @throws ServiceError `invalid_argument` with up to 20 violations.
 */
export function checkApply(
  definition: CheckedBy,
  upserts: readonly CommitmentRecord[],
  removals: readonly string[],
): readonly CommitmentRecord[] {
  const violations = new ViolationList();
  checkIds(upserts, removals, violations);
  const check = new RecordCheck(definition, violations);
  const checked = upserts.map((record, index) => check.record(record, index));
  violations.throwIfAny();
  return checked;
}

/**
 * Refuses an apply of too many rows, before anything else is done with it.
 *
 * @param rows upserts and removals together.
 * @throws ServiceError `invalid_argument`.
 */
export function checkRowCount(rows: number, maxRows: number): void {
  if (rows <= maxRows) return;
  const message = `must be at most ${maxRows}, removals included`;
  throw invalidArgument([{ field: "upserts", rule: "rows.number", message }]);
}

/** Checks that each commitment occurs once, in `upserts` or in `removals`. */
function checkIds(upserts: readonly CommitmentRecord[], removals: readonly string[], violations: ViolationList): void {
  const seen = new Set<string>();
  const check = (id: string, field: () => string) => {
    if (!commitmentIdPattern.test(id)) violations.add(field(), "id.form", "must be 32 bytes");
    if (seen.has(id)) violations.add(field(), "commitment_id.duplicate", "must not occur twice, removals included");
    seen.add(id);
  };
  upserts.forEach(({ commitmentId }, index) => {
    check(commitmentId, () => `upserts[${index}].commitment_id`);
  });
  removals.forEach((id, index) => {
    check(id, () => `removals[${index}]`);
  });
}

/** Checks records. Field paths are built only for violations, as most of the many rows are valid. */
class RecordCheck {
  readonly #tokens: ReadonlySet<string>;
  readonly #kind: ChainFamily;
  readonly #width: TickWidth;
  readonly #hasDemand: boolean;
  readonly #mayBidAgain: boolean;
  readonly #violations: ViolationList;

  constructor(definition: CheckedBy, violations: ViolationList) {
    this.#tokens = new Set(definition.paymentTokens.map(({ address }) => address));
    this.#kind = paymentTokenKind(definition);
    this.#width = tickWidth(definition);
    this.#hasDemand = countsDemand(definition);
    this.#mayBidAgain = mayBidAgain(sourceFamily(definition.source));
    this.#violations = violations;
  }

  record(record: CommitmentRecord, row: number): CommitmentRecord {
    if (!entityIdPattern.test(record.entityId)) this.#add(row, "entity_id", "id.form", "must be 16 bytes");
    this.#checkNumbers(record, row);
    if (record.extraData.length > COMMITMENT_LIMITS.extraDataBytes) {
      this.#add(row, "extra_data", "bytes.number", `must be at most ${COMMITMENT_LIMITS.extraDataBytes} bytes`);
    }
    if (record.amounts.length > COMMITMENT_LIMITS.amounts) {
      this.#add(row, "amounts", "amounts.number", `must be at most ${COMMITMENT_LIMITS.amounts}`);
      return record;
    }
    const amounts = record.amounts.map((amount, index) => this.#amount(amount, row, "amounts", index));
    const isCanonical = amounts.every((amount, index) => amount === record.amounts[index]);
    const checked = isCanonical ? record : { ...record, amounts };
    return record.accepted === undefined
      ? checked
      : { ...checked, accepted: this.#accepted(record, record.accepted, row) };
  }

  #accepted({ commitmentId, entityId }: CommitmentRecord, given: readonly WalletTokenAmount[], row: number) {
    if (given.length > COMMITMENT_LIMITS.amounts) {
      this.#add(row, "accepted", "amounts.number", `must be at most ${COMMITMENT_LIMITS.amounts}`);
      return given;
    }
    if (!this.#mayBidAgain && commitmentId !== entityId.padEnd(COMMITMENT_ID_DIGITS, "0")) {
      this.#add(
        row,
        "accepted",
        "accepted.entity",
        "is only for a commitment whose ID is its entity's, padded with zeros",
      );
    }
    const accepted = given.map((amount, index) => this.#amount(amount, row, "accepted", index));
    const seen = new Set<string>();
    for (const [index, { wallet, token, amount }] of accepted.entries()) {
      const key = `${wallet}/${token}`;
      if (amount === 0n) this.#add(row, `accepted[${index}].amount`, "accepted.zero", "must be left out if it is 0");
      if (seen.has(key)) this.#add(row, `accepted[${index}]`, "accepted.duplicate", "must not occur twice");
      seen.add(key);
    }
    return accepted;
  }

  #checkNumbers({ createdAtSeconds, priceTicks, sourceIndex, demand }: CommitmentRecord, row: number): void {
    if (createdAtSeconds < 0n || createdAtSeconds > COMMITMENT_LIMITS.lastCreatedAtSeconds) {
      this.#add(row, "created_at_seconds", "range", "must be within 1970-01-01T00:00:00Z and 9999-12-31T23:59:59Z");
    }
    if (priceTicks < 0n || priceTicks > highestTicks(this.#width)) {
      this.#add(row, "price_ticks", "range", `must be 0 to ${ticksBound(this.#width)}`);
    }
    if (sourceIndex !== undefined && (sourceIndex < 0n || sourceIndex > COMMITMENT_LIMITS.sourceIndex)) {
      this.#add(row, "source_index", "range", "must be 0 to 2^63-1");
    }
    if (demand !== undefined) this.#checkDemand(demand, row);
  }

  #checkDemand(demand: bigint, row: number): void {
    if (demand < 0n || demand > UINT256_MAX) this.#add(row, "demand", "range", "must be 0 to 2^256-1");
    if (this.#hasDemand) return;
    this.#add(row, "demand", "demand.clearing_rule", "is only for an auction with the clearing rule LOWEST_NOT_OUTBID");
  }

  /** Returns the same object if it is in canonical form already. */
  #amount(given: WalletTokenAmount, row: number, list: "amounts" | "accepted", index: number): WalletTokenAmount {
    const { wallet, token, amount } = given;
    const canonicalWallet = ADDRESSES[this.#kind].canonical(wallet);
    if (canonicalWallet === undefined) {
      this.#add(row, `${list}[${index}].wallet`, "address.form", ADDRESSES[this.#kind].form);
    }
    const canonicalToken = this.#tokens.has(token) ? token : ADDRESSES[this.#kind].canonical(token);
    // Contracts may list a zero for every token that they know of, also for one that the sale doesn't declare.
    const isCounted = amount !== 0n;
    if (canonicalToken === undefined || (isCounted && !this.#tokens.has(canonicalToken))) {
      this.#add(row, `${list}[${index}].token`, "payment_token.unknown", "is not a payment token of this sale");
    }
    if (amount < 0n || amount > UINT256_MAX)
      this.#add(row, `${list}[${index}].amount`, "range", "must be 0 to 2^256-1");
    if (canonicalWallet === wallet && canonicalToken === token) return given;
    return { wallet: canonicalWallet ?? wallet, token: canonicalToken ?? token, amount };
  }

  #add(row: number, field: string, rule: string, message: string): void {
    this.#violations.add(`upserts[${row}].${field}`, rule, message);
  }
}
