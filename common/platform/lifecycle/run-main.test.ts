import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, expect, it } from "vitest";

const modules = (name: string) => JSON.stringify(new URL(name, import.meta.url).href);
const imports = `
  import { ConfigError } from ${modules("../config/config-error.ts")};
  import { createLogger } from ${modules("../log/log.ts")};
  import { runMain } from ${modules("./run-main.ts")};
`;

/** Starts a process with that main, and calls `onOutput` with its whole standard output whenever that grows. */
async function run(
  main: string,
  onOutput: (output: string, kill: (signal: NodeJS.Signals) => void) => void = () => {},
) {
  const runtime = process.versions["deno"] === undefined ? ["--input-type=module", "--eval"] : ["eval", "--ext=ts"];
  const child = spawn(process.execPath, [...runtime, `${imports}${main}`]);
  const { pid = Number.NaN } = child;
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
    // Not `child.kill`: after it Deno reports every exit as one by the signal.
    onOutput(stdout, (signal) => process.kill(pid, signal));
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const [code]: unknown[] = await once(child, "close");
  return { code, stdout, stderr };
}

describe("runMain", () => {
  it("ends a configuration error with one line and exit code 78", async () => {
    const result = await run(
      `runMain("test", async () => { throw new ConfigError("GATEWAY_PORT", "expected a port"); });`,
    );
    expect(result).toEqual({ code: 78, stdout: "", stderr: "GATEWAY_PORT: expected a port\n" });
  });

  it("ends it likewise where a step in the background finds it", async () => {
    const main = `runMain("test", async () => {
      setInterval(() => {}, 1_000);
      setImmediate(() => void Promise.reject(new ConfigError("MYSQL_URL", "expected another account")));
    });`;
    expect(await run(main)).toEqual({ code: 78, stdout: "", stderr: "MYSQL_URL: expected another account\n" });
  });

  it.each([
    ["another error at the start", "start failed", `throw new Error("boom");`],
    ["an unhandled rejection", "unhandled rejection", `void Promise.reject(new Error("boom"));`],
    ["an uncaught exception", "uncaught exception", `setImmediate(() => { throw new Error("boom"); });`],
  ])("logs %s as fatal and exits with 1", async (_, msg, body) => {
    const { code, stdout } = await run(`runMain("test", async () => { setInterval(() => {}, 1_000); ${body} });`);
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toMatchObject({ level: "fatal", service: "test", msg, err: { message: "boom" } });
  });
});

describe("what libraries print", () => {
  const log = `{ log: { standardLevel: "warn", destination: process.stderr } }`;
  const body = `console.warn("a library warns"); console.log("and chats");`;
  const warning = { level: "warn", service: "test", output: "a library warns" };

  it("is in the log, and standard output is left to people where the log is elsewhere", async () => {
    const main = `runMain("test", async () => { ${body} process.stdout.write("welcome"); }, ${log});`;
    const { stdout, stderr } = await run(main);
    expect(stdout).toBe("welcome");
    expect(JSON.parse(stderr)).toMatchObject(warning);
  });

  it("is left out below LOG_LEVEL", async () => {
    const { stdout } = await run(`process.env.LOG_LEVEL = "warn"; runMain("test", async () => { ${body} });`);
    expect(JSON.parse(stdout)).toMatchObject(warning);
  });
});

it("goes on after a reset that Deno throws outside of all sockets, and only there", async () => {
  const error = `Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET", syscall: "read" })`;
  const body = `setImmediate(() => { setImmediate(() => process.exit(0)); throw ${error}; });`;
  const { code, stdout } = await run(`runMain("test", async () => { ${body} });`);
  const isDeno = "Deno" in globalThis;
  expect(code).toBe(isDeno ? 0 : 1);
  expect(JSON.parse(stdout)).toMatchObject({ level: isDeno ? "warn" : "fatal", err: { message: "read ECONNRESET" } });
});

describe("signals", () => {
  /** A process whose start ends, goes on or fails after it has been announced. */
  const main = (step: string, rest = "") => `
    runMain("test", async (openLifecycle) => {
      const lifecycle = openLifecycle({ logger: createLogger({ service: "test", level: "info" }) });
      lifecycle.onStop("step", ${step});
      setInterval(() => {}, 1_000);
      setImmediate(() => console.log("started"));
      ${rest}
    });
  `;
  const killOnce = (signal: NodeJS.Signals) => {
    let killed = false;
    return (output: string, kill: (signal: NodeJS.Signals) => void) => {
      if (!killed && output.includes("started")) kill(signal);
      killed ||= output.includes("started");
    };
  };

  it.each(["SIGTERM", "SIGINT"] as const)("%s stops cleanly with exit code 0", async (signal) => {
    const { code, stdout } = await run(main(`() => console.log("step ran")`), killOnce(signal));
    expect(code).toBe(0);
    expect(stdout).toContain("step ran");
  });

  const untilStopping = `await new Promise((resolve) => lifecycle.stopping.addEventListener("abort", resolve));`;
  it.each([
    ["waits for ever", "await new Promise(() => {});", ["step ran"]],
    ["fails as its parts are stopped", `${untilStopping} throw new Error("closed");`, ["step ran"]],
    [
      "opens another part meanwhile",
      `${untilStopping} lifecycle.onStop("late", () => console.log("late step ran"));`,
      ["step ran", "late step ran"],
    ],
  ])("stops cleanly during a start that %s", async (_, rest, printed) => {
    const { code, stdout } = await run(main(`() => console.log("step ran")`, rest), killOnce("SIGTERM"));
    expect(stdout).not.toContain("fatal");
    for (const text of printed) expect(stdout).toContain(`"output":"${text}"`);
    expect(code).toBe(0);
  });

  it.each([
    ["SIGTERM", 143],
    ["SIGINT", 130],
  ] as const)("%s ends a task at once, which isn't done", async (signal, expected) => {
    const work = `async () => { setInterval(() => {}, 1_000); console.log("started"); await new Promise(() => {}); }`;
    const task = `process.argv[2] = "--work"; runMain("test", async () => {}, {
      tasks: [{ argument: "--work", summary: "works", run: ${work} }],
    });`;
    const { code, stdout } = await run(task, killOnce(signal));
    expect(stdout).toContain(`"signal":"${signal}","msg":"ended before the work was done"`);
    expect(code).toBe(expected);
  });

  it("exits with 1 where a step fails", async () => {
    const { code } = await run(main(`() => { throw new Error("boom"); }`), killOnce("SIGTERM"));
    expect(code).toBe(1);
  });

  it("a second signal exits at once with 1", async () => {
    const first = killOnce("SIGTERM");
    const { code } = await run(
      main(`() => { console.log("step hangs"); return new Promise(() => {}); }`),
      (output, kill) => {
        first(output, kill);
        if (output.includes("step hangs")) kill("SIGINT");
      },
    );
    expect(code).toBe(1);
  });
});
