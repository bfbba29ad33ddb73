import { create } from "@bufbuild/protobuf";
import { expect, it } from "vitest";
import { ErrorReason, ErrorStepSchema } from "../../../proto/gen/tidemark/auth/v1/authorization_service_pb.ts";
import { authorizationErrorPage } from "./error-page.ts";

const shown = (error: string) => {
  const step = create(ErrorStepSchema, { reason: ErrorReason.EXPIRED, error: { error, errorDescription: "why" } });
  const { status, title, content } = authorizationErrorPage(step, "en");
  return { status, title, html: String(content) };
};

it("names the error of a pushed request that is gone, and no half hour", () => {
  const { status, title, html } = shown("invalid_request_uri");
  expect([status, title]).toEqual([400, "This page is no longer valid"]);
  expect(html).toContain("<code>invalid_request_uri: why</code>");
  expect(html).not.toContain("half an hour");
});

it("says of an authorization that is over how old it is", () => {
  const { html } = shown("access_denied");
  expect(html).toContain("more than half an hour old");
  expect(html).not.toContain("access_denied");
});
