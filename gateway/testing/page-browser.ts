/** A page after the redirects that stay on the site. */
export interface ShownPage {
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
  /** Path and query of the page. */
  readonly path: string;
  /** Target of a redirect that leaves the site. */
  readonly leftTo: string | undefined;
}

export interface SentForm {
  /** Action of the form to send, the first one with it. */
  readonly action: string;
  /** Fields that the user enters or ticks, besides the hidden ones. */
  readonly fields?: Readonly<Record<string, string>>;
  /** Headers in place of those that a browser sends. */
  readonly headers?: Readonly<Record<string, string>>;
}

const OWN_PAGE = { "sec-fetch-site": "same-origin" };
/** Forms that are shown again by the answer to their POST: those of the dashboard, which are no steps of something longer. */
const ANSWERS_ITSELF = /^\/dashboard\b/;
/** Bound of what a step keeps: a longer form is shown again by the answer, too. */
const LONGEST_STEP_BYTES = 1_024;
const MAX_REDIRECTS = 5;

/** A browser without script: it keeps cookies, follows redirects and sends forms. */
export class PageBrowser {
  readonly cookies = new Map<string, string>();
  readonly #origin: string;

  constructor(origin: string) {
    this.#origin = origin;
  }

  open(path: string, headers: Readonly<Record<string, string>> = {}): Promise<ShownPage> {
    return this.#load(path, { headers: { ...headers } });
  }

  /** Sends fields to an address, as a form of one of our pages does, with files or without. */
  post(path: string, fields: Readonly<Record<string, string>> | FormData): Promise<ShownPage> {
    const body = fields instanceof FormData ? fields : new URLSearchParams(fields);
    return this.#load(path, { method: "POST", body, headers: { ...OWN_PAGE } });
  }

  /** Sends a form of a page with its hidden fields. */
  send(page: ShownPage, form: SentForm): Promise<ShownPage> {
    return this.#send(page, form, 0);
  }

  /** Does the same, and follows no redirect. @returns the answer itself, with its target in `leftTo` */
  sendOnly(page: ShownPage, form: SentForm): Promise<ShownPage> {
    return this.#send(page, form, MAX_REDIRECTS);
  }

  #send(page: ShownPage, { action, fields = {}, headers = OWN_PAGE }: SentForm, depth: number): Promise<ShownPage> {
    const body = new URLSearchParams([...hiddenFieldsOf(page.html, action), ...Object.entries(fields)]);
    return this.#load(action, { method: "POST", body, headers: { ...headers } }, depth);
  }

  async #load(path: string, init: RequestInit & { headers: Record<string, string> }, depth = 0): Promise<ShownPage> {
    const cookie = Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join("; ");
    const answer = await fetch(this.#origin + path, {
      ...init,
      redirect: "manual",
      headers: { ...init.headers, cookie },
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const isLong = init.body instanceof URLSearchParams && String(init.body).length > LONGEST_STEP_BYTES;
    if (init.method === "POST" && answer.status === 422 && !isLong && !ANSWERS_ITSELF.test(path)) {
      throw new Error(`the refused form of ${path} doesn't lead to a page that a reload shows again`);
    }
    const location = answer.headers.get("location");
    if (location?.startsWith("/") && depth < MAX_REDIRECTS) return this.#load(location, { headers: {} }, depth + 1);
    const { status, headers } = answer;
    return { status, headers, html: await answer.text(), path, leftTo: location ?? undefined };
  }

  #keep(line: string): void {
    const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    if (/max-age=0/i.test(line)) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

/** Returns the hidden fields of the first form with an action, including those of fixed boxes. */
export function hiddenFieldsOf(html: string, action: string): [name: string, value: string][] {
  const start = html.indexOf(`action="${action}"`);
  if (start === -1) throw new Error(`no form to ${action}: ${html}`);
  const form = html.slice(start, html.indexOf("</form>", start));
  const fields = form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g);
  return Array.from(fields, ([, name = "", value = ""]) => [
    name,
    value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
  ]);
}
