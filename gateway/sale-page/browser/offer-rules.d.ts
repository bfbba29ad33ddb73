// offer-rules.js is made of this file, and has its types.
export { offerState } from "../../../common/sale/figures/offer-state.ts";
