import { accountRecover, founderInvite } from "./accounts/accounts.ts";
import { salePasskeys } from "./accounts/sale-passkeys.ts";
import { applicationCreate } from "./applications/application-create.ts";
import { applicationSecurity } from "./applications/application-security.ts";
import {
  applicationDisable,
  applicationEnable,
  applicationList,
  applicationShow,
} from "./applications/applications.ts";
import type { Command } from "./base/command.ts";
import { allocationsExport } from "./commitments/allocations-export.ts";
import { allocationsImport } from "./commitments/allocations-import.ts";
import { commitmentsImport } from "./commitments/commitments-import.ts";
import { saleExport } from "./commitments/sale-export.ts";
import { entityImportIds } from "./entities/entity-import-ids.ts";
import { entityShow } from "./entities/entity-show.ts";
import { reviewApprove, reviewAsk, reviewList, reviewRefuse } from "./entities/reviews.ts";
import { permitKeyActivate, permitKeyCreate, permitKeyList, permitKeyRetire } from "./keys/permit-key.ts";
import { secretsRewrap, secretsStatus } from "./keys/secrets.ts";
import { signingKeyList, signingKeyRemove, signingKeyRotate } from "./keys/signing-key.ts";
import { backfill } from "./operations/backfill.ts";
import { chains } from "./operations/chains.ts";
import { doctor } from "./operations/doctor.ts";
import { generationRenew } from "./operations/generation-renew.ts";
import { outboxReplay } from "./operations/outbox-replay.ts";
import { saleCheck } from "./sales/sale-check.ts";
import { saleCreate } from "./sales/sale-create.ts";
import { saleDescribe } from "./sales/sale-describe.ts";
import { saleList } from "./sales/sale-list.ts";
import { saleShow } from "./sales/sale-show.ts";
import { saleDelete, saleOpen, saleSettle, saleWithdraw } from "./sales/sale-status.ts";
import { settleCheck } from "./settlement/settle-check.ts";
import { settlePlan } from "./settlement/settle-plan.ts";
import { status } from "./status/status.ts";
import { denyListImport, denyListList, denyListRemove } from "./taking-part/deny-list.ts";
import { freezeAdd, freezeList, freezeRemove } from "./taking-part/freeze.ts";
import { memberExport } from "./taking-part/member-export.ts";
import { memberImport } from "./taking-part/member-import.ts";
import { memberList, memberRemove } from "./taking-part/members.ts";
import { rulesOff, rulesOn, rulesSet, rulesShow } from "./taking-part/participation-rules.ts";
import { permitCount, permitList } from "./taking-part/permits.ts";
import { verify } from "./verify/verify.ts";
import {
  webhookCreate,
  webhookDelete,
  webhookDisable,
  webhookEnable,
  webhookList,
  webhookRotate,
} from "./webhooks/webhook.ts";
import { webhookLog, webhookReplay, webhookTest } from "./webhooks/webhook-events.ts";

/** All commands, in the order of `--help`. */
export const COMMANDS: readonly Command[] = [
  status,
  doctor,
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
  settlePlan,
  settleCheck,
  saleCheck,
  backfill,
  verify,
  chains,
  applicationCreate,
  applicationList,
  applicationShow,
  applicationSecurity,
  applicationDisable,
  applicationEnable,
  founderInvite,
  accountRecover,
  entityShow,
  entityImportIds,
  reviewList,
  reviewApprove,
  reviewAsk,
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
  signingKeyList,
  signingKeyRotate,
  signingKeyRemove,
  secretsRewrap,
  secretsStatus,
  outboxReplay,
  generationRenew,
];
