import { expect, it } from "vitest";
import { processUrls } from "./service-processes.ts";

const PODS = [
  { address: "fd00::1", family: 6 },
  { address: "10.0.0.1", family: 4 },
  { address: "10.0.0.2", family: 4 },
];

it.each<[string, string, typeof PODS, readonly object[]]>([
  ["an address", "http://127.0.0.1:8081", PODS, [{ url: "http://127.0.0.1:8081" }]],
  ["an IPv6 address", "https://[::1]:8081", PODS, [{ url: "https://[::1]:8081" }]],
  [
    "the name of several processes",
    "https://auth.example:8083",
    PODS,
    [
      { url: "https://10.0.0.1:8083/", servername: "auth.example" },
      { url: "https://10.0.0.2:8083/", servername: "auth.example" },
    ],
  ],
  [
    "a name with IPv6 addresses only",
    "http://auth:8083",
    PODS.slice(0, 1),
    [{ url: "http://[fd00::1]:8083/", servername: "auth" }],
  ],
  ["a name without an address", "http://auth:8083", [], [{ url: "http://auth:8083" }]],
])("%s is asked at each process behind it", async (_, configured, addresses, urls) => {
  expect(await processUrls(configured, async () => addresses)).toEqual(urls);
});

it("a name that can't be looked up is asked itself, which says why", async () => {
  const failing = () => Promise.reject(new Error("ENOTFOUND"));
  expect(await processUrls("http://auth:8083", failing)).toEqual([{ url: "http://auth:8083" }]);
});
