import { Code } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { ServiceError } from "../../../common/platform/errors/service-error.ts";
import { captureLog } from "../../../common/platform/testing/log-capture.ts";
import type { TokenAnswer } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { parametersOf } from "../testing/application.ts";
import { authorizationClient } from "../testing/authorization-client.ts";

const LIMITED = "192.0.2.7";
const BROKEN = "192.0.2.8";

describe("a batch of token requests", () => {
  const outcome = ({ result }: TokenAnswer) => {
    if (result.case === "error") return result.value.error;
    return result.case === "failure" ? Code[result.value.code] : result.case;
  };

  it("is handled one by one: a failure affects no other request, and the limit of an address counts each", async () => {
    const log = captureLog();
    const counted: string[] = [];
    const take = async (_: string, key: string) => {
      counted.push(key);
      if (key === LIMITED) throw new ServiceError("resource_exhausted", "too many", { retryAfterSeconds: 7 });
      if (key === BROKEN) throw new Error("a secret of the inside");
    };
    const auth = await authorizationClient({ rateLimits: { take }, logger: log.logger });
    const [application, session] = [await auth.application(), await auth.signIn()];
    const { refreshToken } = await application.tokens(session);
    const { code, codeVerifier } = await application.code(session);
    const exchange = (changes = {}) =>
      parametersOf({ grant_type: "authorization_code", code, code_verifier: codeVerifier, ...changes });
    counted.length = 0;
    const { answers } = await auth.authorization.batchIssueTokens({
      requests: [
        { parameters: exchange({ code: "unknown" }) },
        { parameters: exchange(), peer: { address: LIMITED } },
        { parameters: exchange(), peer: { address: BROKEN } },
        { parameters: exchange({ code_verifier: "short" }) },
        { parameters: exchange(), peer: { address: "192.0.2.1" } },
        {
          parameters: parametersOf({
            grant_type: "refresh_token",
            refresh_token: refreshToken,
            client_id: application.client.uuid,
          }),
        },
      ],
    });
    expect(answers.map(outcome)).toEqual([
      "invalid_grant",
      "ResourceExhausted",
      "Internal",
      "invalid_request",
      "tokens",
      "tokens",
    ]);
    expect(answers[1]?.result.value).toMatchObject({ message: "too many", retryAfterSeconds: 7 });
    expect(JSON.stringify(answers[2]?.result.value)).not.toContain("secret");
    expect(log.lines).toContainEqual(expect.objectContaining({ msg: "call failed", rpc_method: "BatchIssueTokens" }));
    expect(counted).toEqual(expect.arrayContaining([LIMITED, BROKEN, "192.0.2.1"]));
  });

  it("doesn't wait for a slow request", async () => {
    const never = new Promise<void>(() => {});
    const take = async (_: string, key: string) => (key === LIMITED ? never : undefined);
    const auth = await authorizationClient({ rateLimits: { take } });
    const [application, session] = [await auth.application(), await auth.signIn()];
    const { code, codeVerifier } = await application.code(session);
    const parameters = parametersOf({ grant_type: "authorization_code", code, code_verifier: codeVerifier });
    const { answers } = await auth.authorization.batchIssueTokens({
      requests: [{ parameters, peer: { address: LIMITED } }, { parameters }],
    });
    expect(answers.map(outcome)).toEqual(["Unavailable", "tokens"]);
  });

  it("redeems a code once that it contains several times", async () => {
    const auth = await authorizationClient();
    const [application, session] = [await auth.application(), await auth.signIn()];
    const { code, codeVerifier } = await application.code(session);
    const parameters = parametersOf({ grant_type: "authorization_code", code, code_verifier: codeVerifier });
    const { answers } = await auth.authorization.batchIssueTokens({ requests: Array(20).fill({ parameters }) });
    expect(answers.map(outcome).toSorted()).toEqual([...Array(19).fill("invalid_grant"), "tokens"]);
  });
});
