// sale-rules.js is made of these files, and has their types.
export { hasBiddingEnded } from "../../../common/sale/state/bidding.ts";
export { hasEnded, saleState } from "../../../common/sale/state/phase.ts";
export { commonCurrency } from "../../../common/sale/words/currency.ts";
export { FEED_FAULTS, feedFaultNamed } from "../../../common/sale/words/feed-fault.ts";
