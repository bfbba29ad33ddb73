import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { AllowedCallers } from "../common/platform/rpc/identity/allowed-callers.ts";
import { ALLOWED_CALLERS as AUTH } from "../services/auth/allowed-callers.ts";
import { ALLOWED_CALLERS as COMMITMENTS } from "../services/commitments/allowed-callers.ts";
import { ALLOWED_CALLERS as ENTITIES } from "../services/entities/allowed-callers.ts";
import { ALLOWED_CALLERS as INDEXER } from "../services/indexer/rpc/routes.ts";
import { ROOT } from "./test/run-command.ts";

/** The processes of a deployment, each a caller, with the folder of its code. */
const FOLDERS: Readonly<Record<string, string>> = {
  gateway: "gateway",
  commitments: "services/commitments",
  auth: "services/auth",
  entities: "services/entities",
  indexer: "services/indexer",
};
/** Callers whose code is other people's; an operator calls whatever helps, by the command and by hand (docs/calling-services.md). */
const OTHERS = ["operator", "feeder", "resource-server"];

/** Returns a process's code, with what all processes have in common. */
function codeOf(folder: string): string {
  const exclude = ["**/*.test.ts", "**/testing/**", "**/allowed-callers.ts"];
  return globSync([`${folder}/**/*.ts`, "common/**/*.ts"], { cwd: ROOT, exclude })
    .map((path) => readFileSync(join(ROOT, path), "utf8"))
    .join("\n");
}

const ALLOWED = [AUTH, ENTITIES, COMMITMENTS, INDEXER];

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

it.each(Object.entries(FOLDERS))("the caller %s calls every RPC that it may call", (caller, folder) => {
  expect(uncalledRpcs(ALLOWED, caller, codeOf(folder))).toEqual([]);
});

it("every caller is a process whose code is here, or named as another's", () => {
  const callers = ALLOWED.flatMap((services) => Object.values(services)).flatMap((methods) =>
    Object.values(methods).flat(),
  );
  expect([...new Set(callers)].toSorted()).toEqual([...Object.keys(FOLDERS), ...OTHERS].toSorted());
});

it("an RPC that nobody has wired is noticed", () => {
  const planted = { "tidemark.entities.v1.EntityService": { ReportSomething: ["gateway"], OfOthers: ["operator"] } };
  const code = "client.reportSomethingElse(x); client.reportSomething;";
  expect(uncalledRpcs([planted], "gateway", code)).toEqual(["tidemark.entities.v1.EntityService/ReportSomething"]);
  expect(uncalledRpcs([planted], "gateway", "client.reportSomething({})")).toEqual([]);
});
