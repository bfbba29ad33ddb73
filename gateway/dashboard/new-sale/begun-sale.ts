import { randomUUID } from "node:crypto";
import { Code } from "@connectrpc/connect";
import { DEFAULT_LANGUAGE, knownLanguage } from "../../../common/platform/language/language.ts";
import { PageForm } from "../../web/pages/page-form.ts";
import { isRefused } from "../../web/sessions/auth-failure.ts";
import { pageLanguage } from "../../web/texts/page-language.ts";
import type { DashboardDependencies } from "../base/dashboard-dependencies.ts";
import { type Founder, permitted } from "../base/founder.ts";
import { orNotInvited } from "../definition/not-invited.ts";
import { inPageLanguage } from "../definition/sale-form-values.ts";
import { type NewSaleValues, newSaleValues } from "./new-sale-values.ts";

/** A sale that somebody has begun to set up, and hasn't created yet. */
export interface BegunSale {
  readonly saleUuid: string;
  /** The form values kept so far; absent for a new one. */
  readonly values?: NewSaleValues;
}

/** The service's bound. More isn't kept. */
const MAX_KEPT_CHARACTERS = 16_384;
/** Name of what is kept with the fields: the language of the page on which they were filled in. */
const LANGUAGE_FIELD = "language";

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
  if (entries === "") return { saleUuid };
  const form = new PageForm(entries);
  const values = newSaleValues(form);
  const language = knownLanguage(form.text(LANGUAGE_FIELD)) ?? DEFAULT_LANGUAGE;
  return { saleUuid, values: { ...values, sale: inPageLanguage(values.sale, language) } };
}

/**
 * Keeps what was entered for a sale that a founder has begun; without fields, forgets it. Never fails.
 *
 * @returns whether another visit shows it
 */
export async function keepFormValues(
  { atCommitments }: Founder,
  { dashboard, logger }: DashboardDependencies,
  saleUuid: string,
  fields: readonly (readonly [name: string, value: string])[],
): Promise<boolean> {
  const kept = fields.length === 0 ? [] : [...fields, [LANGUAGE_FIELD, pageLanguage()] as const];
  const entries = `${new URLSearchParams(kept.map((field): [string, string] => [...field]))}`;
  if (entries.length > MAX_KEPT_CHARACTERS) return false;
  try {
    await dashboard.sales.keepBegunSale({ saleUuid, entries }, atCommitments);
    return true;
  } catch (error) {
    // Created meanwhile, or a service of the version before.
    if (!isRefused(error, Code.NotFound, Code.Unimplemented)) logger.warn({ err: error, saleUuid }, "entries not kept");
    return false;
  }
}
