{{/*
Settings of each component, as YAML: `main`, its entry file; `port` and `portName`; `config`, its environment variables;
`files`, variables whose values are files from Secrets and ConfigMaps (env, path, key, and secret or configMap); `audiences`,
the services for which it needs tokens.
*/}}

{{- define "tidemark.settings.gateway" -}}
main: gateway/main.ts
port: 8080
portName: http
config:
  GATEWAY_PORT: "8080"
  PUBLIC_PATH_PREFIX: {{ .Values.urls.publicPathPrefix | quote }}
  TRUSTED_PROXIES: {{ .Values.gateway.trustedProxies | toString | quote }}
  COMMITMENTS_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "commitments" "port" 8081) }}
  {{- if .Values.auth.enabled }}
  AUTH_RPC_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "auth" "port" 8083) }}
  AUTH_URL: {{ .Values.urls.auth | quote }}
  {{- with .Values.urls.publicBase }}
  PUBLIC_BASE_URL: {{ . | quote }}
  {{- end }}
  {{- end }}
  {{- if has "indexer" (include "tidemark.gatewayCalls" . | fromYamlArray) }}
  INDEXER_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "indexer" "port" 8082) }}
  {{- end }}
  {{- include "tidemark.entities.url" . | nindent 2 }}
  {{- if include "tidemark.hasVendor" . }}
  IDENTITY_CALLBACKS: "on"
  {{- end }}
  {{- include "tidemark.nats.config" . | nindent 2 }}
  {{- include "tidemark.client.config" (dict "root" . "name" "gateway") | nindent 2 }}
  {{- if .Values.callers.keys.gatewayStatusSecretName }}
  GATEWAY_RPC_PORT: "8085"
  {{- end }}
files:
  {{- include "tidemark.nats.files" (dict "root" . "secret" .Values.nats.credentials.gatewaySecretName) | nindent 2 }}
  {{- include "tidemark.client.files" (dict "root" . "secret" .Values.callers.keys.gatewaySecretName) | nindent 2 }}
  {{- with .Values.callers.keys.gatewayStatusSecretName }}
  {{- include "tidemark.ownServer.files" (dict "root" $ "name" "gateway" "secret" .) | nindent 2 }}
  {{- end }}
audiences:
  {{- range include "tidemark.gatewayCalls" . | fromYamlArray }}
  - tidemark.{{ . }}
  {{- end }}
{{- end -}}

{{- define "tidemark.settings.commitments" -}}
main: services/commitments/main.ts
port: 8081
portName: rpc
config:
  COMMITMENTS_PORT: "8081"
  {{- include "tidemark.database.config" . | nindent 2 }}
  {{- include "tidemark.nats.config" . | nindent 2 }}
  {{- if .Values.nats.enabled }}
  NATS_STREAM_REPLICAS: {{ .Values.nats.stream.replicas | toString | quote }}
  NATS_STREAM_MAX_BYTES: {{ .Values.nats.stream.maxBytes | quote }}
  NATS_STREAM_MAX_AGE: {{ .Values.nats.stream.maxAge | quote }}
  {{- end }}
  {{- include "tidemark.server.config" (dict "root" . "names" (include "tidemark.commitmentsCallers" . | fromYamlArray)) | nindent 2 }}
  {{- if .Values.auth.enabled }}
  AUTH_RPC_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "auth" "port" 8083) }}
  AUTH_URL: {{ .Values.urls.auth | quote }}
  {{- end }}
  {{- if .Values.indexer.enabled }}
  INDEXER_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "indexer" "port" 8082) }}
  {{- end }}
  {{- include "tidemark.entities.url" . | nindent 2 }}
  {{- if include "tidemark.commitmentsCalls" . | fromYamlArray }}
  {{- include "tidemark.client.config" (dict "root" . "name" "commitments") | nindent 2 }}
  {{- end }}
files:
  {{- include "tidemark.database.files" . | nindent 2 }}
  {{- with include "tidemark.webhookSecret" . }}
  - { env: KEY_ENCRYPTION_KEY_FILE, path: key-encryption-key, key: {{ $.Values.keyEncryptionKey.key | quote }}, secret: {{ . }} }
  {{- end }}
  {{- include "tidemark.otherKey.files" (dict "root" . "own" .Values.keyEncryptionKey.commitmentsSecretName "other" .Values.keyEncryptionKey.otherCommitmentsSecretName) | nindent 2 }}
  {{- include "tidemark.nats.files" (dict "root" . "secret" .Values.nats.credentials.commitmentsSecretName) | nindent 2 }}
  {{- include "tidemark.server.files" (dict "root" . "name" "commitments" "secret" .Values.callers.keys.commitmentsSecretName) | nindent 2 }}
  {{- if include "tidemark.commitmentsCalls" . | fromYamlArray }}
  {{- include "tidemark.client.files" (dict "root" . "secret" .Values.callers.keys.commitmentsSecretName) | nindent 2 }}
  {{- end }}
