import { expect, it } from "vitest";
import { findReferences, nameOf, pinReferences } from "./references.ts";

const DIGEST = `sha256:${"a".repeat(64)}`;
const OTHER_DIGEST = `sha256:${"b".repeat(64)}`;
const COMMIT = "0123456789abcdef0123456789abcdef01234567";

const DOCKERFILE = `FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS files
RUN true
FROM files AS more
FROM registry.example:5000/distroless/nodejs24@${DIGEST}
`;
const WORKFLOW = `jobs:
  checks:
    container: node:24-bookworm@${DIGEST}
    steps:
      - uses: actions/checkout@v5
        with: { fetch-depth: 0 }
      - name: again
        uses: actions/cache/restore@${COMMIT} # v4.2.0
`;

it("finds the images of a Dockerfile, but not its stages", () => {
  expect(findReferences(DOCKERFILE)).toEqual([
    { kind: "image", name: "node", version: "24-bookworm-slim", pin: undefined },
    { kind: "image", name: "registry.example:5000/distroless/nodejs24", version: "latest", pin: DIGEST },
  ]);
});

it("finds the actions and images of a workflow, pinned or not", () => {
  expect(findReferences(WORKFLOW)).toEqual([
    { kind: "image", name: "node", version: "24-bookworm", pin: DIGEST },
    { kind: "action", name: "actions/checkout", version: "v5", pin: undefined },
    { kind: "action", name: "actions/cache/restore", version: "v4.2.0", pin: COMMIT },
  ]);
});

it("finds the images of a release file", () => {
  expect(findReferences('home: ""\nbuildkit: moby/buildkit:stable\nsbomGenerator: a/b:1\n').map(nameOf)).toEqual([
    "moby/buildkit:stable",
    "a/b:1",
  ]);
});

it("pins what isn't pinned, renews what is, and leaves everything else", async () => {
  const resolve = async ({ kind }: { readonly kind: string }) =>
    kind === "image" ? OTHER_DIGEST : COMMIT.replaceAll("0", "f");
  const dockerfile = await pinReferences(DOCKERFILE, resolve);
  expect(dockerfile).toBe(`FROM --platform=$BUILDPLATFORM node:24-bookworm-slim@${OTHER_DIGEST} AS files
RUN true
FROM files AS more
FROM registry.example:5000/distroless/nodejs24:latest@${OTHER_DIGEST}
`);
  expect(await pinReferences(dockerfile, resolve)).toBe(dockerfile);
  const commit = COMMIT.replaceAll("0", "f");
  const workflow = await pinReferences(WORKFLOW, resolve);
  expect(workflow).toContain(`uses: actions/checkout@${commit} # v5\n`);
  expect(workflow).toContain(`uses: actions/cache/restore@${commit} # v4.2.0\n`);
  expect(await pinReferences(workflow, resolve)).toBe(workflow);
});
