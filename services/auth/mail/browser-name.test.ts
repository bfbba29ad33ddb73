import { describe, expect, it } from "vitest";
import { browserName } from "./browser-name.ts";

const CHROME = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36";

describe("browserName", () => {
  it.each([
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
    ["Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Linux"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME}`, "Chrome on Windows"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Edg/141.0.0.0`, "Edge on Windows"],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} OPR/120.0.0.0`, "Opera on Windows"],
    [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME}`, "Chrome on Android"],
    [`Mozilla/5.0 (Linux; Android 10; K) SamsungBrowser/28.0 ${CHROME}`, "Samsung Internet on Android"],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME}`, "Chrome on ChromeOS"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
      "Safari on macOS",
    ],
    [
      "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
      "Safari on iPhone",
    ],
    [
      "Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0 Mobile/15E148 Safari/604.1",
      "Chrome on iPad",
    ],
    ["Firefox/140.0", "Firefox"],
    ["Thing/1 (Windows NT 10.0)", "a browser on Windows"],
    ["curl/8.0", "an unknown browser"],
    ["", "an unknown browser"],
  ])("%s is called %s", (userAgent, name) => {
    expect(browserName(userAgent, "en")).toBe(name);
  });

  it("copies no text from the header", () => {
    expect(browserName("<b>Your account is locked, call 555</b> Firefox/1 Windows", "en")).toBe("Firefox on Windows");
  });
});