audiences:
  {{- range include "tidemark.commitmentsCalls" . | fromYamlArray }}
  - tidemark.{{ . }}
  {{- end }}
{{- end -}}

{{/* The second key of a service while its key changes: with a Secret of its own, another one of its own, else that of auth. */}}
{{- define "tidemark.otherKey.files" -}}
{{- $keys := .root.Values.keyEncryptionKey -}}
{{- with ternary .other $keys.otherSecretName (ne .own "") -}}
- { env: KEY_ENCRYPTION_KEY_OTHER_FILE, path: key-encryption-key-other, key: {{ $keys.key | quote }}, secret: {{ . }} }
{{- end -}}
{{- end -}}

{{/* Secret with the key that wraps the secrets of webhooks; empty for none: then there are no webhooks. */}}
{{- define "tidemark.webhookSecret" -}}
{{- .Values.keyEncryptionKey.commitmentsSecretName | default .Values.keyEncryptionKey.secretName -}}
{{- end -}}

{{- define "tidemark.settings.indexer" -}}
main: services/indexer/main.ts
port: 8082
portName: rpc
config:
  INDEXER_PORT: "8082"
  COMMITMENTS_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "commitments" "port" 8081) }}
  {{- include "tidemark.server.config" (dict "root" . "names" (include "tidemark.indexerCallers" . | fromYamlArray)) | nindent 2 }}
  {{- include "tidemark.client.config" (dict "root" . "name" "indexer") | nindent 2 }}
files:
  {{- with .Values.chains.secretName }}
  - { env: CHAINS_FILE, path: chains.json, key: {{ $.Values.chains.key | quote }}, secret: {{ . }} }
  {{- end }}
  {{- include "tidemark.server.files" (dict "root" . "name" "indexer" "secret" .Values.callers.keys.indexerSecretName) | nindent 2 }}
  {{- include "tidemark.client.files" (dict "root" . "secret" .Values.callers.keys.indexerSecretName) | nindent 2 }}
audiences: [tidemark.commitments]
{{- end -}}

{{- define "tidemark.settings.auth" -}}
main: services/auth/main.ts
port: 8083
portName: rpc
config:
  AUTH_PORT: "8083"
  AUTH_URL: {{ .Values.urls.auth | quote }}
  FOUNDERS: {{ .Values.auth.founders | quote }}
  MAIL_FROM: {{ .Values.mail.from | quote }}
  COMMITMENTS_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "commitments" "port" 8081) }}
  {{- include "tidemark.entities.url" . | nindent 2 }}
  {{- include "tidemark.database.config" . | nindent 2 }}
  {{- include "tidemark.server.config" (dict "root" . "names" (include "tidemark.authCallers" . | fromYamlArray)) | nindent 2 }}
  {{- include "tidemark.client.config" (dict "root" . "name" "auth") | nindent 2 }}
files:
  {{- include "tidemark.database.files" . | nindent 2 }}
  - { env: KEY_ENCRYPTION_KEY_FILE, path: key-encryption-key, key: {{ .Values.keyEncryptionKey.key | quote }}, secret: {{ .Values.keyEncryptionKey.secretName }} }
  {{- include "tidemark.otherKey.files" (dict "root" . "own" "" "other" "") | nindent 2 }}
  - { env: SMTP_URL_FILE, path: smtp-url, key: {{ .Values.mail.key | quote }}, secret: {{ .Values.mail.secretName }} }
  {{- include "tidemark.server.files" (dict "root" . "name" "auth" "secret" .Values.callers.keys.authSecretName) | nindent 2 }}
  {{- include "tidemark.client.files" (dict "root" . "secret" .Values.callers.keys.authSecretName) | nindent 2 }}
audiences:
  {{- range include "tidemark.authCalls" . | fromYamlArray }}
  - tidemark.{{ . }}
  {{- end }}
{{- end -}}

