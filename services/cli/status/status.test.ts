import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import type { MessageInitShape } from "@bufbuild/protobuf";
import { Code, ConnectError, createClient, createRouterTransport } from "@connectrpc/connect";
import { expect, it, onTestFinished, vi } from "vitest";
import {
  type GetStatusResponseSchema,
  StatusService,
} from "../../../proto/gen/tidemark/status/v1/status_service_pb.ts";
import { type CliClients, runCli } from "../cli.ts";

type Answer = MessageInitShape<typeof GetStatusResponseSchema> | ConnectError;

const WELL = { service: "indexer", version: "1.0.0", runtime: "node 26.0.0", instance: "indexer-0/1" };
const AWAY = new ConnectError("the connection was refused", Code.Unavailable);

/** Runs `status` on an indexer whose processes answer like this. */
async function statusOf(answers: readonly Answer[], ...options: readonly string[]) {
  const addressed = answers.map((answer, index) => {
    const transport = createRouterTransport((router) =>
      router.service(StatusService, {
        getStatus: () => {
          if (answer instanceof ConnectError) throw answer;
          return answer;
        },
      }),
    );
    const url = `http://10.0.0.${index}:8082`;
    return { service: "indexer", url, client: createClient(StatusService, transport) };
  });
  const clients = { processes: async () => addressed, connectRetryMs: 15_000 } as unknown as CliClients;
  const [output, errors] = [new PassThrough(), new PassThrough()];
  const args = ["status", "--skip", "commitments", "--skip", "auth", ...options];
  const { signal } = new AbortController();
  const code = await runCli({ args, variables: {}, output, errors, signal }, () => clients);
  output.end();
  errors.end();
  return { code, output: await text(output), errors: await text(errors) };
}

it.each<[string, readonly Answer[], number, string]>([
  ["all is well", [WELL], 0, ""],
  ["one of several doesn't answer", [WELL, AWAY], 1, "one thing is wrong\n"],
  ["a process isn't ready", [{ ...WELL, notReady: [{ name: "clock", reason: "off" }] }], 1, "one thing is wrong\n"],
  ["none answers", [AWAY, AWAY], 2, "no process has answered\n"],
])("status where %s", async (_, answers, code, errors) => {
  expect(await statusOf(answers)).toMatchObject({ code, errors });
});

it("status names what is wrong, and hides what a terminal would act on", async () => {
  const notReady = [{ name: "database", reason: "does not\u001b[2J answer" }];
  const { output } = await statusOf([{ ...WELL, notReady }]);
  expect(output).toContain("not ready: database: does not\ufffd[2J answer; version 1.0.0");
});

it("status --json is a list for programs", async () => {
  const { output } = await statusOf([AWAY], "--json");
  expect(JSON.parse(output)[0]).toEqual({
    level: "wrong",
    subject: "indexer http://10.0.0.0:8082",
    text: "doesn't answer: unavailable: the connection was refused",
  });
});

it("status --skip leaves a service out, and refuses another word", async () => {
  expect(await statusOf([WELL], "--skip", "indexer")).toMatchObject({ code: 2 });
  expect(await statusOf([WELL], "--skip", "mailer")).toMatchObject({
    code: 64,
    errors: expect.stringContaining("--skip expects one of commitments, indexer, auth, entities, gateway"),
  });
});

it("status gives a process its five seconds after the time for opening the connection", async () => {
  const timeout = vi.spyOn(AbortSignal, "timeout");
  onTestFinished(() => timeout.mockRestore());
  await statusOf([WELL]);
  expect(timeout.mock.calls).toEqual([[20_000]]);
});
