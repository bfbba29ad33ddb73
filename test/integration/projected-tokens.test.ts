import { join } from "node:path";
import { Code, createClient } from "@connectrpc/connect";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createRpcTransport } from "../../common/platform/rpc/client/client.ts";
import { AUTH_AUDIENCE, COMMITMENTS_AUDIENCE, INDEXER_AUDIENCE } from "../../common/platform/rpc/identity/audiences.ts";
import { SaleService } from "../../proto/gen/tidemark/commitments/v1/sale_service_pb.ts";
import { createFitClient } from "../support/applications/fit-client.ts";
import { runCliProcess } from "../support/processes/cli.ts";
import { startTokenDeployment, type TokenDeployment } from "../support/processes/token-deployment.ts";
import { POLL_TIMEOUT_MS, SOON } from "../support/repository/polling.ts";
import { apply, draftSale, record, refusal } from "../support/sales/sale-messages.ts";

describe("processes that know one another by projected tokens only", () => {
  let deployment: TokenDeployment;
  beforeAll(async () => {
    deployment = await startTokenDeployment();
  });
  afterAll(() => deployment?.stop());

  /** The number of commitments that the gateway shows. */
  async function countShown(saleUuid: string): Promise<number> {
    const answer = await deployment.gateway.read(saleUuid);
    return answer.ok ? (await answer.json()).UniqueCommitmentCount : Number.NaN;
  }

  /** Error of the token endpoint for an unknown code, by which one sees that the gateway has asked auth. */
  async function tokenError(): Promise<unknown> {
    const body = new URLSearchParams({ grant_type: "authorization_code", code: "x", code_verifier: "v".repeat(43) });
    const answer = await fetch(`${deployment.gateway.origin}/oauth/token`, { method: "POST", body });
    return (await answer.json()).error;
  }

  /** A sale whose opening needed all of them but the indexer to call each other. */
  async function openSale(): Promise<string> {
    const { commitments, auth } = deployment.as("operator");
    const saleUuid = await draftSale(commitments);
    expect(await refusal(commitments.sales.openSale({ saleUuid }))).toMatchObject({ code: "failed_precondition" });
    await createFitClient(auth, saleUuid);
    await commitments.sales.openSale({ saleUuid });
    return saleUuid;
  }

  it("call each other, with tokens that are replaced while they run", async () => {
    const saleUuid = await openSale();
    const { commitments, indexer, entities } = deployment.as("operator");
    await apply(commitments, saleUuid, { upserts: [record(1)] });
    await expect.poll(() => countShown(saleUuid), SOON).toBe(1);
    expect(await tokenError()).toBe("invalid_grant");
    await expect.poll(() => deployment.indexerIsReady(), SOON).toBe(true);
    expect((await indexer.listChains({})).chains).toEqual([]);

    await deployment.issuer.rotate();
    for (const [service, call] of [
      ["commitments", () => countShown(saleUuid)],
      ["auth", tokenError],
      ["indexer", () => indexer.listChains({})],
      ["entities", () => entities.permits.listKeys({ saleUuid })],
    ] as const) {
      const isAsked = async () => {
        await call();
        return deployment.issuer.wasReadBy(service);
      };
      await expect.poll(isAsked, SOON).toBe(true);
    }
    await apply(commitments, saleUuid, { upserts: [record(2)] });
    await expect.poll(() => countShown(saleUuid), SOON).toBe(2);
    expect(await tokenError()).toBe("invalid_grant");
    await openSale();
  });

  it("refuse a token that was made for another of them", async () => {
    const { commitmentsUrl, issuer } = deployment;
    const call = async (audience: string) => {
      const caller = { tokenFile: join(issuer.folderOf("operator"), audience) };
      const transport = createRpcTransport({ baseUrl: commitmentsUrl, caller, defaultTimeoutMs: POLL_TIMEOUT_MS });
      return createClient(SaleService, transport).listSales({});
    };
    await call(COMMITMENTS_AUDIENCE);
    await expect(call(AUTH_AUDIENCE)).rejects.toMatchObject({ code: Code.Unauthenticated });
    await expect(call(INDEXER_AUDIENCE)).rejects.toMatchObject({ code: Code.Unauthenticated });
  });

  it("let a subject do what its caller may, and no more", async () => {
    const { auth } = deployment.as("indexer");
    await expect(auth.keys.listKeys({})).rejects.toMatchObject({ code: Code.PermissionDenied });
  });

  it("are called by the operator's command in the same way", async () => {
    const { commitmentsUrl: COMMITMENTS_URL, issuer } = deployment;
    const env = { COMMITMENTS_URL, CALLER_TOKEN_DIR: issuer.folderOf("operator") };
    expect(await runCliProcess(["sale", "list"], env)).toMatchObject({ code: 0, errors: "" });
    const both = await runCliProcess(["sale", "list"], { ...env, CALLER_NAME: "operator" });
    expect(both).toMatchObject({ code: 78, errors: expect.stringContaining("CALLER_TOKEN_DIR: expected either it") });
  });
});
