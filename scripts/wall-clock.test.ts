import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { REPOSITORY_ROOT } from "../test/support/repository/repository.ts";

/**
 * Reasons why each file reads the wall clock. It may be set at any moment, so no span within a process is measured by it: that is what
 * `performance.now()` is for. Times that others have written, or will read, are compared with it.
 */
const REASONS: Readonly<Record<string, string>> = {
  "client/mock/index.ts": "times of the mock's own sale",
  "common/chains/nodes/json-rpc-url.ts": "a Retry-After header may be a date",
  "common/platform/bus/nats-bus.ts": "the age of a stream's last event",
  "common/platform/checks/run-probes.ts": "compares it with other clocks and with the ends of certificates",
  "common/platform/clock/clock-watch.ts": "compares it with another clock",
  "common/platform/db/database-clock.ts": "notices that it was set",
  "common/platform/rpc/identity/actor-verifier.ts": "tokens of auth expire by it",
  "common/platform/rpc/identity/caller-token-file.ts": "tokens of others expire by it",
  "common/platform/rpc/identity/caller-token.ts": "the times in a token",
  "common/platform/rpc/identity/issuer-token-authenticator.ts": "tokens of others expire by it",
  "common/platform/rpc/identity/named-key-authenticator.ts": "tokens of others expire by it",
  "common/platform/rpc/identity/verified-tokens.ts": "tokens of others expire by it",
  "common/platform/rpc/server/health.ts": "tells callers the time",
  "common/platform/time/clock.ts": "the clock itself",
  "gateway/composition.ts": "ages of commits, and times on pages",
  "gateway/dashboard/base/founder.ts": "when auth has seen a sign-in",
  "gateway/dashboard/days/days.ts": "which day it is",
  "gateway/dashboard/overview/gather-facts.ts": "which day it is",
  "gateway/dashboard/overview/preview.ts": "the time on a page",
  "gateway/dashboard/overview/sale-page.ts": "whether a sale's dates have passed",
  "gateway/dashboard/overview/sales-list.ts": "whether a sale's dates have passed",
  "gateway/dashboard/taking-part/overview.ts": "which hour it is",
  "gateway/dashboard/taking-part/permits.ts": "permits of entities expire by it",
  "gateway/sale-page/browser/charts.js": "the end of the running period",
  "gateway/sale-page/browser/feed.js": "a machine that slept is noticed by it; a timer bounds the silence",
  "gateway/sale-page/browser/history-chart.js": "the end of the running period",
  "gateway/sale-page/browser/liveness.js": "which day it is",
  "gateway/sale-page/browser/sale.js": "up to when the figures of a paused page are right",
  "gateway/sale-page/browser/tidemark-sale.js": "whether an announced time has passed",
  "gateway/sale-page/verify/compare-in-browser.js": "has the code of files in this list",
  "gateway/sign-in/start-session.ts": "auth's end of a session as a cookie's age",
  "gateway/web/pages/failure.ts": "when a form can be sent again, which another gateway may show",
  "gateway/web/sessions/refused-steps.ts": "the end of a sealed cookie, which another gateway may read",
  "gateway/web/sessions/session.ts": "when auth has seen a sign-in",
  "services/cli/entities/reviews.ts": "a time that an operator gives as an age",
  "services/cli/operations/outbox-replay.ts": "a time that an operator gives as an age",
  "services/cli/sales/sale-show.ts": "ages of times that a service has noted",
  "services/cli/status/status.ts": "ages of times that a service has noted",
  "services/cli/webhooks/webhook-events.ts": "a time that an operator gives as an age",
  "services/demo/application/bid-actions.ts": "a time that is shown",
  "services/demo/application/visits.ts": "when a permit ends",
  "services/demo/bidders/gather-bidders.ts": "times of bids",
  "services/demo/bidders/keep-bidding.ts": "times of bids",
  "services/demo/demo.ts": "the time of a chain's first block",
};

const WALL_CLOCK = /\bDate\.now\b|\bnew Date\(\)|\bsystemClock\b|\bTemporal\.Now\b/;
const SOURCES = ["{client,common,gateway,services}/**/*.{ts,js,mjs}"];

function usesWallClock(source: string): boolean {
  return WALL_CLOCK.test(source.replaceAll(/^\s*(\/\/|\*|\/\*).*$/gm, ""));
}

it("reads the wall clock only where a time of others is meant, never for a span within a process", () => {
  const isTest = (file: string) => /\.test\.[jt]s$|(^|\/)testing\//.test(file);
  const files = globSync(SOURCES, { cwd: REPOSITORY_ROOT }).filter((file) => !isTest(file));
  const found = files.filter((file) => usesWallClock(readFileSync(join(REPOSITORY_ROOT, file), "utf8")));
  expect(found.toSorted()).toEqual(Object.keys(REASONS).toSorted());
});

it.each([
  ["const startedAt = Date.now();", true],
  ["constructor({ now = Date.now }) {}", true],
  ["const { clock = systemClock } = options;", true],
  ["const day = new Date().getDay();", true],
  ["const time = new Date(row.at);", false],
  ["const startedAt = performance.now();", false],
  ["  // Date.now() would do here.", false],
])("takes %s for a use of it: %s", (source, expected) => {
  expect(usesWallClock(source)).toBe(expected);
});
