import { create } from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { type ConnectError, createRouterTransport, type Interceptor } from "@connectrpc/connect";
import { invalidArgument, ServiceError } from "../../common/platform/errors/service-error.ts";
import { toConnectError } from "../../common/platform/rpc/errors.ts";
import { EligibilityService, FailureReason } from "../../proto/gen/tidemark/entities/v1/eligibility_service_pb.ts";
import {
  EntityType,
  InvestingRegion,
  SaleEligibility,
  SaleEntitySchema,
  SetupState,
} from "../../proto/gen/tidemark/entities/v1/entity_pb.ts";
import { EntityService } from "../../proto/gen/tidemark/entities/v1/entity_service_pb.ts";
import { PermitService } from "../../proto/gen/tidemark/entities/v1/permit_service_pb.ts";
import { entitiesUpstream } from "../web/sessions/entities-upstream.ts";
import { SALE } from "./fake-commitments.ts";

/** The access token that the fake auth service issues. */
export const ACCESS_TOKEN = "access";
export const ENTITY_UUID = "7c1e3f4a-52d0-4b8e-9a61-2f0c5d7e8b93";
export const WALLET = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const ENTITY_BYTES = new Uint8Array(Buffer.from("1234567890abcdef1234567890abcdef", "hex"));

interface Access {
  readonly access?: { readonly accessToken: string } | undefined;
  readonly saleUuid?: string;
}

/**
 * The side of an entities service that applications see, in memory, asked through Connect's own client. It knows one access
 * token, one sale and one entity, and fails on command.
 */
export class FakeEntities {
  /** Every call with its request, the last one last. */
  readonly calls: { readonly method: string; readonly message: unknown }[] = [];
  scopes: readonly string[] = ["read_entities", "sale_eligibility_check", "contact_email"];
  entity = create(SaleEntitySchema, {
    entityUuid: ENTITY_UUID,
    saleSpecificEntityId: ENTITY_BYTES,
    label: "Alice",
    type: EntityType.PERSON,
    setupState: SetupState.COMPLETE,
    eligibility: SaleEligibility.ELIGIBLE,
    region: InvestingRegion.EU,
  });
  /** Why there is no permit; unspecified if there is. */
  refusal: FailureReason = FailureReason.UNSPECIFIED;
  livenessUrl = "";
  permitPrice = 100n;
  /** Error with which every call fails while it is set. */
  failure: ConnectError | undefined;

  readonly clients = this.#connect();

  #connect() {
    const noting: Interceptor = (next) => async (request) => {
      this.calls.push({ method: request.method.name, message: request.stream ? undefined : request.message });
      if (this.failure !== undefined) throw this.failure;
      return next(request);
    };
    const transport = createRouterTransport(
      ({ service }) => {
        service(EntityService, {
          getProfile: (request) => {
            this.#require(request, "read_entities");
            const email = this.scopes.includes("contact_email") ? "alice@example.com" : "";
            return { entityUuid: ENTITY_UUID, email };
          },
          listAvailableEntities: (request) => {
            this.#require(request, "read_entities");
            return { entities: [this.entity] };
          },
          readAvailableEntity: (request) => {
            this.#require(request, "read_entities");
            this.#requireEntity(request.entityUuid || ENTITY_UUID, request.wallet || WALLET);
            return { entity: this.entity };
          },
          listInvestments: (request) => {
            this.#require(request, "read_entities");
            const committedAt = timestampFromMs(Date.UTC(2026, 10, 20, 19, 42, 1));
            return { investments: [{ saleName: "Harbour Token", committedAt }] };
          },
        });
        service(EligibilityService, {
          checkEligibility: (request) => {
            this.#require(request, "sale_eligibility_check");
            this.#requireEntity(request.entityUuid, request.wallet);
            return { ready: this.refusal === 0, failure: this.refusal, livenessUrl: this.livenessUrl };
          },
          getLimits: (request) => {
            this.#require(request, "sale_eligibility_check");
            this.#requireEntity(ENTITY_UUID, request.wallet);
            return { custom: true, minAmount: "1000000000", maxAmount: `${2n ** 256n - 1n}` };
          },
        });
        service(PermitService, {
          issuePermit: (request) => {
            this.#require(request, "sale_eligibility_check");
            this.#requireEntity(request.entityUuid, request.wallet);
            return { result: this.#permit(request.wallet) };
          },
        });
      },
      { transport: { interceptors: [noting] } },
    );
    return entitiesUpstream(transport);
  }

  #permit(wallet: string) {
    const refusal = { reason: this.refusal, livenessUrl: this.livenessUrl };
    if (this.refusal !== FailureReason.UNSPECIFIED) return { case: "refusal" as const, value: refusal };
    const permit = {
      saleSpecificEntityId: ENTITY_BYTES,
      saleUuid: new Uint8Array(16).fill(17),
      wallet,
      expiresAt: 1_704_067_200n,
      minAmount: "1000000000",
      maxAmount: "15000000000",
      minPrice: 5n,
      maxPrice: this.permitPrice,
      opensAt: 1_704_060_000n,
      closesAt: BigInt(Number.MAX_SAFE_INTEGER),
      payload: new Uint8Array(32),
    };
    return { case: "issued" as const, value: { permit, signature: new Uint8Array(65).fill(171) } };
  }

  #require({ access, saleUuid }: Access, scope: string): void {
    const refuse = (code: "unauthenticated" | "permission_denied", message: string) => {
      const violations = [{ field: "access.access_token", rule: "access_token", message }];
      throw refusal(new ServiceError(code, message, { violations }));
    };
    if (access?.accessToken !== ACCESS_TOKEN) refuse("unauthenticated", "the access token isn't valid (any more)");
    if (!this.scopes.includes(scope)) refuse("permission_denied", `this requires the scope ${scope}`);
    if ((saleUuid ?? SALE) !== SALE) refuse("permission_denied", "the access token is for another sale");
  }

  #requireEntity(entityUuid: string, wallet: string): void {
    if (!/^0x[0-9a-fA-F]{40}$/.test(wallet)) {
      throw refusal(invalidArgument([{ field: "wallet", rule: "wallet.form", message: "must be an EVM address" }]));
    }
    if (entityUuid === ENTITY_UUID && wallet === WALLET) return;
    throw refusal(new ServiceError("not_found", "there is no such entity"));
  }
}

function refusal(error: ServiceError): ConnectError {
  return toConnectError(error, () => undefined);
}
