{{/*
What all pods of the chart have in common in their `spec`: their rights, and where they may run. Arguments: root; optional:
values, those of the pod, whose own nodeSelector, tolerations and priorityClassName come before those of all pods.
*/}}
{{- define "tidemark.podFields" -}}
{{- $values := .values | default dict -}}
{{- $all := .root.Values.pods -}}
automountServiceAccountToken: false
enableServiceLinks: false
{{- with $all.securityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with .root.Values.imagePullSecrets }}
imagePullSecrets:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.priorityClassName | default $all.priorityClassName }}
priorityClassName: {{ . }}
{{- end }}
{{- with $values.nodeSelector | default $all.nodeSelector }}
nodeSelector:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- with $values.tolerations | default $all.tolerations }}
tolerations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{/* Image and rights of a container. */}}
{{- define "tidemark.containerFields" -}}
image: {{ include "tidemark.image" . | quote }}
imagePullPolicy: {{ .Values.image.pullPolicy }}
{{- with .Values.pods.containerSecurityContext }}
securityContext:
  {{- toYaml . | nindent 2 }}
{{- end }}
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

{{/* Topology spread constraints over zones and nodes; the scheduler heeds none of them on nodes without a zone. Arguments: root, name. */}}
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

{{/* Preference for nodes without a pod of the same component and template. Arguments: root, name. */}}
{{- define "tidemark.affinity" -}}
podAntiAffinity:
  preferredDuringSchedulingIgnoredDuringExecution:
    - weight: 100
      podAffinityTerm:
        topologyKey: kubernetes.io/hostname
        labelSelector:
          matchLabels:
            {{- include "tidemark.selector" . | nindent 12 }}
        # Without it, new pods avoid the old ones of an upgrade too, and may meet on one node. Kubernetes 1.30 ignores the field.
        matchLabelKeys: [pod-template-hash]
{{- end -}}

{{/* Init container that ends as soon as the Job has run the migrations. Arguments: root, name, own (the component's settings). */}}
{{- define "tidemark.awaitMigrations" -}}
- name: await-migrations
  {{- include "tidemark.containerFields" .root | nindent 2 }}
  args: [{{ .own.main }}, --await-migrations]
  envFrom:
    - configMapRef: { name: {{ include "tidemark.name" . }} }
  resources:
    {{- toYaml .root.Values.migrations.resources | nindent 4 }}
  volumeMounts:
    {{- include "tidemark.volumeMounts" . | nindent 4 }}
{{- end -}}

{{/* Probes. Argument: their times by the probes' names. */}}
{{- define "tidemark.probes" -}}
startupProbe:
  httpGet: { path: /healthz, port: admin }
  {{- toYaml .startup | nindent 2 }}
livenessProbe:
  httpGet: { path: /healthz, port: admin }
  {{- toYaml .liveness | nindent 2 }}
readinessProbe:
  httpGet: { path: /readyz, port: admin }
  {{- toYaml .readiness | nindent 2 }}
{{- end -}}
