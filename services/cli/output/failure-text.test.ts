import { Code, ConnectError } from "@connectrpc/connect";
import { describe, expect, it } from "vitest";
import { invalidArgument } from "../../../common/platform/errors/service-error.ts";
import { toConnectError } from "../../../common/platform/rpc/errors.ts";
import { outOfTime, unauthenticated } from "../../../common/platform/rpc/identity/bearer-token.ts";
import { failureText } from "./failure-text.ts";

describe("failureText", () => {
  it("has a line for each field", () => {
    const refused = invalidArgument([
      { field: "definition.name", rule: "name", message: "is too long" },
      { field: "sale_uuid", rule: "uuid", message: "must be a UUID" },
    ]);
    const error = toConnectError(refused, () => {});
    expect(failureText(error)).toBe("definition.name: is too long\nsale_uuid: must be a UUID");
  });

  it.each([
    [Code.NotFound, "not_found: x"],
    [Code.Internal, "internal: x"],
    [Code.FailedPrecondition, "failed_precondition: x"],
    [
      Code.Unavailable,
      "unavailable: x\nIs the service running, and are COMMITMENTS_URL, INDEXER_URL, AUTH_RPC_URL and ENTITIES_URL right?",
    ],
  ])("names the code %s", (code, text) => {
    expect(failureText(new ConnectError("x", code))).toBe(text);
  });

  it("names the code of a refusal of the command's own key, and what to compare", () => {
    const error = toConnectError(unauthenticated("the caller token is not valid"), () => {});
    expect(failureText(error)).toBe(
      "unauthenticated: the caller token is not valid\nAre CALLER_NAME and CALLER_KEY in CALLER_KEYS of the service?",
    );
  });

  it("asks about clocks where the times of the command's token were refused", () => {
    const error = toConnectError(outOfTime("the caller token has expired"), () => {});
    expect(failureText(error)).toBe(
      "unauthenticated: the caller token has expired\nAre the clocks of this machine and of the service's right?",
    );
  });

  it("lets no message write to the terminal", () => {
    expect(failureText(new ConnectError("a\u001b[2J\nb", Code.NotFound))).toBe("not_found: a\ufffd[2J\ufffdb");
  });
});
