/** Address of the host, of its nodes, and of what runs beside the cluster. */
export const HOST = "10.77.0.1";
/** Network of all pods; each node has a part of it. */
export const POD_NETWORK = "10.244.0.0/16";
/** Network of Services: that of the API server's flags. */
export const SERVICE_NETWORK = "10.96.0.0/16";
export const DNS_ADDRESS = "10.96.0.10";
export const REGISTRY_PORT = 5000;
/** Registry of the images in docs/kubernetes.md; containerd asks the static registry for them. */
export const REGISTRY = "registry.example.com";
