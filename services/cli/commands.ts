import type { Command } from "./base/command.ts";
import { accountRecover } from "./commands/account-recover.ts";
import { allocationsExport } from "./commands/allocations-export.ts";
import { allocationsImport } from "./commands/allocations-import.ts";
import { backfill } from "./commands/backfill.ts";
import { chains } from "./commands/chains.ts";
import { clientCreate } from "./commands/client-create.ts";
import { clientList } from "./commands/client-list.ts";
import { clientSecurity } from "./commands/client-security.ts";
import { clientShow } from "./commands/client-show.ts";
import { clientDisable, clientEnable } from "./commands/client-status.ts";
import { commitmentsImport } from "./commands/commitments-import.ts";
import { denyListImport, denyListList, denyListRemove } from "./commands/deny-list.ts";
import { entityImportIds } from "./commands/entity-import-ids.ts";
import { entityShow } from "./commands/entity-show.ts";
import { founderInvite } from "./commands/founder-invite.ts";
import { freezeAdd, freezeList, freezeRemove } from "./commands/freeze.ts";
import { generationRenew } from "./commands/generation-renew.ts";
import { keysList, keysRemove, keysRotate } from "./commands/keys.ts";
import { memberExport } from "./commands/member-export.ts";
import { memberImport } from "./commands/member-import.ts";
import { memberList, memberRemove } from "./commands/member-list.ts";
import { outboxReplay } from "./commands/outbox-replay.ts";
import { permitCount, permitList } from "./commands/permit.ts";
import { permitKeyActivate, permitKeyCreate, permitKeyList, permitKeyRetire } from "./commands/permit-key.ts";
import { reviewApprove, reviewRefuse } from "./commands/review-decide.ts";
import { reviewList } from "./commands/review-list.ts";
import { rulesOff, rulesOn, rulesSet, rulesShow } from "./commands/rules.ts";
import { saleCheck } from "./commands/sale-check.ts";
import { saleCreate } from "./commands/sale-create.ts";
import { saleDelete } from "./commands/sale-delete.ts";
import { saleDescribe } from "./commands/sale-describe.ts";
import { saleExport } from "./commands/sale-export.ts";
import { saleList } from "./commands/sale-list.ts";
import { saleOpen } from "./commands/sale-open.ts";
import { salePasskeys } from "./commands/sale-passkeys.ts";
import { saleSettle } from "./commands/sale-settle.ts";
import { saleShow } from "./commands/sale-show.ts";
import { saleWithdraw } from "./commands/sale-withdraw.ts";
import { secretsRewrap, secretsStatus } from "./commands/secrets.ts";
import { verify } from "./commands/verify.ts";
import {
  webhookCreate,
  webhookDelete,
  webhookDisable,
  webhookEnable,
  webhookList,
  webhookRotate,
} from "./commands/webhook.ts";
import { webhookLog, webhookReplay, webhookTest } from "./commands/webhook-events.ts";

/** All commands, in the order of `--help`. */
export const COMMANDS: readonly Command[] = [
  saleCreate,
  saleList,
  saleShow,
  saleDescribe,
  saleOpen,
  saleSettle,
  saleWithdraw,
  salePasskeys,
  saleDelete,
  saleExport,
  commitmentsImport,
  allocationsExport,
  allocationsImport,
  saleCheck,
  backfill,
  verify,
  chains,
  clientCreate,
  clientList,
  clientShow,
  clientSecurity,
  clientDisable,
  clientEnable,
  founderInvite,
  accountRecover,
  entityShow,
  entityImportIds,
  reviewList,
  reviewApprove,
  reviewRefuse,
  rulesShow,
  rulesOn,
  rulesOff,
  rulesSet,
  memberImport,
  memberExport,
  memberList,
  memberRemove,
  denyListImport,
  denyListList,
  denyListRemove,
  freezeAdd,
  freezeRemove,
  freezeList,
  permitKeyList,
  permitKeyCreate,
  permitKeyActivate,
  permitKeyRetire,
  permitList,
  permitCount,
  webhookCreate,
  webhookList,
  webhookLog,
  webhookTest,
  webhookReplay,
  webhookRotate,
  webhookDisable,
  webhookEnable,
  webhookDelete,
  keysList,
  keysRotate,
  keysRemove,
  secretsRewrap,
  secretsStatus,
  outboxReplay,
  generationRenew,
];
