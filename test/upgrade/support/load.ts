import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import type { ContractBidders } from "../../faults/support/contract-bidders.ts";
import type { Task } from "../../faults/support/run-until-done.ts";
import { amountOf, record } from "../../support/sale-messages.ts";
import type { TestChain } from "../../support/test-chain.ts";
import type { Deployment } from "./deployment.ts";
import { Attempts } from "./twice.ts";

/** Between two turns of each who works: the machine has other things to do, too. */
const PAUSE_MS = 20;
const APPLIED_AMOUNT = 1_000n;

/** What people, applications and services ask of a deployment all the time. */
export class Load {
  readonly reads = new Attempts("public reads");
  readonly applies = new Attempts("applies");
  readonly pages = new Attempts("pages of somebody who has signed in");
  readonly signIns = new Attempts("steps of signing in");
  readonly blocks = new Attempts("blocks");
  readonly #deployment: Deployment;
  readonly saleUuid: string;

  constructor(deployment: Deployment, saleUuid: string) {
    this.#deployment = deployment;
    this.saleUuid = saleUuid;
  }

  get summary(): string {
    return [this.reads, this.applies, this.pages, this.signIns, this.blocks].map(({ summary }) => summary).join(", ");
  }

  /** What the sale's total must have come to. */
  get appliedTotal(): string {
    return (BigInt(this.applies.done) * APPLIED_AMOUNT).toString();
  }

  readonly reader: Task = repeat(() =>
    this.reads.twice(async () => {
      const answer = await fetch(`${this.#deployment.gateway.url}/svc/v1/public/read-commitment-data`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ SaleUUID: this.saleUuid }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    }),
  );

  /** Adds a commitment at a time; there may be one such task only. */
  readonly writer: Task = repeat(() => {
    const request = {
      saleUuid: this.saleUuid,
      requestId: randomUUID(),
      upserts: [record(this.applies.done, { amounts: [amountOf(APPLIED_AMOUNT)] })],
    };
    return this.applies.twice(() => this.#deployment.clients.commitments.applyCommitments(request));
  });

  /** Looks at the account's page, for which the session must live on. */
  keepSession(browser: PageBrowser): Task {
    return repeat(() =>
      this.pages.twice(async () => {
        const { status, path } = await browser.open("/account");
        if (status !== 200 || path !== "/account") throw new Error(`${status} at ${path}`);
      }),
    );
  }

  /** Somebody new signs in, again and again. */
  readonly newcomer: Task = repeat(async () => void (await this.signIn()));

  async signIn(): Promise<PageBrowser> {
    const browser = new PageBrowser(this.#deployment.gateway.url);
    const email = `${randomUUID()}@example.com`;
    const step = <Page extends { readonly status: number; readonly path: string }>(send: () => Promise<Page>) =>
      this.signIns.twice(async () => {
        const page = await send();
        if (page.status !== 200) throw new Error(`${page.status} at ${page.path}`);
        return page;
      });
    const start = await step(() => browser.open("/sign-in"));
    const asked = await step(() => browser.send(start, { action: "/sign-in", fields: { email } }));
    const fields = { code: this.#mailedCode(email) };
    const { path } = await step(() => browser.send(asked, { action: "/sign-in/code", fields }));
    if (path !== "/account") throw new Error(`signing in led to ${path}`);
    return browser;
  }

  /** A block with some bids, again and again. */
  bidding(bidders: ContractBidders, chain: TestChain): Task {
    return repeat(() =>
      this.blocks.twice(async () => {
        await bidders.join(2);
        await chain.mine();
      }),
    );
  }

  /** The server has taken the mail before the page says so. */
  #mailedCode(email: string): string {
    const mail = this.#deployment.smtp.mails.findLast(({ recipients }) => recipients.includes(email));
    return codeIn(mail?.message.text ?? "") ?? "";
  }
}

function repeat(turn: () => Promise<unknown>): Task {
  return async (over) => {
    while (!over.aborted) {
      await turn();
      await delay(PAUSE_MS);
    }
  };
}
