import { LRUCache } from "lru-cache";
import { atMost } from "../../common/platform/cache/at-most.ts";
import { LANGUAGES, type Language } from "../../common/platform/language/language.ts";
import type { SaleSummary } from "../../proto/gen/tidemark/commitments/v1/sale_pb.ts";
import type { CommitmentCache } from "../public-read/cache/commitment-cache.ts";
import type { SaleRules } from "../public-read/cache/sale-rules.ts";
import { UnreadSale } from "../public-read/cache/unread-sale.ts";
import { digestEtag, PublicDocument } from "../web/http/public-document.ts";
import { PublicError } from "../web/http/public-error.ts";
import type { AgedDocument } from "../web/http/send-document.ts";
import { HTML } from "./page-kinds.ts";
import { rulesPage } from "./rules-page.ts";

/** Shortest time between two versions of a page. */
const INTERVAL_MS = 1_000;
const CACHE_CONTROL = "public, max-age=1";
/** Pages held, each in its language. One is some 5 KB; with fifty groups, 30 KB. */
const MAX_PAGES = 200 * LANGUAGES.length;
const NO_SUMMARY = new PublicError("unavailable", "The sale's rules can't be shown at the moment.");

export interface RulesPagesOptions {
  readonly cache: Pick<CommitmentCache, "read">;
  readonly saleRules: Pick<SaleRules, "get" | "current">;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
}

/** A page of rules, in a language. */
interface RequestedRules {
  readonly saleUuid: string;
  readonly language: Language;
}

interface HeldPage {
  readonly madeAt: number;
  readonly document: PublicDocument;
}

/** The pages with the rules of sales: each made once a second at most, however many ask for it. */
export class RulesPages {
  readonly #options: RulesPagesOptions;
  readonly #pages = new LRUCache<string, HeldPage>(atMost(MAX_PAGES));

  constructor(options: RulesPagesOptions) {
    this.#options = options;
  }

  /** Returns the page of a sale. @throws PublicError as `CommitmentCache.read` */
  async read(requested: RequestedRules): Promise<AgedDocument> {
    const { saleRules } = this.#options;
    // Read for every reader: no rules are shown of a sale that isn't public any more.
    const summary = await this.#summaryOf(requested.saleUuid);
    await saleRules.current(requested.saleUuid);
    return { representation: this.#page(requested, summary), ageSeconds: undefined };
  }

  async #summaryOf(saleUuid: string): Promise<SaleSummary> {
    try {
      const { sale } = (await this.#options.cache.read(saleUuid)).representation;
      if (sale !== undefined) return sale;
    } catch (error) {
      if (error instanceof UnreadSale) return error.summary;
      throw error;
    }
    throw NO_SUMMARY;
  }

  #page({ saleUuid, language }: RequestedRules, summary: SaleSummary): PublicDocument {
    const key = `${language} ${saleUuid}`;
    const held = this.#pages.get(key);
    const madeAt = this.#options.now();
    if (held !== undefined && madeAt - held.madeAt < INTERVAL_MS) return held.document;
    const bytes = rulesPage({ saleUuid, language, summary, shown: this.#options.saleRules.get(saleUuid) });
    const document = new PublicDocument(digestEtag(bytes), bytes, CACHE_CONTROL, HTML[language]);
    this.#pages.set(key, { madeAt, document });
    return document;
  }
}
