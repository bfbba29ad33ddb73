// The pages and forms of the account, which the router loads for their first request.
export { endOtherSessions, endSession, showAccount, withdrawConsent } from "./account.ts";
export { setAlerts } from "./alerts/alerts.ts";
export { showStop, stopAlerts } from "./alerts/stop-alerts.ts";
export { downloadData, showData } from "./data.ts";
export { deleteAccount, showDeletion } from "./deletion.ts";
export { beginEmailChange, completeEmailChange, showEmailChange, showEmailCode } from "./email-change.ts";
export { changeEntity, showEntity } from "./entities/entity.ts";
export { deleteEntity, showEntityDeletion } from "./entities/entity-deletion.ts";
export { confirmLiveness, showLiveness } from "./entities/liveness.ts";
export { createEntity, showNewEntity } from "./entities/new-entity.ts";
export { linkWallet, showWalletLink } from "./entities/wallet-link.ts";
export { addPasskey, askForPasskey, removePasskey, renamePasskey, showPasskeys } from "./passkeys/passkeys.ts";
export { setPasskeyRule, showPasskeyRule } from "./recovery/passkey-rule.ts";
export { changeRecovery, changeRecoveryByPass, showRecovery, showRecoveryByPass } from "./recovery/recovery.ts";
