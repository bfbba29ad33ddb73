import type { Browser, BrowserContextOptions } from "playwright-core";
import { afterAll, beforeAll, onTestFinished } from "vitest";
import { APPLICATION_HOST, ARRIVAL_HOST } from "../applications/application-site.ts";
import { selfSignedCertificate } from "../processes/tls-certificate.ts";
import { launchBrowser } from "./browser.ts";
import { AUTH_HOST, type SignInSite, startSignInSite } from "./sign-in-site.ts";
import { Visitor } from "./sign-in-visitor.ts";

export interface SignInVisits {
  readonly site: () => SignInSite;
  /** Somebody new, with a browser of their own until the test's end. */
  visitor(options?: BrowserContextOptions): Promise<Visitor>;
}

/** Starts one site, and one browser that finds it, for the tests of a file. */
export function signInVisits(): SignInVisits {
  let started: { readonly browser: Browser; readonly site: SignInSite } | undefined;
  beforeAll(async () => {
    const hosts = [AUTH_HOST, APPLICATION_HOST, ARRIVAL_HOST] as const;
    const site = await startSignInSite(await selfSignedCertificate(...hosts));
    started = { site, browser: await launchBrowser(...hosts) };
  });
  afterAll(async () => {
    await started?.browser.close();
    await started?.site.stop();
  });
  const running = () => {
    if (started === undefined) throw new Error("the site is there within a test only");
    return started;
  };
  return {
    site: () => running().site,
    visitor: async (options) => {
      const visitor = await Visitor.open(running().site, running().browser, options);
      onTestFinished(() => visitor.leave());
      return visitor;
    },
  };
}
