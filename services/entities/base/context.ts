import type { Kysely } from "kysely";
import type { Counter } from "prom-client";
import type { Wallet } from "../../../common/chains/wallet.ts";
import type { RunningExports } from "../../../common/platform/db/running-exports.ts";
import type { Logger } from "../../../common/platform/log/log.ts";
import type { OutboundFetcher } from "../../../common/platform/outbound/outbound-fetcher.ts";
import type { Clock } from "../../../common/platform/time/clock.ts";
import type {
  DisputedWallet,
  IssuedPermitSummary,
  LinkedWallet,
} from "../../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import type { SaleWallet } from "../../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import type { DerivedKeys } from "./derived-keys.ts";
import type { EraseEntity } from "./erase-entity.ts";
import type { IdentityConfig } from "./identity-config.ts";
import type { IdentityProvider } from "./identity-provider.ts";
import type { StoredKeySigner } from "./permit-signer.ts";
import type { SaleFacts } from "./sale-facts.ts";
import type { EntitiesDatabase, EntitiesSchema } from "./schema.ts";
import type { Upstreams } from "./upstreams.ts";

/**
 * Everything that the use cases of the entities service work with, the same object for all subjects. It names interfaces, so that no
 * subject depends on another one's classes; `wireContext` makes it, once a process.
 */
export interface EntitiesContext extends Upstreams {
  readonly database: EntitiesDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly derivedKeys: DerivedKeys;
  /** `AUTH_URL`: the site that texts for wallets name. An origin without a trailing slash. */
  readonly site: string;
  readonly identity: IdentityConfig;
  readonly identityProvider: IdentityProvider;
  readonly permitSigner: StoredKeySigner;
  readonly permitRates: PermitRateLimiter;
  readonly recentSales: RecentSaleReader;
  /** Asks hosts of others: screeners, and vendors of identity checks. */
  readonly outbound: OutboundFetcher;
  readonly walletScreener: WalletRiskReader;
  readonly screeningMetrics: ScreeningMetrics;
  readonly setupMetrics: SetupMetrics;
  readonly alertMetrics: AlertMetrics;
  /** Logs that the screener of a sale has failed. */
  readonly logScreeningFailure: (saleUuid: string, screenerUrl: string, fault: Error) => void;
  readonly recentRecords: RecentRecords;
  /** Exports of members that are running. */
  readonly memberExports: RunningExports<EntitiesSchema>;
  /** One for each subject that keeps rows of an entity, in the order in which they run. */
  readonly eraseEntity: readonly EraseEntity[];
  /** Returns the wallets that are linked to an entity. */
  readonly linkedWallets: (query: Kysely<EntitiesSchema>, entityUuid: string) => Promise<readonly LinkedWallet[]>;
  /** Returns the wallets that an entity and another one want in open sales. */
  readonly disputedWallets: (entityUuid: string) => Promise<readonly DisputedWallet[]>;
  /** Returns the wallets that permits have bound to entities in sales, the latest first. */
  readonly saleWallets: (
    query: Kysely<EntitiesSchema>,
    entityUuids: readonly string[],
    limit: number,
  ) => Promise<readonly SaleWallet[]>;
  /** Returns the permits of entities, the newest first. */
  readonly issuedPermits: (
    query: Kysely<EntitiesSchema>,
    entityUuids: readonly string[],
    range: PermitRange,
  ) => Promise<readonly IssuedPermitSummary[]>;
}

/** The permits of a list. */
export interface PermitRange {
  /** Milliseconds since 1970: only permits that were issued then or later. */
  readonly sinceMs: bigint;
  readonly limit: number;
}

export type PermitLimitName = "permit_account" | "permit_sale";

export interface PermitRateLimiter {
  /** Counts a call. @throws ServiceError `resource_exhausted` with `retryAfterSeconds`; `unavailable` */
  take(limit: PermitLimitName, key: string): Promise<void>;
}

/** Facts about a sale, and when the commitments service was asked for them. */
export interface RecentSale {
  readonly sale: SaleFacts;
  /** The time of the question, by the monotonic clock in milliseconds: the facts are at least as new. */
  readonly askedAtMs: number;
}

export interface RecentSaleReader {
  /** Returns facts that were asked for a short time ago. @throws ServiceError as `readSaleFacts` */
  read(saleUuid: string): Promise<RecentSale>;
  /** Whether facts may be trusted still. */
  isTrusted(recent: RecentSale): boolean;
}

export interface WalletRiskReader {
  /** Asks the screener of a sale about a wallet. @throws ScreenerFault */
  isRisky(url: string, saleUuid: string, wallet: Wallet): Promise<boolean>;
}

export interface ScreeningMetrics {
  /** Wallets screened, by result. */
  readonly screenings: Counter<"result">;
}

export interface SetupMetrics {
  /** Callbacks of the vendor, by result. */
  readonly callbacks: Counter<"result">;
}

export interface AlertMetrics {
  /** Mails about sales that people have asked for, by what they say. */
  readonly alerts: Counter<"alert">;
  /** Judgings of sales, by what came of them. */
  readonly judgings: Counter<"result">;
}

/** Changes that were recorded a short time ago, by sale, person and kind. */
export interface RecentRecords {
  get(key: string): true | undefined;
  set(key: string, value: true): unknown;
}
