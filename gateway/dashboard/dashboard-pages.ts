// The pages and forms of the dashboard, which the router loads for their first request.
export {
  addRedirectUri,
  changeApplication,
  changeApplicationStatus,
  createApplication,
  removeRedirectUri,
  setLogos,
  showApplication,
  showNewApplication,
} from "./application/application.ts";
export { changeSecurity, showSecurity } from "./application/security.ts";
export { showDays } from "./days/days.ts";
export { answerContractState } from "./definition/contract-state.ts";
export { changeSettings, showSettings } from "./definition/settings.ts";
export { showDownloads } from "./files/downloads-page.ts";
export { exportCommitments, exportForPeople } from "./files/export-commitments.ts";
export { importCommitments, showCommitmentImport } from "./files/import-commitments.ts";
export { showGuide } from "./guide/guide.ts";
export { showLog } from "./log/sale-log.ts";
export { removeMember, setMember, showMembers } from "./members/members.ts";
export { setPasskeyRule } from "./members/passkey-rule.ts";
export { checkFormValues } from "./new-sale/check-form-values.ts";
export { createSale } from "./new-sale/create-sale.ts";
export { showNewSale } from "./new-sale/new-sale.ts";
export { openSale, settleSale, showContract, showOpening, showSettlement } from "./opening/opening.ts";
export { showApplications } from "./overview/applications-page.ts";
export { showDevelopers } from "./overview/developers-page.ts";
export { showPreview } from "./overview/preview.ts";
export { removeSale, showRemoval } from "./overview/remove-sale.ts";
export { showSale } from "./overview/sale-page.ts";
export { showSales } from "./overview/sales-list.ts";
export { changePresentation, changeSaleLogo, showPresentation } from "./presentation/presentation.ts";
export { decideReview, showReview } from "./reviews/review.ts";
export { showReviews } from "./reviews/reviews.ts";
export { makeSettlementPlan, showSettlementPlan } from "./settlement/settlement.ts";
export { changeDenyList, showDenyList } from "./taking-part/deny-list.ts";
export { exportDenyList, exportGroupMembers } from "./taking-part/export-lists.ts";
export { freezeEntity, liftFreeze, showFreezes } from "./taking-part/freezes.ts";
export { removeGroupMembers, searchGroupMembers, showGroupMembers } from "./taking-part/group-members.ts";
export { importGroupMembers } from "./taking-part/import-group-members.ts";
export { showTakingPart } from "./taking-part/overview.ts";
export { showPermits } from "./taking-part/permits.ts";
export { changeRules, showRules } from "./taking-part/rules.ts";
export { changeSigner, showSigner } from "./taking-part/signer.ts";
export { changeWebhooks, showWebhooks } from "./webhooks/webhooks.ts";
