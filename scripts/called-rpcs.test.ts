import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AllowedCallers } from "../common/platform/rpc/identity/allowed-callers.ts";
import { ALLOWED_CALLERS as AUTH } from "../services/auth/allowed-callers.ts";
import { ALLOWED_CALLERS as COMMITMENTS } from "../services/commitments/allowed-callers.ts";
import { ALLOWED_CALLERS as ENTITIES } from "../services/entities/allowed-callers.ts";
import { ROOT } from "./test/run-command.ts";

/** The code of the gateway, which strangers reach: it may call what it needs, and each RPC for them has its way in. */
const GATEWAY = globSync("gateway/**/*.ts", { cwd: ROOT, exclude: ["**/*.test.ts", "gateway/testing/**"] })
  .map((path) => readFileSync(join(ROOT, path), "utf8"))
  .join("\n");

/** Returns the RPCs that a caller may call and whose name its code never calls, such as `tidemark.auth.v1.KeyService/ListKeys`. */
function uncalledRpcs(allowed: readonly AllowedCallers[], caller: string, code: string): readonly string[] {
  return allowed
    .flatMap((services) => Object.entries(services))
    .flatMap(([service, methods]) =>
      Object.entries(methods)
        .filter(([, callers]) => callers.includes(caller))
        .filter(([name]) => !code.includes(`.${name.charAt(0).toLowerCase()}${name.slice(1)}(`))
        .map(([name]) => `${service}/${name}`),
    );
}

it("the gateway calls every RPC that it may call", () => {
  expect(uncalledRpcs([AUTH, ENTITIES, COMMITMENTS], "gateway", GATEWAY)).toEqual([]);
});

it("an RPC that nobody has wired is noticed", () => {
  const planted = { "tidemark.entities.v1.EntityService": { ReportSomething: ["gateway"], OfOthers: ["operator"] } };
  const code = "client.reportSomethingElse(x); client.reportSomething;";
  expect(uncalledRpcs([planted], "gateway", code)).toEqual(["tidemark.entities.v1.EntityService/ReportSomething"]);
  expect(uncalledRpcs([planted], "gateway", "client.reportSomething({})")).toEqual([]);
});
