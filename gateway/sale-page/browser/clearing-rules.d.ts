// clearing-rules.js is made of these files, and has their types.
export {
  asMuchAgainAbove,
  bookOf,
  HIGHEST_TICK,
  lowestPriceIn,
  ticksAtMost,
  whatIf,
} from "../../../common/sale/figures/what-if.ts";
