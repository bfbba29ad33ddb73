{{/* ServiceAccount, ConfigMap and Deployment of a component. Arguments: root, name. */}}
{{- define "tidemark.workload" -}}
{{- $own := include (printf "tidemark.settings.%s" .name) .root | fromYaml -}}
{{- $values := get .root.Values .name -}}
{{- $config := include "tidemark.config" . -}}
{{- if not $values.serviceAccountName -}}
apiVersion: v1
kind: ServiceAccount
metadata:
  {{- include "tidemark.metadata" (merge (dict "annotations" $values.serviceAccountAnnotations) .) | nindent 2 }}
automountServiceAccountToken: false
---
{{ end -}}
apiVersion: v1
kind: ConfigMap
metadata:
  {{- include "tidemark.metadata" . | nindent 2 }}
data:
  {{- $config | nindent 2 }}
---
apiVersion: apps/v1
kind: Deployment
metadata:
  {{- include "tidemark.metadata" . | nindent 2 }}
spec:
  {{- with include "tidemark.replicas" . }}
  replicas: {{ . }}
  {{- end }}
  revisionHistoryLimit: 5
  minReadySeconds: 5
  strategy:
    {{- toYaml ($values.strategy | default (dict "type" "RollingUpdate" "rollingUpdate" (dict "maxSurge" 1 "maxUnavailable" 0))) | nindent 4 }}
  selector:
    matchLabels:
      {{- include "tidemark.selector" . | nindent 6 }}
  template:
    metadata:
      labels:
        {{- merge (include "tidemark.labels" . | fromYaml) (dict "tidemark-metrics" "true") $values.podLabels | toYaml | nindent 8 }}
      annotations:
        checksum/config: {{ $config | sha256sum }}
        {{- with $values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "tidemark.serviceAccount" . }}
      {{- include "tidemark.podFields" (dict "root" .root "values" $values) | nindent 6 }}
      terminationGracePeriodSeconds: {{ $values.terminationGracePeriodSeconds }}
      affinity:
        {{- if $values.affinity }}
        {{- toYaml $values.affinity | nindent 8 }}
        {{- else }}
        {{- include "tidemark.affinity" . | nindent 8 }}
        {{- end }}
      topologySpreadConstraints:
        {{- if $values.topologySpreadConstraints }}
        {{- toYaml $values.topologySpreadConstraints | nindent 8 }}
        {{- else }}
        {{- include "tidemark.spread" . | nindent 8 }}
        {{- end }}
      {{- $waits := and (hasKey $own.config "MIGRATIONS") (eq .root.Values.migrations.mode "job") }}
      {{- if or $waits $values.extraInitContainers }}
      initContainers:
        {{- with $values.extraInitContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
        {{- if $waits }}
        {{- include "tidemark.awaitMigrations" (merge (dict "own" $own) .) | nindent 8 }}
        {{- end }}
      {{- end }}
      containers:
        - name: {{ .name }}
          {{- include "tidemark.containerFields" .root | nindent 10 }}
          args: [{{ $own.main }}]
          ports:
            - { name: {{ $own.portName }}, containerPort: {{ $own.port }} }
            {{- with $own.config.GATEWAY_RPC_PORT }}
            - { name: status, containerPort: {{ . }} }
            {{- end }}
            - { name: admin, containerPort: 9090 }
          envFrom:
            - configMapRef: { name: {{ include "tidemark.name" . }} }
          {{- with $values.extraEnv }}
          env:
            {{- toYaml . | nindent 12 }}
          {{- end }}
          {{- include "tidemark.probes" $values.probes | nindent 10 }}
          {{- if $values.preStopSeconds }}
          lifecycle:
            preStop:
              sleep: { seconds: {{ $values.preStopSeconds }} }
          {{- end }}
          resources:
            {{- toYaml $values.resources | nindent 12 }}
          volumeMounts:
            {{- include "tidemark.volumeMounts" . | nindent 12 }}
            {{- with $values.extraVolumeMounts }}
            {{- toYaml . | nindent 12 }}
            {{- end }}
        {{- with $values.extraContainers }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
      volumes:
        {{- include "tidemark.volumes" . | nindent 8 }}
        {{- with $values.extraVolumes }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
{{- end -}}

{{/*
Number of a component's pods. With autoscaling, the number that the cluster has: a Deployment that loses the field would have
one pod. Empty where there is no Deployment yet, or no cluster, as with `helm template`. Arguments: root, name.
*/}}
{{- define "tidemark.replicas" -}}
{{- $values := get .root.Values .name -}}
{{- if $values.autoscaling.enabled -}}
{{- with lookup "apps/v1" "Deployment" .root.Release.Namespace (include "tidemark.name" .) -}}
{{- .spec.replicas -}}
{{- end -}}
{{- else -}}
{{- $values.replicas -}}
{{- end -}}
{{- end -}}

{{/* HorizontalPodAutoscaler and PodDisruptionBudget of a component. Arguments: root, name. */}}
{{- define "tidemark.scaling" -}}
{{- $values := get .root.Values .name -}}
{{- with $values.autoscaling }}
{{- if .enabled }}
apiVersion: autoscaling/v2
kind: HorizontalPodAutoscaler
metadata:
  {{- include "tidemark.metadata" $ | nindent 2 }}
spec:
  scaleTargetRef: { apiVersion: apps/v1, kind: Deployment, name: {{ include "tidemark.name" $ }} }
  minReplicas: {{ .minReplicas }}
  maxReplicas: {{ .maxReplicas }}
  metrics:
    - type: Resource
      resource:
        name: cpu
        target: { type: Utilization, averageUtilization: {{ .targetCPUUtilizationPercentage }} }
    {{- with .metrics }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .behavior }}
  behavior:
    {{- toYaml . | nindent 4 }}
  {{- end }}
---
{{- end }}
{{- end }}
{{- with $values.podDisruptionBudget }}
{{- if .enabled }}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  {{- include "tidemark.metadata" $ | nindent 2 }}
spec:
  maxUnavailable: {{ .maxUnavailable }}
  # A pod that isn't ready serves nobody, so it may be evicted.
  unhealthyPodEvictionPolicy: AlwaysAllow
  selector:
    matchLabels:
      {{- include "tidemark.selector" $ | nindent 6 }}
{{- end }}
{{- end }}
{{- end -}}

{{/* Service of a component that answers RPCs. Arguments: root, name. */}}
{{- define "tidemark.rpcService" -}}
{{- $own := include (printf "tidemark.settings.%s" .name) .root | fromYaml -}}
{{- $service := (get .root.Values .name).service -}}
apiVersion: v1
kind: Service
metadata:
  {{- include "tidemark.metadata" (merge (dict "annotations" $service.annotations) .) | nindent 2 }}
spec:
  {{- if $service.headless }}
  clusterIP: None
  {{- end }}
  selector:
    {{- include "tidemark.selector" . | nindent 4 }}
  ports:
    - { name: rpc, port: {{ $own.port }}, targetPort: rpc }
{{- end -}}
