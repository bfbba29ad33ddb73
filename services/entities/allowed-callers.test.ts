import { expect, it } from "vitest";
import { StatusService } from "../../proto/gen/tidemark/status/v1/status_service_pb.ts";
import { ALLOWED_CALLERS } from "./allowed-callers.ts";
import { ENTITIES_SERVICES } from "./routes.ts";

it("says for every method of every service who may call it", () => {
  const methods = (names: Iterable<string>) => [...names].toSorted();
  const services = [...ENTITIES_SERVICES, StatusService];
  expect(Object.keys(ALLOWED_CALLERS).toSorted()).toEqual(methods(services.map(({ typeName }) => typeName)));
  for (const service of services) {
    const rows = ALLOWED_CALLERS[service.typeName] ?? {};
    expect(methods(Object.keys(rows))).toEqual(methods(service.methods.map(({ name }) => name)));
  }
});

it("lets each caller but gateway and operator do only this", () => {
  const rows = Object.values(ALLOWED_CALLERS).flatMap((methods) => Object.entries(methods));
  const methodsOf = (caller: string) => rows.filter(([, callers]) => callers.includes(caller)).map(([name]) => name);
  expect(methodsOf("auth")).toEqual(["CloseAccount", "EraseAccount"]);
  expect(methodsOf("commitments")).toEqual(["AdmitOpening", "StopPermits", "EraseSale"]);
  const named = new Set(rows.flatMap(([, callers]) => callers));
  expect([...named].toSorted()).toEqual(["auth", "commitments", "gateway", "operator"]);
});
