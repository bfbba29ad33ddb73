import { randomUUID } from "node:crypto";
import { PageBrowser, type ShownPage } from "../../../gateway/testing/page-browser.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import type { SmtpSink } from "../../support/smtp-sink.ts";
import { answered } from "./gateway-answer.ts";
import { persist } from "./persist.ts";
import type { Task } from "./run-until-done.ts";
import type { WholeDeployment } from "./whole-deployment.ts";

/** Somebody whose code was lost with an answer begins again, but not for ever. */
const MOST_BEGINNINGS = 20;

/** People who sign in by the pages, with browsers that have never been there. */
export class WebSignIns {
  done = 0;
  /** Begun again, as an answer was lost. */
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

  /** One after another, until all is over. */
  readonly newcomers: Task = async (over) => {
    while (!over.aborted) await this.signIn();
  };

  /** @throws Error where somebody is stuck */
  async signIn(): Promise<PageBrowser> {
    for (let beginning = 1; beginning <= MOST_BEGINNINGS; beginning += 1) {
      const browser = new PageBrowser(this.#origin);
      const { result: shown, attempts } = await this.#throughPages(browser);
      if (shown.status === 200 && shown.path === "/account") {
        this.done += 1;
        return browser;
      }
      if (attempts === 1) throw new Error(`the code led to ${shown.status} at ${shown.path}: ${shown.html}`);
      this.again += 1;
    }
    throw new Error(`nobody could sign in in ${MOST_BEGINNINGS} attempts`);
  }

  /** @returns the page after the code, and in how many attempts all was sent */
  async #throughPages(browser: PageBrowser): Promise<{ readonly result: ShownPage; readonly attempts: number }> {
    const email = `${randomUUID()}@example.com`;
    const send = (page: () => Promise<ShownPage>) => persist(async () => answered(await page()));
    const start = await send(() => browser.open("/sign-in"));
    const asked = await send(() => browser.send(start.result, { action: "/sign-in", fields: { email } }));
    const fields = { code: this.#mailedCode(email) };
    const shown = await send(() => browser.send(asked.result, { action: "/sign-in/code", fields }));
    return { result: shown.result, attempts: asked.attempts + shown.attempts - 1 };
  }

  /** The server has taken the mail before the page says so. */
  #mailedCode(email: string): string {
    const mail = this.#mails.findLast(({ recipients }) => recipients.includes(email));
    return codeIn(mail?.message.text ?? "");
  }
}
