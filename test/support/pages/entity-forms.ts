import { entityPaths, NEW_ENTITY_PATH } from "../../../gateway/account/entities/entity-paths.ts";
import type { PageBrowser, ShownPage } from "../../../gateway/testing/page-browser.ts";

/** Creates an entity by the account's page. @returns its UUID */
export async function createByPage(browser: PageBrowser, type: string, label: string): Promise<string> {
  const form = { action: NEW_ENTITY_PATH, fields: { type, label } };
  const { path, html } = await browser.send(await browser.open(NEW_ENTITY_PATH), form);
  const uuid = /^\/account\/entities\/([0-9a-f-]{36})$/.exec(path)?.[1];
  if (uuid === undefined) throw new Error(`no entity was created: ${html}`);
  return uuid;
}

/** Returns the hidden fields of the form on an entity's page that does something. @param step the value of its field `do` */
export function fieldsOfStep({ html }: ShownPage, step: string): Record<string, string> {
  const form = html.split("<form").find((text) => text.includes(`name="do" value="${step}"`));
  if (form === undefined) throw new Error(`no form does ${step}: ${html}`);
  const fields = form.slice(0, form.indexOf("</form>")).matchAll(/type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries(Array.from(fields, ([, name = "", value = ""]) => [name, value]));
}

/** Sends the form of an entity's page that does something. */
export async function changeByPage(
  browser: PageBrowser,
  entityUuid: string,
  step: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<ShownPage> {
  const path = entityPaths(entityUuid).entity;
  return browser.post(path, { ...fieldsOfStep(await browser.open(path), step), ...fields });
}
