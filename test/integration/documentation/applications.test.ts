import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PageBrowser } from "../../../gateway/testing/page-browser.ts";
import {
  type DocumentedDeployment,
  startDocumentedDeployment,
} from "../../support/applications/documented-application.ts";
import { signInByPages } from "../../support/pages/page-sign-in.ts";
import { runShell } from "../../support/processes/shell.ts";
import { onlyCodeBlock } from "../../support/repository/markdown.ts";
import { readRepository } from "../../support/repository/repository.ts";

let deployment: DocumentedDeployment;
beforeAll(async () => {
  deployment = await startDocumentedDeployment();
});
afterAll(() => deployment?.stop());

describe("docs/sign-in-native.md", () => {
  const document = "docs/sign-in-native.md";

  it("has a program that signs in on a port of its own, with a key of its own", async () => {
    const env = { CLIENT_ID: await deployment.register(document) };
    const program = await deployment.startProgram(onlyCodeBlock(readRepository(document), "js"), env, /^open /);
    const [, authorizeUrl = ""] = await program.waitForLine(/^open (\S+)/);
    const { mailFolder } = deployment;
    const callback = await signInByPages({ authorizeUrl, email: "native@example.com", mailFolder });
    expect(await (await fetch(callback)).text()).toBe("You are signed in, and can close this window.\n");
    expect(await program.exited).toEqual({ code: 0, signal: null });
    expect(program.output()).toMatch(/^signed in: [\w-]{43} by otp\nstill signed in: true$/m);
  });
});

describe("docs/sign-in-backend.md", () => {
  const document = "docs/sign-in-backend.md";

  it("has a server with a key of its own that hands in its requests, and signs out everywhere", async () => {
    await runShell(onlyCodeBlock(readRepository("docs/confidential-applications.md"), "sh"), deployment.folder);
    const env = { CLIENT_ID: await deployment.register(document) };
    const program = await deployment.startProgram(onlyCodeBlock(readRepository(document), "js"), env, /^listening/);
    const user = new PageBrowser(`http://localhost:${deployment.port}`);
    // Browsers send the cookies of a host to all its ports.
    user.cookies.set("tidemark-session", "another-server-s");
    const { leftTo: authorizeUrl = "" } = await user.open("/sign-in");
    expect([...new URL(authorizeUrl).searchParams.keys()].toSorted()).toEqual(["client_id", "request_uri"]);
    const { mailFolder } = deployment;
    const callback = await signInByPages({ authorizeUrl, email: "backend@example.com", mailFolder });
    const home = await user.open(callback.pathname + callback.search);
    expect([home.path, home.html]).toEqual(["/", expect.stringMatching(/^Hello [\w-]{43}\n$/)]);
    expect((await user.open("/refresh")).html).toBe("active: true\n");
    const { leftTo: logoutUrl = "" } = await user.open("/sign-out");
    expect(logoutUrl).toMatch(`${deployment.issuer}/`);
    expect((await user.open("/")).html).toBe("Sign in at /sign-in\n");
    await program.kill();
  });
});
