import { isDeepStrictEqual } from "node:util";
import { hexOfBytes } from "../../platform/encoding/hex.ts";
import type { CommitmentData, PresentedCommitment } from "../../sale/figures/commitment-data.ts";
import { groupedText, timesPowerOfTen } from "../../sale/words/exact-number.ts";
import type { CheckName, Checks } from "./checks.ts";
import { amountTexts } from "./row-differences.ts";

/** Compares the figures of all commitments, and which of them are the latest. */
export function compareTotals(shown: CommitmentData, chain: CommitmentData, checks: Checks): void {
  const { total, paymentTokenDecimals } = chain;
  const amount = groupedText(timesPowerOfTen({ numerator: total, denominator: 1n }, -paymentTokenDecimals));
  checks.covers("total", `${amount} (${total} smallest units)`);
  checks.compare("total", "total", shown.total, chain.total);
  checks.compare("total", "decimals of amounts", shown.paymentTokenDecimals, chain.paymentTokenDecimals);
  checks.covers("count", `${chain.count} commitments that count`);
  checks.compare("count", "count", shown.count, chain.count);
  compareClearing(shown, chain, checks);
  checks.compare("clearing price", "bid below the floor", shown.belowFloor ?? 0n, chain.belowFloor ?? 0n);
  compareOrder(shown.commitments, chain.commitments, checks);
}

function compareClearing(shown: CommitmentData, chain: CommitmentData, checks: Checks): void {
  const [one, other] = [priceText(shown.clearing), priceText(chain.clearing)];
  if (chain.clearing !== undefined) checks.covers("clearing price", `${wholePrice(chain)}${other}`);
  checks.compare("clearing price", "clearing price", one, other);
}

/** The clearing price of a whole token, followed by a separator; nothing where the token's decimals aren't known. */
function wholePrice({ clearing, paymentTokenDecimals, offeredTokenDecimals }: CommitmentData): string {
  if (clearing === undefined || offeredTokenDecimals === undefined) return "";
  return `${groupedText(timesPowerOfTen(clearing.price, offeredTokenDecimals - paymentTokenDecimals))} for a token, `;
}

function priceText(priced: CommitmentData["clearing"]): string {
  if (priced === undefined) return "none";
  const { price, microUsd } = priced;
  return `${price.numerator}/${price.denominator}${microUsd === undefined ? "" : `, ${microUsd} micro-USD`}`;
}

function compareOrder(
  shown: readonly PresentedCommitment[],
  chain: readonly PresentedCommitment[],
  checks: Checks,
): void {
  checks.covers("latest", `${shown.length} commitments, field by field, and that they are the latest`);
  checks.compare("latest", "length of the list", shown.length, chain.length);
  const wrong = chain.findIndex(({ commitmentId }, index) => shown[index]?.commitmentId !== commitmentId);
  if (wrong < 0) return;
  const idAt = (list: readonly PresentedCommitment[]) => {
    const id = list[wrong]?.commitmentId;
    return id === undefined ? "none" : `0x${id}`;
  };
  checks.differs("latest", `number ${wrong + 1} of the latest`, idAt(shown), idAt(chain));
}

/**
 * Compares each commitment of the list, field by field.
 *
 * @param chainOf the commitment of an ID as the chain has it, presented as the list presents it; undefined if there is none
 * @param parsesExtraData whether parsed extra data can be compared
 */
export function compareListed(
  shown: readonly PresentedCommitment[],
  chainOf: (commitmentId: string) => PresentedCommitment | undefined,
  parsesExtraData: boolean,
  checks: Checks,
): void {
  for (const one of shown) {
    const subject = `commitment 0x${one.commitmentId}`;
    const other = chainOf(one.commitmentId);
    if (other === undefined) checks.differs("latest", subject, "in the list", "no such commitment");
    else comparePresented("latest", subject, one, other, parsesExtraData, checks);
  }
}

/** Compares all fields of a commitment in its public form. @param parsesExtraData as of `compareListed` */
export function comparePresented(
  check: CheckName,
  subject: string,
  shown: PresentedCommitment,
  chain: PresentedCommitment,
  parsesExtraData: boolean,
  checks: Checks,
): void {
  const compare = (field: string, one: string, other: string) =>
    checks.compare(check, `${subject}, ${field}`, one, other);
  compare("entity", `0x${shown.entityId}`, `0x${chain.entityId}`);
  compare("price", priceText(shown), priceText(chain));
  compare("amounts", ...amountTexts(shown.amounts, chain.amounts));
  compare("time", `${shown.createdAtSeconds}`, `${chain.createdAtSeconds}`);
  compare("extra data", `0x${hexOfBytes(shown.extraData)}`, `0x${hexOfBytes(chain.extraData)}`);
  if (!parsesExtraData || isDeepStrictEqual(shown.extraDataParsed, chain.extraDataParsed)) return;
  compare("parsed extra data", JSON.stringify(shown.extraDataParsed), JSON.stringify(chain.extraDataParsed));
}
