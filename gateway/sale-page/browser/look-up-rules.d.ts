// look-up-rules.js is made of these files, and has their types.
export { ADDRESS_FORMS } from "../../../common/chains/base/address-form.ts";
export { bidForecast, isToBeRaised } from "../../../common/sale/state/bid-forecast.ts";
export { lookUpNote, walletBidStates } from "../../../common/sale/state/bid-state.ts";
