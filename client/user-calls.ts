import type { Digits, Hex } from "./commitment-data.ts";
import { type CallOptions, jsonPost, request, type Server, urlOf } from "./request.ts";

/** How far an entity's identity check is. */
export type EntitySetupState =
  | "not-started"
  | "in-progress"
  | "ready-for-review"
  | "in-review"
  | "failure"
  | "failure-final"
  | "technical-issue"
  | "complete";

/** Whether an entity may take part, by its identity check and the sale's rules. */
export type SaleEligibility = "eligible" | "not-eligible" | "unknown-setup-incomplete";

/** Why there would be no permit now. */
export type FailureReason =
  | "sale-not-active"
  | "unknown"
  | "outside-time-window"
  | "wallet-not-linked"
  | "max-wallets-used"
  | "wallet-risk"
  | "requires-liveness";

/** The user. */
export interface Profile {
  /** The earliest entity that the application sees; empty where there is none. */
  readonly EntityID: string;
  /** While the user grants `contact_email`. */
  readonly EmailAddress?: string;
}

/** A person or an organization that may take part, as the applications of one sale see it. */
export interface Entity {
  readonly Label: string;
  /** UUID, for these calls. */
  readonly EntityID: string;
  /** 16 bytes, for the sale's contract. */
  readonly SaleSpecificEntityID: Hex;
  readonly EntityType: "user" | "organization";
  readonly EntitySetupState: EntitySetupState;
  readonly SaleEligibility: SaleEligibility;
  readonly InvestingRegion: "us" | "eu" | "other" | "unknown";
}

/** Names an entity: by ID, by a wallet that is linked to it or bound to it in this sale, or the only one. */
export interface EntityRequest {
  readonly SaleUUID: string;
  readonly EntityID?: string;
  readonly WalletAddress?: string;
}

/** The entity that wants to bid, and its wallet. */
export interface PurchaseRequest {
  readonly SaleUUID: string;
  readonly EntityID: string;
  readonly PurchasingWalletAddress: string;
}

/** Whether there would be a permit now. */
export interface PurchaseCheck {
  readonly ReadyToPurchase: boolean;
  /** The first reason; empty if ready. */
  readonly FailureReason: "" | FailureReason;
  /** With `requires-liveness`; else empty. Open `https:` addresses only. */
  readonly LivenessCheckURL: string;
}

/** A permit's fields, in the order in which they are encoded. Times are in seconds since 1970, prices in the sale's ticks. */
export interface Permit {
  readonly SaleSpecificEntityID: Hex;
  /** The sale's UUID as 16 bytes. */
  readonly SaleUUID: Hex;
  readonly Wallet: string;
  readonly ExpiresAt: number;
  /** Bounds of the entity's total, in smallest units of the payment token. */
  readonly MinAmount: Digits;
  readonly MaxAmount: Digits;
  readonly MinPrice: number;
  readonly MaxPrice: number;
  /** A bid is allowed from here … */
  readonly OpensAt: number;
  /** … until just before here. */
  readonly ClosesAt: number;
  readonly Payload: Hex;
}

/** A permit for the sale's contract, valid for ten minutes and any number of bids of its wallet. */
export interface SignedPermit {
  readonly PermitJSON: Permit;
  readonly Signature: Hex;
}

/** The wallet whose limits to read: those of the entity to which a wallet is linked, or bound in this sale. */
export interface LimitsRequest {
  readonly SaleUUID: string;
  readonly WalletAddress: string;
}

/** Bounds of an entity's total, in smallest units of the payment token; without a bound 0 and 2^256−1, on Solana 2^64−1. */
export interface Limits {
  /** Whether they come from a list of the sale's, and not from its default. */
  readonly HasCustomCommitmentAmountLimit: boolean;
  readonly MinCommitmentAmount: Digits;
  readonly MaxCommitmentAmount: Digits;
}

/** A commitment to a settled sale. */
export interface Investment {
  /** The sale's name. */
  readonly CompanyName: string;
  readonly Round: string;
  /** Such as `2026-01-31T12:00:00Z`. */
  readonly InvestedOn: string;
}

/** A user's access token, or what returns the present one, for instance after a refresh. */
export type AccessToken = string | (() => string | Promise<string>);

/**
 * The calls for a user who has signed in. Each throws `TidemarkError`: with `unauthenticated` (401) the access token has ended, so
 * refresh or sign the user out; with `permission_denied` (403) the user doesn't grant the scope, or it is another sale's token.
 */
export class UserCalls {
  readonly #server: Server;
  readonly #accessToken: AccessToken;

  constructor(server: Server, accessToken: AccessToken) {
    this.#server = server;
    this.#accessToken = accessToken;
  }

  /** Returns the user's earliest entity, and the e-mail address if it is granted. */
  myProfile(options?: CallOptions): Promise<Profile> {
    return this.#call("my-profile", {}, options);
  }

  /** Returns all entities that the user lets the application see. */
  listAvailableEntities(saleUuid: string, options?: CallOptions): Promise<{ readonly Entities: readonly Entity[] }> {
    return this.#call("list-available-entities", { SaleUUID: saleUuid }, options);
  }

  /** Returns one entity. @throws TidemarkError `not_found` where there is none */
  readEntity(request: EntityRequest, options?: CallOptions): Promise<{ readonly Entity: Entity }> {
    return this.#call("read-entity", request, options);
  }

  /** Checks whether there would be a permit now. It changes nothing. */
  prePurchaseCheck(request: PurchaseRequest, options?: CallOptions): Promise<PurchaseCheck> {
    return this.#call("pre-purchase-check", request, options);
  }

  /**
   * Gets a permit. It binds the wallet to the entity in this sale.
   *
   * @throws TidemarkError `failed_precondition` where the check fails; `details` is its `FailureReason` and `LivenessCheckURL`
   */
  generatePurchasePermit(request: PurchaseRequest, options?: CallOptions): Promise<SignedPermit> {
    return this.#call("generate-purchase-permit", request, options);
  }

  /** Returns how much the entity of a wallet may commit. */
  limits(request: LimitsRequest, options?: CallOptions): Promise<Limits> {
    return this.#call("limits", request, options);
  }

  /** Returns what the user has committed to the token's sale; empty until that is settled. */
  investmentHistory(options?: CallOptions): Promise<{ readonly Investments: readonly Investment[] }> {
    return this.#call("investment-history", {}, options);
  }

  async #call<T>(segment: string, body: object, options: CallOptions = {}): Promise<T> {
    const token = typeof this.#accessToken === "string" ? this.#accessToken : await this.#accessToken();
    return request(urlOf(this.#server, segment), jsonPost(body, token), { ...options, ...this.#server });
  }
}
