import { expect, it } from "vitest";
import { type KubernetesObject, podsOf, renderChart, valuesFile } from "../support/repository/chart.ts";

/**
 * Why a container whose only calls are at its start outlasts its pod's first second, in which the network's policies may not let it out
 * yet: by its last arguments, or by what the tests of `helm test` show.
 */
const WAITS: readonly [RegExp, (container: KubernetesObject) => boolean][] = [
  [
    /^Job migrations|^Deployment .* await-migrations$/,
    ({ args }) => /^--(migrate|await-migrations)$/.test(args.at(-1)),
  ],
  [/^CronJob .*-check /, ({ args }) => args.at(-1) === "--retry"],
  [
    /^CronJob /,
    ({ env }) => env.some(({ name, value }: KubernetesObject) => name === "CONNECT_RETRY" && value !== "0s"),
  ],
  [/^Pod test public-read$/, ({ args }) => Number(args.at(-1)) > 0],
];

it("every container of the chart that ends by itself waits for its first connection", async () => {
  const pods = podsOf(await renderChart("--values", valuesFile("default"), "--set", "keyRotation.enabled=true"));
  const ending = pods.flatMap(({ owner, spec }) => {
    const { initContainers = [], containers } = spec as KubernetesObject;
    const own: KubernetesObject[] = owner.startsWith("Deployment")
      ? initContainers
      : [...initContainers, ...containers];
    return own.map((container) => ({ name: `${owner} ${container["name"]}`, container }));
  });
  expect(ending.length).toBeGreaterThan(5);
  for (const { name, container } of ending) {
    const [, waits] = WAITS.find(([pattern]) => pattern.test(name)) ?? [];
    expect(waits?.(container), name).toBe(true);
  }
});