{{- define "tidemark.settings.entities" -}}
main: services/entities/main.ts
port: 8084
portName: rpc
config:
  ENTITIES_PORT: "8084"
  IDENTITY_PROVIDER: {{ .Values.entities.identity.provider }}
  {{- with .Values.entities.identity.reviewers }}
  REVIEWERS: {{ join "," . | quote }}
  {{- end }}
  {{- if include "tidemark.hasVendor" . }}
  IDENTITY_PROTOCOL: {{ .Values.entities.identity.protocol }}
  IDENTITY_START_URL: {{ .Values.entities.identity.startUrl | quote }}
  {{- end }}
  {{- with .Values.entities.permitSigner.url }}
  PERMIT_SIGNER_URL: {{ . | quote }}
  {{- end }}
  AUTH_URL: {{ .Values.urls.auth | quote }}
  COMMITMENTS_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "commitments" "port" 8081) }}
  AUTH_RPC_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "auth" "port" 8083) }}
  INDEXER_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "indexer" "port" 8082) }}
  {{- include "tidemark.database.config" . | nindent 2 }}
  {{- include "tidemark.server.config" (dict "root" . "names" (include "tidemark.entitiesCallers" . | fromYamlArray)) | nindent 2 }}
  {{- include "tidemark.client.config" (dict "root" . "name" "entities") | nindent 2 }}
files:
  {{- include "tidemark.database.files" . | nindent 2 }}
  - { env: KEY_ENCRYPTION_KEY_FILE, path: key-encryption-key, key: {{ .Values.keyEncryptionKey.key | quote }}, secret: {{ .Values.keyEncryptionKey.entitiesSecretName | default .Values.keyEncryptionKey.secretName }} }
  {{- include "tidemark.otherKey.files" (dict "root" . "own" .Values.keyEncryptionKey.entitiesSecretName "other" .Values.keyEncryptionKey.otherEntitiesSecretName) | nindent 2 }}
  {{- with .Values.entities.identity }}
  {{- if .webhookSecretName }}
  - { env: IDENTITY_WEBHOOK_SECRET_FILE, path: identity-webhook-secret, key: {{ .webhookKey | quote }}, secret: {{ .webhookSecretName }} }
  {{- end }}
  {{- end }}
  {{- with .Values.entities.permitSigner }}
  {{- if .url }}
  - { env: PERMIT_SIGNER_SECRET_FILE, path: permit-signer-secret, key: {{ .key | quote }}, secret: {{ .secretName }} }
  {{- end }}
  {{- end }}
  {{- include "tidemark.server.files" (dict "root" . "name" "entities" "secret" .Values.callers.keys.entitiesSecretName) | nindent 2 }}
  {{- include "tidemark.client.files" (dict "root" . "secret" .Values.callers.keys.entitiesSecretName) | nindent 2 }}
audiences:
  {{- range include "tidemark.entitiesCalls" . | fromYamlArray }}
  - tidemark.{{ . }}
  {{- end }}
{{- end -}}

{{/* Whether a vendor checks identities, whose callbacks the gateway takes. */}}
{{- define "tidemark.hasVendor" -}}
{{- if and (include "tidemark.hasEntities" .) (eq .Values.entities.identity.provider "webhook") -}}true{{- end -}}
{{- end -}}

{{/* `ENTITIES_URL` of components that call the entities service, if the release runs it. */}}
{{- define "tidemark.entities.url" -}}
{{- if include "tidemark.hasEntities" . -}}
ENTITIES_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "entities" "port" 8084) }}
{{- end -}}
{{- end -}}

{{/* The operator's command. */}}
{{- define "tidemark.settings.operator" -}}
main: services/cli/main.ts
config:
  COMMITMENTS_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "commitments" "port" 8081) }}
  AUTH_RPC_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "auth" "port" 8083) }}
  INDEXER_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "indexer" "port" 8082) }}
  ENTITIES_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "entities" "port" 8084) }}
  # A pod's first connections may come before the policies that allow them.
  CONNECT_RETRY: 15s
  {{- if .Values.callers.keys.gatewayStatusSecretName }}
  GATEWAY_RPC_URL: {{ include "tidemark.rpcUrl" (dict "root" . "name" "gateway-status" "port" 8085) }}
  {{- end }}
  {{- include "tidemark.client.config" (dict "root" . "name" "operator") | nindent 2 }}
