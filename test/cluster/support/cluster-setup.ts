import type { TestProject } from "vitest/node";
import type { ClusterAccess } from "./api.ts";
import { startCluster } from "./cluster.ts";
import { installDefinitions } from "./definitions.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** The API server that all test files share, each with namespaces of its own. */
    cluster: ClusterAccess;
  }
}

/** Starts the one control plane of a run, with the kinds of objects of other operators that the chart uses; returns its end. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const cluster = await startCluster();
  try {
    await installDefinitions(cluster.access);
  } catch (error) {
    await cluster.stop();
    throw error;
  }
  project.provide("cluster", cluster.access);
  return () => cluster.stop();
}
