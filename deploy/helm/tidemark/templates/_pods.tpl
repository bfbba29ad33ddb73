{{- define "tidemark.podSecurityContext" -}}
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
fsGroup: 65532
fsGroupChangePolicy: OnRootMismatch
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "tidemark.securityContext" -}}
allowPrivilegeEscalation: false
capabilities: { drop: [ALL] }
privileged: false
readOnlyRootFilesystem: true
runAsNonRoot: true
runAsUser: 65532
runAsGroup: 65532
seccompProfile: { type: RuntimeDefault }
{{- end -}}

{{- define "tidemark.imageFields" -}}
image: {{ include "tidemark.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- end -}}

{{/* Volumes of a component: /tmp, files from Secrets and ConfigMaps, service account tokens. Arguments: root, name. */}}
{{- define "tidemark.volumes" -}}
{{- $own := include (printf "tidemark.settings.%s" .name) .root | fromYaml -}}
- name: tmp
  emptyDir: { sizeLimit: 64Mi }
{{- with include "tidemark.files" . | fromYamlArray }}
- name: settings
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      - {{ ternary "configMap" "secret" (hasKey . "configMap") }}:
          name: {{ .configMap | default .secret }}
          items: [{ key: {{ .key | quote }}, path: {{ .path }} }]
      {{- end }}
{{- end }}
{{- if .root.Values.callers.tokens.enabled }}
{{- with $own.audiences }}
- name: tokens
  projected:
    defaultMode: 0440
    sources:
      {{- range . }}
      - serviceAccountToken:
          audience: {{ . }}
          expirationSeconds: {{ $.root.Values.callers.tokens.expirationSeconds }}
          path: {{ . }}
      {{- end }}
{{- end }}
{{- if hasKey $own.config "CALLER_TOKEN_JWKS_BEARER_FILE" }}
- name: issuer-token
  projected:
    defaultMode: 0440
    sources:
      - serviceAccountToken:
          expirationSeconds: {{ .root.Values.callers.tokens.expirationSeconds }}
          path: token
{{- end }}
{{- end }}
{{- end -}}

{{/* Mounts of these volumes. Arguments: root, name. */}}
{{- define "tidemark.volumeMounts" -}}
{{- $own := include (printf "tidemark.settings.%s" .name) .root | fromYaml -}}
- { name: tmp, mountPath: /tmp }
{{- if include "tidemark.files" . | fromYamlArray }}
- { name: settings, mountPath: /etc/tidemark, readOnly: true }
{{- end }}
{{- if .root.Values.callers.tokens.enabled }}
{{- if $own.audiences }}
- { name: tokens, mountPath: /var/run/tidemark/tokens, readOnly: true }
{{- end }}
{{- if hasKey $own.config "CALLER_TOKEN_JWKS_BEARER_FILE" }}
- { name: issuer-token, mountPath: /var/run/tidemark/issuer, readOnly: true }
{{- end }}
{{- end }}
{{- end -}}

{{/* Topology spread constraints over zones and nodes. Arguments: root, name. */}}
{{- define "tidemark.spread" -}}
{{- range list "topology.kubernetes.io/zone" "kubernetes.io/hostname" }}
- maxSkew: 1
  topologyKey: {{ . }}
  whenUnsatisfiable: ScheduleAnyway
  labelSelector:
    matchLabels:
      {{- include "tidemark.selector" $ | nindent 6 }}
  matchLabelKeys: [pod-template-hash]
{{- end }}
{{- end -}}

{{- define "tidemark.affinity" -}}
podAntiAffinity:
  preferredDuringSchedulingIgnoredDuringExecution:
    - weight: 100
      podAffinityTerm:
        topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "tidemark.selector" . | nindent 12 }}
{{- end -}}

{{/* Init container that ends as soon as the Job has run the migrations. Arguments: root, name, own (the component's settings). */}}
{{- define "tidemark.awaitMigrations" -}}
- name: await-migrations
  {{- include "tidemark.imageFields" .root | nindent 2 }}
  args: [{{ .own.main }}, --await-migrations]
  envFrom:
    - configMapRef: { name: {{ include "tidemark.name" . }} }
  securityContext:
    {{- include "tidemark.securityContext" .root | nindent 4 }}
  resources:
    {{- toYaml .root.Values.migrations.resources | nindent 4 }}
  volumeMounts:
    {{- include "tidemark.volumeMounts" . | nindent 4 }}
{{- end -}}

{{- define "tidemark.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: admin }
  periodSeconds: 2
  timeoutSeconds: 2
  failureThreshold: 60
livenessProbe:
  httpGet: { path: /healthz, port: admin }
  periodSeconds: 10
  timeoutSeconds: 5
  failureThreshold: 6
readinessProbe:
  httpGet: { path: /readyz, port: admin }
  periodSeconds: 3
  timeoutSeconds: 2
  failureThreshold: 2
{{- end -}}
