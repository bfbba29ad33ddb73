import { LRUCache } from "lru-cache";
import { atMost } from "../../common/platform/cache/at-most.ts";
import { LANGUAGES, type Language } from "../../common/platform/language/language.ts";
import type { CommitmentCache } from "../public-read/cache/commitment-cache.ts";
import type { Representation } from "../public-read/cache/representation.ts";
import type { SaleDocuments } from "../public-read/sale-documents.ts";
import { digestEtag, PublicDocument } from "../web/http/public-document.ts";
import { PublicError } from "../web/http/public-error.ts";
import type { AgedDocument } from "../web/http/send-document.ts";
import { SVG } from "./page-kinds.ts";
import { type ChartName, chartImage } from "./view/chart-image.ts";
import { inLanguage } from "./view/in-language.ts";
import { saleView } from "./view/sale-view.ts";
import { shownSource } from "./view/shown-source.ts";

/** Shortest time between two images of a chart. */
const INTERVAL_MS = 1_000;
const CACHE_CONTROL = "public, max-age=1";
/** Images held, each in its language. One is some 10 KB. */
const MAX_IMAGES = 200 * LANGUAGES.length;
const NO_AUCTION = new PublicError("not_found", "Only an auction has a clearing price.");

/** A chart of a sale, in a language. */
export interface RequestedChart {
  /** In canonical form. */
  readonly saleUuid: string;
  readonly language: Language;
  readonly name: ChartName;
}

export interface ChartImagesOptions {
  readonly cache: Pick<CommitmentCache, "read" | "feed" | "unreachableAfterMs">;
  readonly documents: { readonly [Name in "history" | "demand"]: Pick<SaleDocuments[Name], "read"> };
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Returns milliseconds since 1970. */
  readonly wallClock: () => number;
}

interface HeldImage {
  readonly madeAt: number;
  /** Undefined for a chart that the sale hasn't. */
  readonly document: PublicDocument | undefined;
}

/** The charts of sales as images, for pages without script: each drawn once a second at most, however many ask for it. */
export class ChartImages {
  readonly #options: ChartImagesOptions;
  readonly #images = new LRUCache<string, HeldImage>(atMost(MAX_IMAGES));

  constructor(options: ChartImagesOptions) {
    this.#options = options;
  }

  /** Returns a chart. @throws PublicError as `CommitmentCache.read` and `DocumentCache.read`; `not_found` for a chart of auctions */
  async read(chart: RequestedChart): Promise<AgedDocument> {
    const { cache, documents } = this.#options;
    const figuresOf = chart.name === "demand" ? documents.demand : documents.history;
    // Read for every reader: no image is shown of a sale that isn't public any more.
    const [sale, figures] = await Promise.all([cache.read(chart.saleUuid), figuresOf.read(chart.saleUuid)]);
    const document = this.#image(chart, sale.representation, figures.representation);
    if (document === undefined) throw NO_AUCTION;
    return { ...figures, representation: document };
  }

  #image(chart: RequestedChart, sale: Representation, figures: PublicDocument): PublicDocument | undefined {
    const key = `${chart.language} ${chart.name} ${chart.saleUuid}`;
    const held = this.#images.get(key);
    const madeAt = this.#options.now();
    if (held !== undefined && madeAt - held.madeAt < INTERVAL_MS) return held.document;
    const document = inLanguage(chart.language, () => this.#drawn(chart, sale, figures));
    this.#images.set(key, { madeAt, document });
    return document;
  }

  #drawn(
    { name, language, saleUuid }: RequestedChart,
    sale: Representation,
    figures: PublicDocument,
  ): PublicDocument | undefined {
    const { cache, wallClock, now: clock } = this.#options;
    const [now, source] = [wallClock(), shownSource(cache.feed(saleUuid), clock(), cache)];
    const view = saleView({ identity: sale.identity, sale: sale.sale, source, now });
    if (name === "clearing" && view.figures.clearing === undefined) return undefined;
    const text = figures.identity.bytes.toString("utf8");
    const bytes = chartImage(name, view, text, now / 1000);
    return new PublicDocument(digestEtag(bytes), bytes, CACHE_CONTROL, SVG[language]);
  }
}