files:
  {{- include "tidemark.client.files" (dict "root" . "secret" .Values.callers.keys.operatorSecretName) | nindent 2 }}
  {{- with .Values.callers.keys.gatewayStatusSecretName }}
  - { env: GATEWAY_CALLER_KEY_FILE, path: gateway-caller-key, key: caller-key, secret: {{ . }} }
  {{- end }}
audiences: [tidemark.commitments, tidemark.auth, tidemark.indexer, tidemark.entities]
{{- end -}}

{{- define "tidemark.database.config" -}}
MIGRATIONS: "off"
MYSQL_POOL_SIZE: {{ .Values.database.poolSize | toString | quote }}
{{- end -}}

{{- define "tidemark.database.files" -}}
- { env: MYSQL_URL_FILE, path: mysql-url, key: {{ .Values.database.key | quote }}, secret: {{ .Values.database.secretName }} }
{{- include "tidemark.authority" (dict "env" "MYSQL_CA_FILE" "path" "mysql-ca.crt" "ca" .Values.database.ca) }}
{{- end -}}

{{- define "tidemark.nats.config" -}}
{{- if .Values.nats.enabled -}}
NATS_URL: {{ .Values.nats.url | quote }}
{{- end -}}
{{- end -}}

{{- define "tidemark.nats.files" -}}
{{- if .root.Values.nats.enabled -}}
{{- include "tidemark.authority" (dict "env" "NATS_CA_FILE" "path" "nats-ca.crt" "ca" .root.Values.nats.ca) }}
{{- if eq .root.Values.nats.credentials.kind "creds" }}
- { env: NATS_CREDS_FILE, path: nats.creds, key: creds, secret: {{ .secret }} }
{{- else if eq .root.Values.nats.credentials.kind "password" }}
- { env: NATS_USER_FILE, path: nats-user, key: user, secret: {{ .secret }} }
- { env: NATS_PASSWORD_FILE, path: nats-password, key: password, secret: {{ .secret }} }
{{- else if eq .root.Values.nats.credentials.kind "token" }}
- { env: NATS_TOKEN_FILE, path: nats-token, key: token, secret: {{ .secret }} }
{{- end }}
{{- end -}}
{{- end -}}

{{/* File with a CA certificate. Arguments: env, path, ca. */}}
{{- define "tidemark.authority" -}}
{{- if .ca.configMapName }}
- { env: {{ .env }}, path: {{ .path }}, key: {{ .ca.key | quote }}, configMap: {{ .ca.configMapName }} }
{{- else if .ca.secretName }}
- { env: {{ .env }}, path: {{ .path }}, key: {{ .ca.key | quote }}, secret: {{ .ca.secretName }} }
{{- end }}
{{- end -}}

{{/* Variables with which a component authenticates its calls. Arguments: root, name. */}}
{{- define "tidemark.client.config" -}}
{{- if .root.Values.callers.tokens.enabled -}}
CALLER_TOKEN_DIR: /var/run/tidemark/tokens
{{- else -}}
CALLER_NAME: {{ .name }}
{{- end -}}
{{- end -}}

{{/* Files with which a component authenticates its calls. Arguments: root, secret. */}}
{{- define "tidemark.client.files" -}}
{{- if not .root.Values.callers.tokens.enabled }}
- { env: CALLER_KEY_FILE, path: caller-key, key: caller-key, secret: {{ .secret }} }
{{- end }}
{{- if .root.Values.rpcTls.enabled }}
{{- $ca := .root.Values.rpcTls.ca }}
{{- if and .root.Values.rpcTls.certManager.enabled (not $ca.configMapName) (not $ca.secretName) }}
{{- $ca = dict "configMapName" "" "secretName" (printf "%s-tls" (include "tidemark.name" (dict "root" .root "name" "commitments"))) "key" "ca.crt" }}
{{- end }}
{{- include "tidemark.authority" (dict "env" "RPC_CA_FILE" "path" "rpc-ca.crt" "ca" $ca) }}
{{- end }}
{{- end -}}

