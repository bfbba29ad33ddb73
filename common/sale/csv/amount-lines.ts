import type { CommitmentRecord, WalletTokenAmount } from "../../../proto/gen/tidemark/commitments/v1/commitment_pb.ts";

/** The amount of one wallet and token, each in the token's smallest units. */
export interface AmountLine extends Pick<WalletTokenAmount, "wallet" | "token" | "amount"> {
  /** The part of it that the contract accepts; empty where it doesn't say that, or not yet. */
  readonly accepted: string;
  /** The part of it that was paid back; empty as `accepted`. */
  readonly paidBack: string;
}

const NOTHING: AmountLine = { wallet: "", token: "", amount: "", accepted: "", paidBack: "" };

/**
 * Returns the amounts of a commitment, each with what is accepted and was paid back of it, then those of which nothing was
 * committed; one without wallet and token if there are none.
 *
 * @param saysAccepted whether the sale's contract says what it accepts
 */
export function amountLines(record: CommitmentRecord, saysAccepted: boolean): readonly AmountLine[] {
  const lines = saysAccepted
    ? withAccepted(record)
    : record.amounts.map(({ wallet, token, amount }) => ({ ...NOTHING, wallet, token, amount }));
  return lines.length === 0 ? [NOTHING] : lines;
}

function withAccepted({ amounts, accepted, refunded }: CommitmentRecord): readonly AmountLine[] {
  const open = new Map(accepted.map((each) => [keyOf(each), each]));
  const lines = amounts.map(({ wallet, token, amount }) => {
    const key = keyOf({ wallet, token });
    const part = open.get(key)?.amount ?? "0";
    open.delete(key);
    const rest = BigInt(amount) - BigInt(part);
    return { wallet, token, amount, accepted: part, paidBack: refunded && rest > 0n ? rest.toString() : "0" };
  });
  const others = [...open.values()].map(({ wallet, token, amount }) => ({
    ...NOTHING,
    wallet,
    token,
    amount: "0",
    accepted: amount,
    paidBack: "0",
  }));
  return [...lines, ...others];
}

function keyOf({ wallet, token }: Pick<WalletTokenAmount, "wallet" | "token">): string {
  return `${wallet}/${token}`;
}
