import { Code, ConnectError } from "@connectrpc/connect";
import { expect, it } from "vitest";
import { unansweredReason } from "./unanswered-reason.ts";

it.each([Code.Unauthenticated, Code.PermissionDenied])(
  "names the caller's settings where a service refuses it (%i)",
  (code) => {
    expect(unansweredReason(new ConnectError("no", code))).toContain("CALLER_KEY");
  },
);

it.each([new ConnectError("away", Code.Unavailable), new Error("connection lost")])(
  "says no more than it knows of %s",
  (error) => {
    expect(unansweredReason(error)).toBe("has not answered yet");
  },
);
