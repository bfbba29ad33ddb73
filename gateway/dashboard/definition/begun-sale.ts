import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { PageError } from "../../web/pages/page-error.ts";
import { PageForm } from "../../web/pages/page-form.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type Founder, permitted } from "../base/founder.ts";
import { SALES_LINK } from "../base/sales-link.ts";
import { heldSaleFields, type SaleFormValues, saleFormValues } from "./sale-form-values.ts";

/** A sale that somebody has begun to set up, and hasn't created yet. */
export interface BegunSale {
  readonly saleUuid: string;
  /** The form values kept so far; absent for a new one. */
  readonly formValues?: SaleFormValues;
}

/** The service's bound. More isn't kept. */
const MAX_KEPT_CHARACTERS = 16_384;

/**
 * Returns the sale that a founder has begun; begins one if there is none.
 *
 * @param copyOf UUID of the sale to copy; empty for none
 * @throws PageError 403 for somebody who may not create sales, 404 for a sale that can't be copied
 */
export async function begunSale(
  founder: Founder,
  { dashboard }: DashboardDependencies,
  copyOf: string,
): Promise<BegunSale> {
  const begin = () =>
    orNotInvited(dashboard.sales.beginSale({ copyOf }, founder.atCommitments)).catch((error: unknown) => {
      // A service of the version before keeps nothing.
      if (!isRefused(error, Code.Unimplemented)) throw error;
      return { saleUuid: randomUUID(), entries: "" };
    });
  const { saleUuid, entries } = await permitted(begin);
  return entries === "" ? { saleUuid } : { saleUuid, formValues: saleFormValues(new PageForm(entries)) };
}

/** Keeps what was entered for a sale that a founder has begun; without fields, forgets it. Never fails. */
export async function keepFormValues(
  { atCommitments }: Founder,
  { dashboard, logger }: DashboardDependencies,
  saleUuid: string,
  entered: SaleFormValues | undefined,
): Promise<void> {
  const fields = entered === undefined ? [] : heldSaleFields(entered).map((field): [string, string] => [...field]);
  const entries = `${new URLSearchParams(fields)}`;
  if (entries.length > MAX_KEPT_CHARACTERS) return;
  try {
    await dashboard.sales.keepBegunSale({ saleUuid, entries }, atCommitments);
  } catch (error) {
    // Created meanwhile, or a service of the version before.
    if (!isRefused(error, Code.NotFound, Code.Unimplemented)) logger.warn({ err: error, saleUuid }, "entries not kept");
  }
}

/** Turns the refusal to create sales at all into a page. */
export async function orNotInvited<Result>(call: Promise<Result>): Promise<Result> {
  try {
    return await call;
  } catch (error) {
    if (isRefused(error, Code.PermissionDenied)) throw notInvited();
    throw error;
  }
}

function notInvited(): PageError {
  return new PageError(
    403,
    ({ dashboard }) => dashboard.definition.notInvitedTitle,
    ({ dashboard }) => dashboard.definition.notInvitedText,
    { link: SALES_LINK },
  );
}