{{/* Variables with which a component authenticates its callers. Arguments: root, names (the allowed components). */}}
{{- define "tidemark.server.config" -}}
{{- with .root.Values.callers.tokens -}}
{{- if .enabled -}}
CALLER_TOKEN_ISSUER: {{ .issuer | quote }}
CALLER_SUBJECTS: {{ include "tidemark.subjects" $ | quote }}
{{- if not .jwks.configMapName }}
CALLER_TOKEN_JWKS_URL: {{ .jwks.url | quote }}
{{- if .jwks.sendToken }}
CALLER_TOKEN_JWKS_BEARER_FILE: /var/run/tidemark/issuer/token
{{- end }}
{{- end }}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Files with which a component authenticates its callers and serves TLS. Arguments: root, name, secret. */}}
{{- define "tidemark.server.files" -}}
{{- with .root.Values.callers.tokens }}
{{- if .enabled }}
{{- if .jwks.configMapName }}
- { env: CALLER_TOKEN_JWKS_FILE, path: jwks.json, key: {{ .jwks.configMapKey | quote }}, configMap: {{ .jwks.configMapName }} }
{{- else if .jwks.caConfigMapName }}
- { env: CALLER_TOKEN_CA_FILE, path: issuer-ca.crt, key: {{ .jwks.caKey | quote }}, configMap: {{ .jwks.caConfigMapName }} }
{{- end }}
{{- end }}
{{- end }}
{{- include "tidemark.ownServer.files" . }}
{{- end -}}

{{/* Those of them that need nothing of the tokens' issuer. Arguments: root, name, secret. */}}
{{- define "tidemark.ownServer.files" -}}
{{- if .secret }}
- { env: CALLER_KEYS_FILE, path: caller-keys, key: caller-keys, secret: {{ .secret }} }
{{- end }}
{{- if .root.Values.rpcTls.enabled }}
- { env: RPC_TLS_CERT_FILE, path: tls.crt, key: tls.crt, secret: {{ include "tidemark.tlsSecret" . }} }
- { env: RPC_TLS_KEY_FILE, path: tls.key, key: tls.key, secret: {{ include "tidemark.tlsSecret" . }} }
{{- end }}
{{- end -}}

{{/* Name of the Secret with a component's certificate. Arguments: root, name. */}}
{{- define "tidemark.tlsSecret" -}}
{{- get .root.Values.rpcTls.secretNames .name | default (printf "%s-tls" (include "tidemark.name" .)) -}}
{{- end -}}

{{/*
All environment variables of a component: those of every process, its own, the paths of its files, and last the `settings` of
the values. Arguments: root, name.
*/}}
{{- define "tidemark.config" -}}
{{- $own := include (printf "tidemark.settings.%s" .name) .root | fromYaml -}}
{{- $values := get .root.Values .name -}}
{{- $config := dict "HOST" .root.Values.host "ADMIN_PORT" "9090" "LOG_LEVEL" .root.Values.logLevel "DRAIN_DELAY" $values.drainDelay -}}
{{- with .root.Values.tracing -}}
{{- if .endpoint -}}
{{- $_ := set $config "OTEL_EXPORTER_OTLP_ENDPOINT" .endpoint -}}
{{- $_ := set $config "OTEL_TRACES_SAMPLER" .sampler -}}
{{- if contains "traceidratio" .sampler -}}
{{- $_ := set $config "OTEL_TRACES_SAMPLER_ARG" (toString .samplerArg) -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- $config = mergeOverwrite $config $own.config -}}
{{- range include "tidemark.files" . | fromYamlArray -}}
{{- $_ := set $config .env (printf "/etc/tidemark/%s" .path) -}}
{{- end -}}
{{- range $name, $value := $values.settings -}}
{{- $_ := set $config $name (include "tidemark.text" $value) -}}
{{- end -}}
{{- toYaml $config -}}
{{- end -}}

{{/* All files of a component, as a YAML list. Arguments: root, name. */}}
{{- define "tidemark.files" -}}
{{- $own := include (printf "tidemark.settings.%s" .name) .root | fromYaml -}}
{{- $files := $own.files | default list -}}
{{- with .root.Values.tracing -}}
{{- if and .endpoint .headersSecretName (ne $.name "operator") -}}
{{- $files = append $files (dict "env" "OTEL_EXPORTER_OTLP_HEADERS_FILE" "path" "otlp-headers" "key" .headersKey "secret" .headersSecretName) -}}
{{- end -}}
{{- end -}}
{{- toYaml $files -}}
{{- end -}}


{{/* Text of a setting. Helm reads numbers of values files as floating-point ones, which print as 1e+06. */}}
{{- define "tidemark.text" -}}
{{- if and (kindIs "float64" .) (eq (floor .) .) -}}
{{- printf "%.0f" . -}}
{{- else -}}
{{- toString . -}}
{{- end -}}
{{- end -}}
