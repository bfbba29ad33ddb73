import { hiddenFieldsOf, type PageBrowser, type ShownPage } from "../../../gateway/testing/page-browser.ts";

export interface TamperedForm {
  /** Action of the form; the page's first one with it is taken. */
  readonly action: string;
  /** Path that the fields are sent to; the form's action by default. */
  readonly path?: string;
  /** Changes what the browser would send, hidden fields included. */
  readonly change?: (fields: URLSearchParams) => void;
  /** Instead of the ones that a browser sends. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a page's form with its hidden fields changed. */
export function sendTampered(
  browser: PageBrowser,
  page: ShownPage,
  { action, path = action, change = () => {}, headers }: TamperedForm,
): Promise<ShownPage> {
  const fields = new URLSearchParams(hiddenFieldsOf(page.html, action));
  change(fields);
  const inputs = Array.from(
    fields,
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  const html = `<form action="${path}">${inputs.join("")}</form>`;
  return browser.send({ ...page, html }, { action: path, ...(headers && { headers }) });
}

function escaped(value: string): string {
  return value.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}
