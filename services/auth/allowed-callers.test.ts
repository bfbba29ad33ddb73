import { expect, it } from "vitest";
import { StatusService } from "../../proto/gen/tidemark/status/v1/status_service_pb.ts";
import { ALLOWED_CALLERS } from "./allowed-callers.ts";
import { AUTH_SERVICES } from "./routes.ts";

it("lists every method of the auth service, and no other", () => {
  const listed = Object.entries(ALLOWED_CALLERS).flatMap(([service, methods]) =>
    Object.keys(methods).map((name) => `${service}/${name}`),
  );
  const services = [...AUTH_SERVICES, StatusService];
  const methods = services.flatMap((service) => service.methods.map(({ name }) => `${service.typeName}/${name}`));
  expect(listed.toSorted()).toEqual(methods.toSorted());
});

it("lets only the gateway get a session, a code or a token, and no other service change anything of accounts", () => {
  const methods = ["AccountService", "AuthorizationService"].flatMap((service) =>
    Object.entries(ALLOWED_CALLERS[`tidemark.auth.v1.${service}`] ?? {}),
  );
  const open = methods.filter(([, callers]) => callers.join() !== "gateway").map(([name]) => name);
  expect(open).toEqual([
    "GetAccounts",
    "NotifyAccount",
    "NotifyReviewer",
    "RecoverAccount",
    "IntrospectToken",
    "CheckAccess",
    "GetJwks",
  ]);
});
