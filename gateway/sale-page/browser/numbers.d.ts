// numbers.js is made of these files, and has their types.
export { decimalText, reduced } from "../../../common/sale/words/exact-text.ts";
export {
  amountFigure,
  countFigure,
  exactQuotient,
  optionalPriceFigure,
  PRICE_PLACES,
  priceFigure,
  quotientFigure,
  saysExactly,
} from "../../../common/sale/words/figure.ts";
export {
  countText,
  decimalSeparator,
  readableText,
  withCurrency,
} from "../../../common/sale/words/number-text.ts";
