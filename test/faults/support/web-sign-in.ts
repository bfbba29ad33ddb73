import { randomUUID } from "node:crypto";
import { PageBrowser, type ShownPage } from "../../../gateway/testing/page-browser.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import type { SmtpSink } from "../../support/processes/smtp-sink.ts";
import { answeredPage } from "./gateway-answer.ts";
import { persist } from "./persist.ts";
import type { Task } from "./run-until-done.ts";
import type { WholeDeployment } from "./whole-deployment.ts";

/** Greatest number of attempts of one person, whose code may be lost with a response. */
const MAX_SIGN_IN_ATTEMPTS = 20;

const SESSION_COOKIE = "tidemark-session";

/** Returns the token of the session of a person who has signed in. */
export function sessionTokenOf({ cookies }: PageBrowser): string {
  return cookies.get(SESSION_COOKIE) ?? "";
}

/** People who sign in on the pages, with new browsers. */
export class WebSignIns {
  done = 0;
  /** The number of sign-ins that began again because a response was lost. */
  again = 0;
  readonly #origin: string;
  readonly #mails: SmtpSink["mails"];

  constructor({ origin, smtp }: Pick<WholeDeployment, "origin" | "smtp">) {
    this.#origin = origin;
    this.#mails = smtp.mails;
  }

  get summary(): string {
    return `${this.done} sign-ins (${this.again} begun again)`;
  }

  /** Signs in new people, one after another. */
  readonly newcomers: Task = async (over) => {
    while (!over.aborted) await this.signIn();
  };

  /** Signs in a new person. @throws Error if that isn't possible */
  async signIn(): Promise<PageBrowser> {
    for (let attempt = 1; attempt <= MAX_SIGN_IN_ATTEMPTS; attempt += 1) {
      const browser = new PageBrowser(this.#origin);
      const { result: shown, attempts } = await this.#throughPages(browser);
      if (shown.status === 200 && shown.path === "/account") {
        this.done += 1;
        return browser;
      }
      if (attempts === 1) throw new Error(`the code led to ${shown.status} at ${shown.path}: ${shown.html}`);
      this.again += 1;
    }
    throw new Error(`the sign-in failed ${MAX_SIGN_IN_ATTEMPTS} times`);
  }

  /** Walks through the pages. @returns the page after the code, and the number of attempts that sending took */
  async #throughPages(browser: PageBrowser): Promise<{ readonly result: ShownPage; readonly attempts: number }> {
    const email = `${randomUUID()}@example.com`;
    const send = (page: () => Promise<ShownPage>) => persist(async () => answeredPage(await page()));
    const start = await send(() => browser.open("/sign-in"));
    const asked = await send(() => browser.send(start.result, { action: "/sign-in", fields: { email } }));
    const fields = { code: this.#mailedCode(email) };
    const shown = await send(() => browser.send(asked.result, { action: "/sign-in/code", fields }));
    return { result: shown.result, attempts: asked.attempts + shown.attempts - 1 };
  }

  /** Reads the code from the mail, which the mail server has received before the page appears. */
  #mailedCode(email: string): string {
    const mail = this.#mails.findLast(({ recipients }) => recipients.includes(email));
    return codeIn(mail?.message.text ?? "");
  }
}
