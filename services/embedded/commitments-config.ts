import type { CommitmentsConfig } from "../commitments/config.ts";
import type { EmbeddedConfig } from "./config.ts";
import { readOrCreateKeyEncryptionKey } from "./key-encryption-key-file.ts";

/** The configuration of the commitments service, with a key for the secrets of webhooks. It may create the key's file. */
export function embeddedCommitmentsConfig({
  commitments,
  dataDir,
}: Pick<EmbeddedConfig, "commitments" | "dataDir">): CommitmentsConfig {
  const { webhooks } = commitments;
  if (webhooks.keyEncryptionKey !== undefined) return commitments;
  const keyEncryptionKey = Buffer.from(readOrCreateKeyEncryptionKey(dataDir), "base64url");
  return { ...commitments, webhooks: { ...webhooks, keyEncryptionKey } };
}
