import { countText } from "../../../common/sale/words/number-text.ts";

/** A count of what a noun names: `1 entity`, `1,234 entities`. @param many its plural, if that isn't the noun with an s */
export function counted(count: bigint, one: string, many = `${one}s`): string {
  return `${countText(count)} ${count === 1n ? one : many}`;
}
