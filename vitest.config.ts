import process from "node:process";
import { configDefaults, defineConfig } from "vitest/config";
import { isStrayReset } from "./common/platform/lifecycle/stray-reset.ts";
import { compileCacheFolder } from "./scripts/compile-cache/folder.mjs";

// Shared by all processes that tests start. Without a folder of this user's alone, each start compiles everything.
const compileCache = compileCacheFolder();
if (compileCache !== undefined) process.env["NODE_COMPILE_CACHE"] ??= compileCache;

// The limits end only what hangs: each is many times what a slow, busy machine needs.
const UNIT_TIMEOUT_MS = 60_000;
/** Real servers and processes. */
const SERVER_TIMEOUT_MS = 5 * 60_000;
const FAULT_TIMEOUT_MS = 10 * 60_000;
const LONG_FAULT_TIMEOUT_MS = 20 * 60_000;

/** The minutes given to `npm run test:load`, and the limit that hangs have anyway. */
const LOAD_TIMEOUT_MS = Number(process.env["LOAD_MINUTES"] ?? 0) * 60_000 + FAULT_TIMEOUT_MS;

/** Default time-out of `expect.poll`. */
const POLL_TIMEOUT_MS = 50_000;

/** Set-up of the tests that start services as processes. */
const COMPILE_CACHE = "test/support/processes/compile-cache-setup.ts";
/** Starts the databases. */
const INTEGRATION_SETUP = "test/support/processes/integration-setup.ts";

/**
 * One worker more than the two cores: these tests wait for processes, leases and polls for a third of their time. Vitest runs projects
 * with another number of workers as another group.
 */
const WAITING = { maxWorkers: 3, sequence: { groupOrder: 1 } };

/**
 * Files that take half of the time of all tests with servers and browsers. The long run takes them, so that `npm test` ends within ten
 * minutes.
 */
const SLOW_TESTS = [
  "test/browser/api-docs.test.ts",
  "test/browser/auth-pages.test.ts",
  "test/browser/charts.test.ts",
  "test/browser/code-page.test.ts",
  "test/browser/dashboard-messages.test.ts",
  "test/browser/dashboard.test.ts",
  "test/browser/documented-application.test.ts",
  "test/browser/double-clicks.test.ts",
  "test/browser/existing-client.test.ts",
  "test/browser/figures-fit.test.ts",
  "test/browser/founder.test.ts",
  "test/browser/german-dashboard.test.ts",
  "test/browser/look-up.test.ts",
  "test/browser/passkeys.test.ts",
  "test/browser/refused-forms.test.ts",
  "test/browser/public-rules.test.ts",
  "test/browser/result-page.test.ts",
  "test/browser/review.test.ts",
  "test/browser/right-to-left.test.ts",
  "test/browser/taking-part.test.ts",
  "test/browser/wallet-check.test.ts",
  "test/browser/wallet-link.test.ts",
  "test/browser/ways.test.ts",
  "test/browser/verify.test.ts",
  "test/browser/what-if.test.ts",
  "test/integration/absent-database.test.ts",
  "test/integration/auth/attacks/client-assertions.test.ts",
  "test/integration/auth/attacks/dpop.test.ts",
  "test/integration/auth/attacks/existing-client-tokens.test.ts",
  "test/integration/auth/attacks/introspection.test.ts",
  "test/integration/auth/attacks/passkey-policy.test.ts",
  "test/integration/auth/attacks/passkeys.test.ts",
  "test/integration/auth/attacks/redirect-uri-registration.test.ts",
  "test/integration/auth/attacks/removed-keys.test.ts",
  "test/integration/auth/begun-sales.test.ts",
  "test/integration/auth/process.test.ts",
  "test/integration/auth/real-clients-extensions.test.ts",
  "test/integration/auth/real-clients.test.ts",
  "test/integration/bus/nats-security.test.ts",
  "test/integration/checks/database.test.ts",
  "test/integration/checks/nats.test.ts",
  "test/integration/cli/applications.test.ts",
  "test/integration/cli/backfill.test.ts",
  "test/integration/cli/commitments-import.test.ts",
  "test/integration/cli/entities.test.ts",
  "test/integration/cli/sales.test.ts",
  "test/integration/cli/status.test.ts",
  "test/integration/commitments/allocations-model-long.test.ts",
  "test/integration/commitments/optimistic-apply.test.ts",
  "test/integration/commitments/rpc-export.test.ts",
  "test/integration/configuration.test.ts",
  "test/integration/container-image.test.ts",
  "test/integration/contracts/auction-fills.test.ts",
  "test/integration/contracts/continuous-auction.test.ts",
  "test/integration/contracts/families.test.ts",
  "test/integration/dashboard.test.ts",
  "test/integration/demo/**/*.test.ts",
  "test/integration/distributed.test.ts",
  "test/integration/documentation/applications.test.ts",
  "test/integration/documentation/identity-vendors.test.ts",
  "test/integration/documentation/operating.test.ts",
  "test/integration/entities/barriers.test.ts",
  "test/integration/entities/callbacks.test.ts",
  "test/integration/entities/permit-acceptance.test.ts",
  "test/integration/entities/permit-races.test.ts",
  "test/integration/entities/rewrap.test.ts",
  "test/integration/entities/rpc-callers.test.ts",
  "test/integration/entities/sale-erasure.test.ts",
  "test/integration/entities/svm-permit-acceptance.test.ts",
  "test/integration/entities/wallet-disputes.test.ts",
  "test/integration/entities/wallet-links.test.ts",
  "test/integration/entry-files.test.ts",
  "test/integration/export-memory.test.ts",
  "test/integration/first-read.test.ts",
  "test/integration/held-ports.test.ts",
  "test/integration/indexer/auction.test.ts",
  "test/integration/indexer/contracts.test.ts",
  "test/integration/indexer/large-rows.test.ts",
  "test/integration/indexer/opening.test.ts",
  "test/integration/indexer/reorganisations.test.ts",
  "test/integration/indexer/svm-bad-sources.test.ts",
  "test/integration/indexer/svm.test.ts",
  "test/integration/key-change.test.ts",
  "test/integration/live-updates.test.ts",
  "test/integration/taking-part/account-pages.test.ts",
  "test/integration/taking-part/fuzzed-bodies.test.ts",
  "test/integration/projected-tokens.test.ts",
  "test/integration/rpc-tls.test.ts",
  "test/integration/several-commitments.test.ts",
  "test/integration/signals-at-start.test.ts",
  "test/integration/stream-misuse.test.ts",
  "test/integration/tls-names.test.ts",
  "test/integration/tracing.test.ts",
  "test/integration/verify/contracts.test.ts",
  "test/integration/verify/tampering.test.ts",
  "test/integration/verify/verify.test.ts",
];

