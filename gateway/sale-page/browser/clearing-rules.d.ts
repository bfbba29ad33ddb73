// clearing-rules.js is made of these files, and has their types.
export { highestTicks } from "../../../common/sale/definition/tick-width.ts";
export {
  asMuchAgainAbove,
  bookOf,
  lowestPriceIn,
  ticksAtMost,
  whatIf,
} from "../../../common/sale/figures/what-if.ts";
