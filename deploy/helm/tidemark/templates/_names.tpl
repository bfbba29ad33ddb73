{{- define "tidemark.fullname" -}}
{{- $name := default .Chart.Name .Values.nameOverride -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 40 | trimSuffix "-" -}}
{{- else if contains $name .Release.Name -}}
{{- .Release.Name | trunc 40 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-%s" .Release.Name $name | trunc 40 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{/* Name of a component's objects. (root, name) */}}
{{- define "tidemark.name" -}}
{{- printf "%s-%s" (include "tidemark.fullname" .root) .name -}}
{{- end -}}

{{/* What selects a component's pods. (root, name) */}}
{{- define "tidemark.selector" -}}
app.kubernetes.io/name: {{ default .root.Chart.Name .root.Values.nameOverride | trunc 63 }}
app.kubernetes.io/instance: {{ .root.Release.Name }}
app.kubernetes.io/component: {{ .name }}
{{- end -}}

{{/* (root, name) */}}
{{- define "tidemark.labels" -}}
{{ include "tidemark.selector" . }}
app.kubernetes.io/part-of: tidemark
app.kubernetes.io/version: {{ .root.Values.image.tag | default .root.Chart.AppVersion | trunc 63 | quote }}
app.kubernetes.io/managed-by: {{ .root.Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .root.Chart.Name .root.Chart.Version | replace "+" "_" | trunc 63 }}
{{- with .root.Values.commonLabels }}
{{ toYaml . }}
{{- end }}
{{- end -}}

{{/* metadata of an object: (root, name, and where wanted: object, annotations, labels) */}}
{{- define "tidemark.metadata" -}}
name: {{ .object | default (include "tidemark.name" .) }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- merge (include "tidemark.labels" . | fromYaml) (.labels | default dict) | toYaml | nindent 2 }}
{{- with mergeOverwrite (dict) .root.Values.commonAnnotations (.annotations | default dict) }}
annotations:
  {{- toYaml . | nindent 2 }}
{{- end }}
{{- end -}}

{{- define "tidemark.image" -}}
{{- with .Values.image -}}
{{- if .digest -}}
{{- printf "%s@%s" .repository .digest -}}
{{- else -}}
{{- printf "%s:%s" .repository (.tag | default $.Chart.AppVersion) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* Where clients find a component's RPCs. (root, name, port) */}}
{{- define "tidemark.rpcUrl" -}}
{{- printf "%s://%s.%s.svc:%v" (ternary "https" "http" .root.Values.rpcTls.enabled) (include "tidemark.name" .) .root.Release.Namespace .port -}}
{{- end -}}

{{/* Subjects of the tokens of those who may call: (root, names) */}}
{{- define "tidemark.subjects" -}}
{{- $subjects := list -}}
{{- range $name := .names -}}
{{- $subjects = append $subjects (printf "%s=system:serviceaccount:%s:%s" $name $.root.Release.Namespace (include "tidemark.name" (dict "root" $.root "name" $name))) -}}
{{- end -}}
{{- range $name, $subject := .root.Values.callers.subjects -}}
{{- $subjects = append $subjects (printf "%s=%s" $name $subject) -}}
{{- end -}}
{{- join "," $subjects -}}
{{- end -}}

{{/* Components of the release, as a list in YAML. */}}
{{- define "tidemark.components" -}}
- gateway
- commitments
{{- if .Values.indexer.enabled }}
- indexer
{{- end }}
{{- if .Values.auth.enabled }}
- auth
{{- end }}
{{- end -}}

{{/* Components that the gateway calls, as a list in YAML: the indexer for the dashboard, which is part of the sign-in. */}}
{{- define "tidemark.gatewayCalls" -}}
- commitments
{{- if .Values.auth.enabled }}
- auth
{{- if .Values.indexer.enabled }}
- indexer
{{- end }}
{{- end }}
{{- end -}}

{{/* Components that may call the indexer, as a list in YAML. */}}
{{- define "tidemark.indexerCallers" -}}
{{- if has "indexer" (include "tidemark.gatewayCalls" . | fromYamlArray) }}
- gateway
{{- end }}
- operator
{{- end -}}

{{/* The Service that the public is led to. */}}
{{- define "tidemark.gatewayService" -}}
{{- include "tidemark.name" (dict "root" . "name" (ternary "evaluation" "gateway" .Values.evaluation.enabled)) -}}
{{- end -}}
