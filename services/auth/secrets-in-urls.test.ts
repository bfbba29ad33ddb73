import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { AUTH_SERVICES } from "./routes.ts";

const SECRET = /(?<!page_)token$|^code$|handle$/;

/** Connect lets a client send what has no side effects by GET, the request in the URL, which proxies write to their logs. */
it("takes no secret by GET", () => {
  const byGet = AUTH_SERVICES.flatMap(({ methods }) =>
    methods.filter(({ idempotency }) => idempotency === IdempotencyLevel.NO_SIDE_EFFECTS),
  );
  const leaking = byGet.filter(({ input }) => input.fields.some(({ name }) => SECRET.test(name)));
  expect(leaking.map(({ name }) => name)).toEqual([]);
  expect(byGet.map(({ name }) => name)).toContain("GetJwks");
});
