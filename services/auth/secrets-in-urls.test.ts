import { MethodOptions_IdempotencyLevel as IdempotencyLevel } from "@bufbuild/protobuf/wkt";
import { expect, it } from "vitest";
import { AUTH_SERVICES } from "./routes.ts";

const SECRET = /(?<!page_)token$|^code$|handle$/;

/** Connect sends requests without side effects by GET, with the message in the URL, and proxies log URLs. */
it("accepts no secret by GET", () => {
  const byGet = AUTH_SERVICES.flatMap(({ methods }) =>
    methods.filter(({ idempotency }) => idempotency === IdempotencyLevel.NO_SIDE_EFFECTS),
  );
  const leaking = byGet.filter(({ input }) => input.fields.some(({ name }) => SECRET.test(name)));
  expect(leaking.map(({ name }) => name)).toEqual([]);
  expect(byGet.map(({ name }) => name)).toContain("GetJwks");
});
