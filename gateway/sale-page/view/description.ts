import type { Language } from "../../../common/platform/language/language.ts";
import { countedForm, fill } from "../../../common/platform/language/message.ts";
import { texts } from "../browser/words.js";
import type { SaleView } from "./sale-view.ts";

/** The facts of a page that its description names. */
export type DescribedSale = Pick<SaleView, "figures" | "fixedPrice" | "perToken" | "price"> & {
  readonly stage: Pick<SaleView["stage"], "phase" | "status">;
};

/** Returns what other sites and search engines say of a sale's page. */
export function descriptionOf(view: DescribedSale, language: Language): string {
  const { summary } = texts();
  const sentence = view.stage.phase === "settled" ? summary.over : summary.live;
  return fill(sentence, { status: view.stage.status, figures: figuresText(view, language) });
}

/** Returns the figures of a sale in a sentence. */
export function figuresText(
  { figures, fixedPrice, perToken, price }: Omit<DescribedSale, "stage">,
  language: Language,
): string {
  const { total, count, clearing } = figures;
  const { summary } = texts();
  const form = countedForm(summary.figures, BigInt(count.exact), language);
  const text = fill(form, { total: total.text, count: count.text });
  const sentence = price === "floor" ? summary.floor : summary.clears;
  if (clearing !== undefined) return fill(sentence, { figures: text, price: clearing.text, per: perToken });
  return fixedPrice === undefined
    ? text
    : fill(summary.costs, { figures: text, price: fixedPrice.text, per: perToken });
}
