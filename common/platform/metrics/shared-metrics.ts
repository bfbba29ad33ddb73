import { Counter, type CounterConfiguration, Histogram, type HistogramConfiguration, type Registry } from "prom-client";

/** Returns the counter of a name that a registry has already, else makes it: what a process has several times shares its metrics. */
export function sharedCounter<Label extends string>(
  registry: Registry,
  configuration: Omit<CounterConfiguration<Label>, "registers">,
): Counter<Label> {
  const present = registry.getSingleMetric(configuration.name);
  return present instanceof Counter ? present : new Counter({ ...configuration, registers: [registry] });
}

/** Returns a histogram as `sharedCounter` does a counter. */
export function sharedHistogram<Label extends string>(
  registry: Registry,
  configuration: Omit<HistogramConfiguration<Label>, "registers">,
): Histogram<Label> {
  const present = registry.getSingleMetric(configuration.name);
  return present instanceof Histogram ? present : new Histogram({ ...configuration, registers: [registry] });
}
