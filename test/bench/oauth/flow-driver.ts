// Simulates browsers that repeatedly authorize an application on the consent page, and the application, which exchanges the
// code. The variable `FLOWS` has `FlowSettings` as JSON. The result is printed as a line of JSON.
import { Agent, type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { APPLICATION, CODE_CHALLENGE, EXCHANGE_BODY } from "./application.ts";

export interface FlowSettings {
  readonly authorizeUrl: string;
  readonly tokenUrl: string;
  /** The cookies of each browser. */
  readonly cookies: readonly string[];
  readonly seconds: number;
}

interface Page {
  readonly url: string;
  readonly location: string | undefined;
  readonly body: string;
}

const MAX_STEPS = 12;
const FORM = { "Content-Type": "application/x-www-form-urlencoded" };
const agent = new Agent({ keepAlive: true });

/** A browser that keeps cookies, without their paths and ages. */
class Browser {
  readonly #cookies: Map<string, string>;

  constructor(cookies: string) {
    const pairs = cookies.split("; ").filter((pair) => pair !== "");
    this.#cookies = new Map(pairs.map((pair) => [nameOf(pair), pair]));
  }

  async open(url: string, form?: string): Promise<Page> {
    const headers = {
      Cookie: [...this.#cookies.values()].join("; "),
      "Sec-Fetch-Site": "same-origin",
      ...(form && FORM),
    };
    const answer = await send(url, headers, form);
    for (const cookie of answer.headers["set-cookie"] ?? []) this.#keep(cookie.split(";", 1)[0] ?? "");
    const body = await text(answer);
    const { location } = answer.headers;
    if ((answer.statusCode ?? 500) >= 400)
      throw new Error(`${url} answers ${answer.statusCode}: ${body.slice(0, 500)}`);
    return { url, location: location && new URL(location, url).href, body };
  }

  #keep(pair: string): void {
    if (pair.endsWith("=")) this.#cookies.delete(nameOf(pair));
    else this.#cookies.set(nameOf(pair), pair);
  }
}

const settings: FlowSettings = JSON.parse(process.env["FLOWS"] ?? "");
const browsers = settings.cookies.map((cookies) => new Browser(cookies));
// The first flow of each browser isn't measured, because it may include a sign-in.
await Promise.all(browsers.map(flow));
const begin = performance.now();
let flows = 0;
await Promise.all(
  browsers.map(async (browser) => {
    for (; performance.now() < begin + settings.seconds * 1_000; flows += 1) await flow(browser);
  }),
);
console.log(JSON.stringify({ msg: "flows are done", flows, seconds: (performance.now() - begin) / 1_000 }));
agent.destroy();

async function flow(browser: Browser): Promise<void> {
  const code = await authorize(browser);
  const answer = await send(settings.tokenUrl, FORM, EXCHANGE_BODY + code);
  const body = await text(answer);
  if (answer.statusCode !== 200) throw new Error(`no tokens: ${answer.statusCode} ${body}`);
}

/** Follows redirects and consents, until the browser is sent to the application. @returns the code */
async function authorize(browser: Browser): Promise<string> {
  let page = await browser.open(`${settings.authorizeUrl}?${parameters()}`);
  for (let step = 0; step < MAX_STEPS; step += 1) {
    if (page.location?.startsWith(APPLICATION.redirectUri)) {
      const code = new URL(page.location).searchParams.get("code");
      if (code !== null) return code;
      throw new Error(`no code: ${page.location}`);
    }
    page = page.location ? await browser.open(page.location) : await allow(browser, page);
  }
  throw new Error(`${page.url} leads nowhere`);
}

function parameters(): URLSearchParams {
  return new URLSearchParams({
    response_type: "code",
    client_id: APPLICATION.clientId,
    redirect_uri: APPLICATION.redirectUri,
    scope: APPLICATION.scopes.join(" "),
    state: "a state",
    code_challenge: CODE_CHALLENGE,
    code_challenge_method: "S256",
    prompt: "consent",
  });
}

/** Submits the form that has a button to allow. */
function allow(browser: Browser, { url, body }: Page): Promise<Page> {
  const form = [...body.matchAll(/<form[^>]*>.*?<\/form>/gs)].find(([html]) => html.includes('value="allow"'))?.[0];
  if (form === undefined) throw new Error(`${url} has nothing to allow: ${body.slice(0, 500)}`);
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  const sent = new URLSearchParams(fields.map(([, name = "", value = ""]) => [name, value]));
  sent.append("decision", "allow");
  const action = /^<form[^>]* action="([^"]*)"/.exec(form)?.[1] ?? url;
  return browser.open(new URL(action, url).href, sent.toString());
}

function send(url: string, headers: Readonly<Record<string, string>>, body?: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const method = body === undefined ? "GET" : "POST";
    request(url, { agent, method, headers }, resolve).once("error", reject).end(body);
  });
}

function nameOf(pair: string): string {
  return pair.slice(0, pair.indexOf("="));
}
