import type { Client } from "@connectrpc/connect";
import type { Language } from "../../common/platform/language/language.ts";
import type { Logger } from "../../common/platform/log/log.ts";
import type { CommitmentService } from "../../proto/gen/tidemark/commitments/v1/commitment_service_pb.ts";
import { saleFields } from "../public-read/cache/sale-json.ts";
import { digestEtag, PublicDocument } from "../web/http/public-document.ts";
import { type HomeLink, homePage, type ListedSale } from "./home-page.ts";
import { HTML } from "./page-kinds.ts";

/** Age at which the list is read again: as long as it can be, a sale that opens, settles or is withdrawn is shown as before no longer. */
const FRESH_MS = 10_000;
/** Age up to which a list is shown that can't be read again. */
const LONGEST_SHOWN_MS = 300_000;
const CACHE_CONTROL = "public, max-age=10";

export interface HomePagesOptions {
  readonly client: Pick<Client<typeof CommitmentService>, "listPublicSales">;
  readonly timeoutMs: number;
  readonly links: readonly HomeLink[];
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Returns milliseconds since 1970. */
  readonly wallClock: () => number;
  readonly logger: Logger;
}

/** The page at `/` in all languages, with the sales that their founders list. However many ask for it, the list is read once in ten seconds. */
export class HomePages {
  readonly #options: HomePagesOptions;
  readonly #pages = new Map<Language, PublicDocument>();
  #sales: readonly ListedSale[] | undefined;
  /** When the list was read; undefined if it never was. */
  #readAt: number | undefined;
  /** When the list was asked for, with success or without. */
  #askedAt = Number.NEGATIVE_INFINITY;
  #reading: Promise<void> | undefined;

  constructor(options: HomePagesOptions) {
    this.#options = options;
  }

  /**
   * Returns the page, with a list that is ten seconds old at most. One that can't be read again is shown for five minutes; after that
   * the page says so. Never fails.
   */
  async read(language: Language): Promise<PublicDocument> {
    if (this.#options.now() - this.#askedAt >= FRESH_MS) {
      this.#reading ??= this.#refresh().finally(() => {
        this.#reading = undefined;
      });
    }
    await this.#reading;
    const held = this.#pages.get(language);
    if (held !== undefined) return held;
    const { links, wallClock } = this.#options;
    const bytes = homePage({ links, sales: this.#sales, language, now: wallClock() });
    const page = new PublicDocument(digestEtag(bytes), bytes, CACHE_CONTROL, HTML[language]);
    this.#pages.set(language, page);
    return page;
  }

  async #refresh(): Promise<void> {
    const { client, timeoutMs, now, logger } = this.#options;
    try {
      const { sales } = await client.listPublicSales({}, { timeoutMs });
      this.#sales = sales.flatMap(({ saleUuid, sale: summary }) => {
        if (summary === undefined) return [];
        const json = saleFields({ saleUuid, summary, chain: undefined, signer: "", origin: "" });
        return [JSON.parse(`{${json}}`) as ListedSale];
      });
      this.#readAt = now();
    } catch (error) {
      logger.warn({ err: error }, "the list of public sales can't be read");
      const isOld = this.#readAt === undefined || now() - this.#readAt > LONGEST_SHOWN_MS;
      if (isOld) this.#sales = undefined;
    }
    this.#askedAt = now();
    this.#pages.clear();
  }
}
