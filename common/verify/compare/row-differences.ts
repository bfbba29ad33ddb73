import { hexOfBytes } from "../../platform/encoding/hex.ts";
import type { CommitmentRecord, WalletTokenAmount } from "../../sale/record/commitment.ts";

/** A field of a commitment that Tidemark shows otherwise than the chain has it. */
export interface FieldDifference {
  readonly field: string;
  readonly shown: string;
  readonly chain: string;
}

/** The fields in which a shown commitment differs from that of the chain. The order of amounts doesn't matter. */
export function rowDifferences(shown: CommitmentRecord, chain: CommitmentRecord): readonly FieldDifference[] {
  const fields: readonly (readonly [string, string, string])[] = [
    ["entity", `0x${shown.entityId}`, `0x${chain.entityId}`],
    ["time", `${shown.createdAtSeconds}`, `${chain.createdAtSeconds}`],
    ["price", `${shown.priceTicks} ticks`, `${chain.priceTicks} ticks`],
    ["lockup", `${shown.lockup}`, `${chain.lockup}`],
    ["refunded", `${shown.refunded}`, `${chain.refunded}`],
    ["amounts", ...amountTexts(shown.amounts, chain.amounts)],
    ["accepted", ...amountTexts(shown.accepted ?? [], chain.accepted ?? [])],
    ["demand", demandText(shown), demandText(chain)],
    ["extra data", `0x${hexOfBytes(shown.extraData)}`, `0x${hexOfBytes(chain.extraData)}`],
  ];
  return fields.flatMap(([field, one, other]) => (one === other ? [] : [{ field, shown: one, chain: other }]));
}

function demandText({ demand }: CommitmentRecord): string {
  return demand === undefined ? "its amount" : `${demand}`;
}

/** Two lists of amounts as texts, which are equal if the lists have the same amounts. Amounts that both have are left out. */
export function amountTexts(
  shown: readonly WalletTokenAmount[],
  chain: readonly WalletTokenAmount[],
): readonly [string, string] {
  const [one, other] = [shown, chain].map((amounts) => amounts.map(amountText).sort());
  return [textWithout(one ?? [], other ?? []), textWithout(other ?? [], one ?? [])];
}

function amountText({ wallet, token, amount }: WalletTokenAmount): string {
  return `${amount} of ${token} from ${wallet}`;
}

/** The texts of a list that another one doesn't have, each as often as it has it more. */
function textWithout(texts: readonly string[], others: readonly string[]): string {
  const left = [...others];
  const own = texts.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return own.join(", ") || (left.length > 0 ? "without it" : "");
}
