import type { CommitmentsConfig } from "../commitments/config.ts";
import type { EmbeddedConfig } from "./config.ts";
import { readOrCreateKeyEncryptionKey } from "./key-encryption-key-file.ts";

/** The configuration of the commitments service, with a key for the secrets of webhooks. By default it creates a key's file that is missing. */
export function embeddedCommitmentsConfig(
  { commitments, dataDir }: Pick<EmbeddedConfig, "commitments" | "dataDir">,
  keyOf = readOrCreateKeyEncryptionKey,
): CommitmentsConfig {
  const { webhooks } = commitments;
  if (webhooks.keyEncryptionKey !== undefined) return commitments;
  const keyEncryptionKey = Buffer.from(keyOf(dataDir), "base64url");
  return { ...commitments, webhooks: { ...webhooks, keyEncryptionKey } };
}
