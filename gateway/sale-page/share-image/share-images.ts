import { timestampMs } from "@bufbuild/protobuf/wkt";
import { DEFAULT_LANGUAGE } from "../../../common/platform/language/language.ts";
import { fill } from "../../../common/platform/language/message.ts";
import type { CommitmentCache } from "../../public-read/cache/commitment-cache.ts";
import type { SaleFieldsCache } from "../../public-read/cache/sale-fields.ts";
import { LoadLimit } from "../../web/http/load-limit.ts";
import { LOGOS_PREFIX } from "../../web/http/logos-path.ts";
import { type DocumentKind, digestEtag, PublicDocument } from "../../web/http/public-document.ts";
import type { AgedDocument } from "../../web/http/send-document.ts";
import { TtlCache } from "../../web/http/ttl-cache.ts";
import { ANSWER_MAX_AGE_MS } from "../../web/lifetimes.ts";
import type { Logos } from "../../web/pages/logos.ts";
import { texts } from "../browser/words.js";
import { inLanguage } from "../view/in-language.ts";
import { logoPath } from "../view/logo-path.ts";
import { type SaleView, saleView } from "../view/sale-view.ts";
import { ImageDrawer } from "./image-drawer.ts";
import type { ShareFacts, ShareFigure } from "./share-image.ts";

/** Shortest time between two images of a sale. */
const INTERVAL_MS = 60_000;
const CACHE_CONTROL = "public, max-age=60";
/** Images held. One is 40 to 100 KB, the more of them its logo. */
const MAX_IMAGES = 200;
/** Images that are drawn, or wait until one is. */
const MAX_DRAWN = 4;

/** Kind of an image that other sites may show. */
const PNG: DocumentKind = {
  mediaType: "image/png",
  headers: [
    "Content-Security-Policy",
    "default-src 'none'",
    "X-Content-Type-Options",
    "nosniff",
    "Cross-Origin-Resource-Policy",
    "cross-origin",
  ],
  postHeaders: [],
};

export interface ShareImagesOptions {
  readonly cache: Pick<CommitmentCache, "read" | "feed">;
  readonly saleFields: Pick<SaleFieldsCache, "ready" | "of">;
  readonly logos: Pick<Logos, "get">;
  /** Monotonic clock in milliseconds. */
  readonly now: () => number;
  /** Clock in milliseconds since 1970. */
  readonly wallClock: () => number;
}

/** The images of sales for other sites, each made once a minute at most, however many ask for it. */
export class ShareImages {
  readonly #options: ShareImagesOptions;
  readonly #images: TtlCache<PublicDocument>;
  readonly #drawer = new ImageDrawer();
  readonly #limit = new LoadLimit(MAX_DRAWN, "Too many images of sales are being drawn at the moment.");

  constructor(options: ShareImagesOptions) {
    this.#options = options;
    this.#images = new TtlCache({
      load: (saleUuid) => this.#limit.run(() => this.#draw(saleUuid)),
      ttlMs: INTERVAL_MS,
      maxAgeMs: ANSWER_MAX_AGE_MS,
      maxEntries: MAX_IMAGES,
      now: options.now,
    });
  }

  /**
   * Returns the image of a sale.
   *
   * @param saleUuid in canonical form
   * @throws PublicError as `CommitmentCache.read`, and `unavailable` where too many images are being made
   */
  async read(saleUuid: string): Promise<AgedDocument> {
    // An image is held longer than a sale may be shown that isn't public any more.
    await this.#options.cache.read(saleUuid);
    return { representation: await this.#images.get(saleUuid), ageSeconds: undefined };
  }

  async #draw(saleUuid: string): Promise<PublicDocument> {
    const { representation, ageSeconds = 0 } = await this.#options.cache.read(saleUuid);
    const { cache, saleFields, wallClock } = this.#options;
    await saleFields.ready(saleUuid);
    const { identity, sale } = representation;
    const factsJson = saleFields.of(saleUuid, { sale, state: cache.feed(saleUuid)?.state })?.json;
    const time = this.#timeOf(saleUuid, ageSeconds);
    // Other sites ask for it in no language.
    const view = inLanguage(DEFAULT_LANGUAGE, () => saleView({ identity, sale, factsJson, now: wallClock() }));
    const logo = await this.#logoOf(view);
    const facts = inLanguage(DEFAULT_LANGUAGE, () => shareFacts(view, logo, time));
    const bytes = Buffer.from(await this.#drawer.draw(facts));
    return new PublicDocument(digestEtag(bytes), bytes, CACHE_CONTROL, PNG);
  }

  /** Returns a sale's logo; undefined where it has none, and where the logo can't be loaded: the next image may have it. */
  async #logoOf({ facts }: SaleView): Promise<Uint8Array | undefined> {
    const path = logoPath(facts);
    if (path === undefined) return undefined;
    const logo = await this.#options.logos.get(path.slice(LOGOS_PREFIX.length), "").catch(() => undefined);
    return logo?.image;
  }

  /** Returns the time that a sale's figures are of: that of its block, or without one the time at which they were current. */
  #timeOf(saleUuid: string, ageSeconds: number): Date {
    const { blockTime, lastSuccess } = this.#options.cache.feed(saleUuid)?.state?.asOf ?? {};
    const time = blockTime ?? lastSuccess;
    return new Date(time === undefined ? this.#options.wallClock() - 1_000 * ageSeconds : timestampMs(time));
  }
}

function shareFacts(view: SaleView, logo: Uint8Array | undefined, time: Date): ShareFacts {
  const { name, stage, isTest, figures, fixedPrice, perToken, price } = view;
  const { total, clearing } = figures;
  const { about, label, tile } = texts();
  const kind = clearing === undefined ? about.sale : about.auction;
  return {
    name,
    logo,
    kind: [kind, stage.status, ...(isTest ? ["a test without real money"] : [])].join(" · "),
    figures: [
      { label: label.committed, text: total.text },
      ...priceFigure(fill(price === "floor" ? label.floor : label.clearing, { per: perToken }), clearing?.text),
      ...priceFigure(fill(tile.price, { per: perToken }), fixedPrice?.text),
    ],
    asOf: `As of ${time.toISOString().slice(0, 16).replace("T", " ")} UTC`,
  };
}

function priceFigure(label: string, text: string | undefined): readonly ShareFigure[] {
  return text === undefined ? [] : [{ label, text }];
}
