// clearing-rules.js is made of these files, and has their types.
export {
  asMuchAgainAbove,
  bookOf,
  lowestPriceIn,
  ticksAtMost,
  whatIf,
} from "../../../common/sale/figures/what-if.ts";
