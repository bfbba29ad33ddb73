import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import { codeIn } from "../../../services/auth/testing/mail-outbox.ts";
import type { ContractBidders } from "../../faults/support/contract-bidders.ts";
import type { Task } from "../../faults/support/run-until-done.ts";
import type { TestChain } from "../../support/chains/test-chain.ts";
import type { CommitmentsProcess } from "../../support/processes/commitments-process.ts";
import type { SmtpSink } from "../../support/processes/smtp-sink.ts";
import { amountOf, record } from "../../support/sales/sale-messages.ts";
import { Attempts } from "./attempts.ts";

/** Pause of each task between two repetitions, so that the load leaves CPU time for the services. */
const PAUSE_MS = 20;
const APPLIED_AMOUNT = 1_000n;

/** All components behind a gateway, with the servers beside them. */
export interface LoadTarget {
  readonly gateway: { readonly url: string };
  readonly clients: Pick<CommitmentsProcess, "sales" | "commitments">;
  readonly smtp: Pick<SmtpSink, "mails">;
  /** Makes a sale ready to be opened, where that takes more than its definition. */
  readonly beforeOpening?: (saleUuid: string) => Promise<unknown>;
}

/** Continuous load on a deployment by people, applications and services. */
export class Load {
  readonly reads = new Attempts("public reads");
  readonly applies = new Attempts("applies");
  readonly pages = new Attempts("account pages");
  readonly signIns = new Attempts("sign-in steps");
  readonly blocks = new Attempts("blocks");
  readonly #target: LoadTarget;
  readonly saleUuid: string;

  constructor(target: LoadTarget, saleUuid: string) {
    this.#target = target;
    this.saleUuid = saleUuid;
  }

  get summary(): string {
    return [this.reads, this.applies, this.pages, this.signIns, this.blocks].map(({ summary }) => summary).join(", ");
  }

  /** The total that the sale must have. */
  get appliedTotal(): string {
    return (BigInt(this.applies.done) * APPLIED_AMOUNT).toString();
  }

  readonly reader: Task = repeat(() =>
    this.reads.twice(async () => {
      const answer = await fetch(`${this.#target.gateway.url}/svc/v1/public/read-commitment-data`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ SaleUUID: this.saleUuid }),
      });
      const text = await answer.text();
      if (!answer.ok) throw new Error(`${answer.status} ${text}`);
    }),
  );

  /** Adds one commitment after another. Only one such task may run. */
  readonly writer: Task = repeat(() => {
    const request = {
      saleUuid: this.saleUuid,
      requestId: randomUUID(),
      upserts: [record(this.applies.done, { amounts: [amountOf(APPLIED_AMOUNT)] })],
    };
    return this.applies.twice(() => this.#target.clients.commitments.applyCommitments(request));
  });

  /** Opens the account page repeatedly, which needs the session to stay alive. */
  keepSession(browser: PageBrowser): Task {
    return repeat(() =>
      this.pages.twice(async () => {
        const { status, path } = await browser.open("/account");
        if (status !== 200 || path !== "/account") throw new Error(`${status} at ${path}`);
      }),
    );
  }

  /** Signs in one new person after another. */
  readonly newcomer: Task = repeat(async () => void (await this.signIn()));

  async signIn(): Promise<PageBrowser> {
    const browser = new PageBrowser(this.#target.gateway.url);
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

  /** Mines one block with some bids after another. */
  bidding(bidders: ContractBidders, chain: TestChain): Task {
    return repeat(() =>
      this.blocks.twice(async () => {
        await bidders.join(2);
        await chain.mine();
      }),
    );
  }

  /** Reads the code from the mail, which the mail server has received before the page appears. */
  #mailedCode(email: string): string {
    const mail = this.#target.smtp.mails.findLast(({ recipients }) => recipients.includes(email));
    return codeIn(mail?.message.text ?? "") ?? "";
  }
}

function repeat(step: () => Promise<unknown>): Task {
  return async (over) => {
    while (!over.aborted) {
      await step();
      await delay(PAUSE_MS);
    }
  };
}
