import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { parseUuid } from "../../../common/platform/encoding/uuid.ts";
import type { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { Role } from "../../../proto/gen/tidemark/auth/v1/membership_service_pb.ts";
import type { AuthContext } from "../../web/http/hono-context.ts";
import { showPage } from "../../web/pages/layout.ts";
import { PageError } from "../../web/pages/page-error.ts";
import type { PageForm } from "../../web/pages/page-form.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { founderForm } from "../base/dashboard-page.ts";
import { salePaths } from "../base/dashboard-paths.ts";
import { type FormErrors, refusalErrors } from "../base/form-errors.ts";
import { type FounderSale, founderSaleOf, requireRoleFor, resultOrRefusal } from "../base/founder.ts";
import { texts } from "../base/texts.ts";
import { readUtcEntry } from "../base/utc-entry.ts";
import { sinceField } from "./endpoint-item.ts";
import { WEBHOOKS_FORM } from "./webhooks-form.ts";
import { type WebhooksView, webhooksPage } from "./webhooks-page.ts";

const PAGE_SIZE = 50;

/** Returns the message about the step that was just taken. */
function doneText(step: string): string | undefined {
  const { test, enabledNow, disabledNow, deletedNow, eventSent, eventsSent } = texts().webhooks;
  const messages = {
    test,
    enable: enabledNow,
    disable: disabledNow,
    delete: deletedNow,
    "replay-event": eventSent,
    "replay-since": eventsSent,
  };
  return new Map(Object.entries(messages)).get(step);
}

/** Result of a step: a new secret, or nothing to show. */
interface StepResult {
  readonly secret?: WebhooksView["secret"];
}

/** `GET /dashboard/sales/{uuid}/webhooks` */
export async function showWebhooks(c: AuthContext, dependencies: DashboardDependencies) {
  const found = await editedSale(c, dependencies);
  const done = doneText(c.req.query("done") ?? "");
  return showPage(c, webhooksPage({ ...(await stored(found, dependencies, c.req.query("before"))), done }));
}

/** `POST /dashboard/sales/{uuid}/webhooks`: adds or changes a webhook, or sends events to one. */
export async function changeWebhooks(c: AuthContext, dependencies: DashboardDependencies) {
  const form = await founderForm(c, dependencies, WEBHOOKS_FORM);
  const found = await editedSale(c, dependencies);
  const step = form.text("do");
  const url = form.text("url").trim();
  const show = async (shown: Partial<WebhooksView>) =>
    showPage(c, webhooksPage({ ...(await stored(found, dependencies)), url, ...shown }));
  const entered = readUtcEntry(form.text("since").trim());
  if (step === "replay-since" && "reason" in entered) return show({ errors: [sinceError(form, entered.reason)] });
  const since = "value" in entered ? entered.value : 0n;
  const taken = await resultOrRefusal(() => takeStep(step, { form, url, since }, found, dependencies));
  if ("refusal" in taken) return show({ errors: errorsOf(taken.refusal) });
  const { secret } = taken.done;
  // Shown in the answer itself, and never again: a redirect would have to carry it.
  if (secret !== undefined) return show({ secret, url: "" });
  return c.redirect(`${salePaths(found.sale.uuid).webhooks}?done=${encodeURIComponent(step)}`, 303);
}

function sinceError(form: PageForm, text: string): FormErrors[number] {
  return { field: sinceField(endpointOf(form)), text };
}

function errorsOf(refusal: ServiceError): FormErrors {
  return refusalErrors(refusal, (field) =>
    field === "url" ? { field: "url", label: texts().webhooks.url } : undefined,
  );
}

interface StepFormValues {
  readonly form: PageForm;
  readonly url: string;
  /** Seconds since 1970. */
  readonly since: bigint;
}

async function takeStep(
  step: string,
  { form, url, since }: StepFormValues,
  { sale, founder: { atCommitments } }: FounderSale,
  { dashboard: { webhooks } }: DashboardDependencies,
): Promise<StepResult> {
  const { uuid: saleUuid } = sale;
  const key = { saleUuid, endpointUuid: endpointOf(form) };
  switch (step) {
    case "add":
      return shownSecret(await webhooks.createWebhookEndpoint({ saleUuid, url }, atCommitments));
    case "rotate":
      return shownSecret(await webhooks.rotateWebhookSecret(key, atCommitments));
    case "enable":
    case "disable":
      await webhooks.setWebhookEndpointEnabled({ ...key, enabled: step === "enable" }, atCommitments);
      return {};
    case "delete":
      await webhooks.deleteWebhookEndpoint(key, atCommitments);
      return {};
    case "replay-event": {
      const events = { case: "eventUuid", value: parseUuid(form.text("event")) ?? "" } as const;
      await webhooks.replayWebhookEvents({ ...key, events }, atCommitments);
      return {};
    }
    case "replay-since": {
      const events = { case: "since", value: timestampFromMs(Number(since) * 1_000) } as const;
      await webhooks.replayWebhookEvents({ ...key, events }, atCommitments);
      return {};
    }
    default:
      await webhooks.sendTestEvent(key, atCommitments);
      return {};
  }
}

function endpointOf(form: PageForm): string {
  return parseUuid(form.text("endpoint")) ?? "";
}

function shownSecret({
  endpoint,
  secret,
}: {
  readonly endpoint?: { readonly url: string } | undefined;
  readonly secret: string;
}): StepResult {
  return { secret: { url: endpoint?.url ?? "", text: secret } };
}

/** @throws PageError for a viewer; as `founderSaleOf` */
async function editedSale(c: AuthContext, dependencies: DashboardDependencies): Promise<FounderSale> {
  const found = await founderSaleOf(c, dependencies);
  await requireRoleFor(found, Role.EDITOR, dependencies);
  return found;
}

/** Says that the commitments service has no key for the secrets of webhooks. */
function notHere(saleUuid: string): PageError {
  return new PageError(
    409,
    ({ dashboard }) => dashboard.webhooks.noneTitle,
    ({ dashboard }) => dashboard.webhooks.noneText,
    { link: { href: salePaths(saleUuid).sale, text: ({ dashboard }) => dashboard.webhooks.backToSale } },
  );
}

async function stored(
  found: FounderSale,
  { dashboard: { webhooks } }: DashboardDependencies,
  pageToken = "",
): Promise<Pick<WebhooksView, "found" | "endpoints" | "deliveries" | "nextPageToken">> {
  const { uuid: saleUuid } = found.sale;
  const { atCommitments } = found.founder;
  const listed = await resultOrRefusal(() =>
    Promise.all([
      webhooks.listWebhookEndpoints({ saleUuid }, atCommitments),
      webhooks.listWebhookDeliveries({ saleUuid, pageSize: PAGE_SIZE, pageToken }, atCommitments),
    ]),
  );
  if ("refusal" in listed) throw notHere(saleUuid);
  const [{ endpoints }, { deliveries, nextPageToken }] = listed.done;
  return { found, endpoints, deliveries, nextPageToken };
}