/** Half of the fault tests by their time, for the long run only. */
const SLOW_FAULT_TESTS = [
  "test/faults/killed-applies.test.ts",
  "test/faults/many-sales.test.ts",
  "test/faults/shifted-clocks.test.ts",
  "test/faults/stopped-feed.test.ts",
  "test/faults/strangers-rows.test.ts",
  "test/faults/unread-answers.test.ts",
];
const faultSettings = {
  globalSetup: [COMPILE_CACHE],
  ...WAITING,
  testTimeout: process.env["TEST_LONG"] === "1" ? LONG_FAULT_TIMEOUT_MS : FAULT_TIMEOUT_MS,
  hookTimeout: FAULT_TIMEOUT_MS,
};

const serverTimeouts = { testTimeout: SERVER_TIMEOUT_MS, hookTimeout: SERVER_TIMEOUT_MS };

export default defineConfig({
  test: {
    pool: "forks",
    maxWorkers: 2,
    // Test files share a worker and its modules, because loading them anew for each file took half of the time. So each test must
    // clean up.
    isolate: false,
    onUnhandledError: (error) => !isStrayReset(error),
    expect: { poll: { timeout: POLL_TIMEOUT_MS, interval: 20 } },
    exclude: [...configDefaults.exclude, "proto/gen/**"],
    projects: [
      {
        extends: true,
        test: {
          name: "unit",
          include: ["{common,services,gateway,client,scripts}/**/*.test.ts"],
          setupFiles: ["common/platform/testing/unit-setup.ts"],
          testTimeout: UNIT_TIMEOUT_MS,
          hookTimeout: UNIT_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          exclude: SLOW_TESTS,
          globalSetup: [COMPILE_CACHE, INTEGRATION_SETUP],
          ...WAITING,
          ...serverTimeouts,
        },
      },
      {
        extends: true,
        test: {
          name: "slow",
          include: SLOW_TESTS,
          globalSetup: [COMPILE_CACHE, INTEGRATION_SETUP],
          ...WAITING,
          ...serverTimeouts,
        },
      },
      {
        extends: true,
        test: {
          name: "faults",
          include: ["test/faults/**/*.test.ts"],
          exclude: SLOW_FAULT_TESTS,
          ...faultSettings,
        },
      },
      { extends: true, test: { name: "slow-faults", include: SLOW_FAULT_TESTS, ...faultSettings } },
      {
        extends: true,
        test: {
          name: "upgrade",
          include: ["test/upgrade/**/*.test.ts"],
          globalSetup: [COMPILE_CACHE],
          testTimeout: LONG_FAULT_TIMEOUT_MS,
          hookTimeout: FAULT_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "load",
          include: ["test/load/**/*.test.ts"],
          globalSetup: [COMPILE_CACHE],
          testTimeout: LOAD_TIMEOUT_MS,
          hookTimeout: FAULT_TIMEOUT_MS,
        },
      },
      { extends: true, test: { name: "release", include: ["test/release/**/*.test.ts"], ...serverTimeouts } },
      { extends: true, test: { name: "chart", include: ["test/chart/**/*.test.ts"], ...serverTimeouts } },
      { extends: true, test: { name: "compose", include: ["test/compose/**/*.test.ts"], ...serverTimeouts } },
      {
        extends: true,
        test: {
          name: "cluster",
          include: ["test/cluster/*.test.ts"],
          globalSetup: [COMPILE_CACHE, "test/cluster/support/cluster-setup.ts"],
          ...serverTimeouts,
        },
      },
      {
        extends: true,
        test: {
          name: "nodes",
          include: ["test/cluster/nodes/**/*.test.ts"],
          // The nodes' own load is enough for the machine.
          maxWorkers: 1,
          sequence: { groupOrder: 2 },
          globalSetup: [COMPILE_CACHE, "test/cluster/nodes/nodes-setup.ts"],
          testTimeout: LONG_FAULT_TIMEOUT_MS,
          hookTimeout: FAULT_TIMEOUT_MS,
        },
      },
      {
        extends: true,
        test: {
          name: "browser",
          include: ["test/browser/**/*.test.ts"],
          exclude: SLOW_TESTS,
          globalSetup: [COMPILE_CACHE],
          ...WAITING,
          ...serverTimeouts,
        },
      },
      {
        extends: true,
        test: {
          name: "runtime",
          include: ["test/runtime/**/*.test.ts"],
          globalSetup: [COMPILE_CACHE],
          ...serverTimeouts,
        },
      },
    ],
  },
});
