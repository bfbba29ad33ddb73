import type { Task } from "../run-until-done.ts";
import { ChangingSale } from "./changing-sale.ts";
import { PermitLedger } from "./permit-ledger.ts";
import type { PermitServices } from "./permit-services.ts";
import { PermitUser } from "./permit-user.ts";
import { noteRecordingOrder } from "./recording-order.ts";
import type { SaleTerms } from "./sale-phase.ts";

/** Requests between two changes of a sale, and changes before it ends. */
const REQUESTS = { least: 8, most: 30 };
const CHANGES = { least: 2, most: 5 };
/** Requests for permits of a sale that is over. */
const REQUESTS_AFTER = 6;
/** How users leave, in turn. */
const EXITS = ["frozen", undefined, "entity deleted", "account deleted", "token revoked"] as const;
/** One in this many users has an approval that ends. */
const USERS_PER_END = 4;
const APPROVAL_MS = { least: 500, most: 4_000 };
/** The terms of sales, in turn. */
const TERMS: readonly [SaleTerms, ...SaleTerms[]] = [
  { linkingRequired: false, maxWalletsPerEntity: 2 },
  { linkingRequired: true, maxWalletsPerEntity: 3 },
];

export interface PermitRunOptions {
  readonly services: PermitServices;
  readonly salesAtOnce: number;
  /** Those who ask for permits of one sale at the same time. */
  readonly usersPerSale: number;
}

/** A sale after another, with users who ask for permits all the time. */
interface SaleLine {
  sale: ChangingSale;
}

/** Sales, every other one of which wants wallets to be linked, and their users. */
export class PermitRun {
  readonly #options: PermitRunOptions;
  readonly #ledger: PermitLedger;
  readonly #lines: SaleLine[] = [];
  readonly #users: PermitUser[] = [];
  #opened = 0;
  #joined = 0;

  private constructor(options: PermitRunOptions) {
    this.#options = options;
    this.#ledger = new PermitLedger(options.services.entitiesDatabase);
  }

  static async open(options: PermitRunOptions): Promise<PermitRun> {
    await noteRecordingOrder(options.services.entitiesDatabase);
    const run = new PermitRun(options);
    for (let left = options.salesAtOnce; left > 0; left -= 1) run.#lines.push({ sale: await run.#open() });
    return run;
  }

  /** The tasks that change the sales, and that ask for permits. */
  get tasks(): readonly Task[] {
    return this.#lines.flatMap((line) => [
      (over) => this.#changeUntil(line, over),
      ...Array.from({ length: this.#options.usersPerSale }, () => (over: AbortSignal) => this.#askUntil(line, over)),
    ]);
  }

  /** A text about the work that was done. */
  get summary(): string {
    const sum = (of: (user: PermitUser) => number) => this.#users.reduce((total, user) => total + of(user), 0);
    const answers = `${sum(({ issued }) => issued)} permits, ${sum(({ refused }) => refused)} refusals, ${sum(({ unanswered }) => unanswered)} requests without an answer`;
    const { sales, exits } = this.#ledger;
    const changes = sales.reduce((total, { phases }) => total + phases.size, 0);
    return `${answers}; ${this.#users.length} users, ${exits} of them ended; ${sales.length} sales with ${changes} rules`;
  }

  /** Expects that users get permits without faults, and that all permits are as they must be. @returns their number */
  async expectAgree(): Promise<number> {
    await Promise.all(this.#lines.map(async () => this.#expectPermit(await this.#open())));
    return this.#ledger.expectAgree();
  }

  /** Expects that nothing but a lost answer keeps a new user from a permit. */
  async #expectPermit(sale: ChangingSale): Promise<void> {
    const user = await PermitUser.join({ ...this.#common, sale });
    this.#users.push(user);
    while (user.issued === 0) await user.ask();
  }

  async #changeUntil(line: SaleLine, over: AbortSignal): Promise<void> {
    const { random } = this.#options.services.caller;
    while (!over.aborted) {
      const { sale } = line;
      for (let left = random.integer(CHANGES.least, CHANGES.most); left > 0; left -= 1) {
        await sale.untilAsked(random.integer(REQUESTS.least, REQUESTS.most), over);
        if (over.aborted) return;
        await sale.change();
      }
      await sale.untilAsked(random.integer(REQUESTS.least, REQUESTS.most), over);
      if (random.integer(1, 3) === 1) await sale.endBids();
      else await sale.withdraw();
      await sale.untilAsked(REQUESTS_AFTER, over);
      line.sale = await this.#open();
    }
  }

  async #askUntil(line: SaleLine, over: AbortSignal): Promise<void> {
    while (!over.aborted) await (await this.#join(line.sale)).takePart(over);
  }

  async #open(): Promise<ChangingSale> {
    const terms = TERMS[this.#opened % TERMS.length] ?? TERMS[0];
    this.#opened += 1;
    const sale = await ChangingSale.open(this.#options.services, terms);
    this.#ledger.sales.push(sale);
    return sale;
  }

  async #join(sale: ChangingSale): Promise<PermitUser> {
    const { random } = this.#options.services.caller;
    const exit = EXITS[this.#joined % EXITS.length];
    this.#joined += 1;
    const approvalMs =
      this.#joined % USERS_PER_END === 0 ? random.integer(APPROVAL_MS.least, APPROVAL_MS.most) : undefined;
    const user = await PermitUser.join({ ...this.#common, sale, exit, approvalMs });
    this.#users.push(user);
    return user;
  }

  get #common() {
    return { services: this.#options.services, ledger: this.#ledger };
  }
}
