{{/* Checks that values.schema.json can't express. Fails with all problems at once. */}}
{{- define "tidemark.validate" -}}
{{- $faults := list -}}
{{- $v := .Values -}}
{{- if not $v.evaluation.enabled -}}
{{- if not $v.database.secretName -}}{{- $faults = append $faults "database.secretName: expected the Secret that holds MYSQL_URL" -}}{{- end -}}
{{- if and $v.nats.enabled (not $v.nats.url) -}}{{- $faults = append $faults "nats.url: expected nats://host:port or tls://host:port, or nats.enabled=false" -}}{{- end -}}
{{- if and $v.nats.enabled (ne $v.nats.credentials.kind "none") (not (and $v.nats.credentials.commitmentsSecretName $v.nats.credentials.gatewaySecretName)) -}}
{{- $faults = append $faults "nats.credentials: expected commitmentsSecretName and gatewaySecretName for this kind" -}}{{- end -}}
{{- if $v.auth.enabled -}}
{{- if not $v.urls.auth -}}{{- $faults = append $faults "urls.auth: expected the https origin of the sign-in, or auth.enabled=false" -}}{{- end -}}
{{- if not $v.keyEncryptionKey.secretName -}}{{- $faults = append $faults "keyEncryptionKey.secretName: expected the Secret that holds KEY_ENCRYPTION_KEY" -}}{{- end -}}
{{- if not (and $v.mail.secretName $v.mail.from) -}}{{- $faults = append $faults "mail: expected secretName, which holds SMTP_URL, and from" -}}{{- end -}}
{{- end -}}
{{- if include "tidemark.hasEntities" . -}}
{{- with $v.entities.identity -}}
{{- if ternary (not (and .startUrl .webhookSecretName)) (not (empty (or .startUrl .webhookSecretName))) (eq .provider "webhook") -}}{{- $faults = append $faults "entities.identity: expected startUrl and webhookSecretName with provider webhook, and only then" -}}{{- end -}}
{{- end -}}
{{- if ne (empty $v.entities.permitSigner.url) (empty $v.entities.permitSigner.secretName) -}}{{- $faults = append $faults "entities.permitSigner: expected url and secretName, or neither" -}}{{- end -}}
{{- end -}}
{{- if not $v.callers.tokens.enabled -}}
{{- range $name := include "tidemark.components" . | fromYamlArray -}}
{{- if not (get $v.callers.keys (printf "%sSecretName" $name)) -}}{{- $faults = append $faults (printf "callers.keys.%sSecretName: expected a Secret, because callers.tokens.enabled is false" $name) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- with $v.rpcTls -}}
{{- if .enabled -}}
{{- if .certManager.enabled -}}
{{- if not .certManager.issuerRef -}}{{- $faults = append $faults "rpcTls.certManager.issuerRef: expected the issuer" -}}{{- end -}}
{{- else -}}
{{- range $name := include "tidemark.tlsComponents" $ | fromYamlArray -}}
{{- if not (get $v.rpcTls.secretNames $name) -}}{{- $faults = append $faults (printf "rpcTls.secretNames.%s: expected a Secret of type kubernetes.io/tls, or rpcTls.certManager" $name) -}}{{- end -}}
{{- end -}}
{{- if not (or .ca.configMapName .ca.secretName) -}}{{- $faults = append $faults "rpcTls.ca: expected configMapName or secretName" -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- end -}}
{{- range $name := include "tidemark.components" . | fromYamlArray -}}
{{- with get $v $name -}}
{{- if and .autoscaling.enabled (gt (int .autoscaling.minReplicas) (int .autoscaling.maxReplicas)) -}}{{- $faults = append $faults (printf "%s.autoscaling: expected minReplicas of at most maxReplicas" $name) -}}{{- end -}}
{{- $stopping := add (int .preStopSeconds) (include "tidemark.seconds" .drainDelay | int) 44 -}}
{{- if le (int64 .terminationGracePeriodSeconds) $stopping -}}{{- $faults = append $faults (printf "%s.terminationGracePeriodSeconds: expected more than %d, the sum of preStopSeconds, drainDelay and 44 s" $name $stopping) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $v.keyRotation.enabled (not (and $v.auth.enabled $v.callers.tokens.enabled)) -}}{{- $faults = append $faults "keyRotation.enabled: expected auth.enabled and callers.tokens.enabled" -}}{{- end -}}
{{- if and (eq $v.migrations.mode "hook") $v.externalSecrets.secrets -}}{{- $faults = append $faults "migrations.mode: expected job, because a hook runs before the ExternalSecrets of the chart exist" -}}{{- end -}}
{{- end -}}
{{- range $name, $ca := dict "database" $v.database.ca "nats" $v.nats.ca "rpcTls" $v.rpcTls.ca -}}
{{- if and $ca.configMapName $ca.secretName -}}{{- $faults = append $faults (printf "%s.ca: expected either configMapName or secretName" $name) -}}{{- end -}}
{{- end -}}
{{- if and $v.monitoring.podMonitor $v.monitoring.serviceMonitor -}}{{- $faults = append $faults "monitoring: expected either podMonitor or serviceMonitor, because both would count everything twice" -}}{{- end -}}
{{- if and $v.ingress.enabled (not $v.ingress.hosts) (not $v.urls.auth) (not $v.urls.publicBase) -}}{{- $faults = append $faults "ingress.hosts: expected hosts, because urls has none" -}}{{- end -}}
{{- if and $v.httpRoute.enabled (not $v.httpRoute.parentRefs) -}}{{- $faults = append $faults "httpRoute.parentRefs: expected the Gateways" -}}{{- end -}}
{{- $known := .Files.Lines "files/settings.txt" -}}
{{- range $name := list "gateway" "commitments" "indexer" "auth" "entities" "evaluation" -}}
{{- range $setting := keys (get $v $name).settings | sortAlpha -}}
{{- if not (or (has $setting $known) (has (trimSuffix "_FILE" $setting) $known)) -}}{{- $faults = append $faults (printf "%s.settings.%s: expected a setting of docs/operating.md" $name $setting) -}}{{- end -}}
{{- end -}}
{{- end -}}
{{- if and $v.externalSecrets.secrets (not $v.externalSecrets.storeRef) -}}{{- $faults = append $faults "externalSecrets.storeRef: expected the store" -}}{{- end -}}
{{- if $faults -}}
{{- fail (printf "\n\n%s\n" (join "\n" $faults)) -}}
{{- end -}}
{{- end -}}

{{/* Seconds of a duration such as 500ms or 2s, rounded up. */}}
{{- define "tidemark.seconds" -}}
{{- $number := regexFind "^\\d+" . | float64 -}}
{{- $unit := regexFind "[a-z]+$" . -}}
{{- mulf $number (get (dict "ms" 0.001 "s" 1.0) $unit) | ceil | int -}}
{{- end -}}

{{/* Warnings about values that work but aren't good for production, one a line. */}}
{{- define "tidemark.warnings" -}}
{{- $v := .Values -}}
{{- if $v.evaluation.enabled }}
- EVALUATION: everything runs in one pod on SQLite. NEVER USE THIS IN PRODUCTION: it has no second replica, no rolling upgrade, and anybody may create sales.
{{- else }}
{{- if not $v.image.digest }}
- image.digest is not set: a tag can later name another image.
{{- end }}
{{- if not $v.callers.tokens.enabled }}
- callers.tokens.enabled is false: components authenticate with keys, which don't expire.
{{- end }}
{{- if not $v.rpcTls.enabled }}
- rpcTls.enabled is false: RPCs within the cluster aren't encrypted.
{{- end }}
{{- if not (or $v.database.ca.configMapName $v.database.ca.secretName) }}
- database.ca is not set: the certificate of the database isn't verified.
{{- end }}
{{- if not $v.nats.enabled }}
- nats.enabled is false: updates arrive up to CACHE_MAX_STALE (1 s) later.
{{- else }}
{{- if eq $v.nats.credentials.kind "none" }}
- nats.credentials.kind is none: everything that can reach NATS may publish updates.
{{- end }}
{{- if and (contains "nats://" $v.nats.url) (not (or $v.nats.ca.configMapName $v.nats.ca.secretName)) }}
- nats.url is nats:// without nats.ca: updates and credentials aren't encrypted, unless the servers demand TLS.
{{- end }}
{{- end }}
{{- if eq $v.migrations.mode "none" }}
- migrations.mode is none: run the migrations of each new version yourself, before you upgrade.
{{- end }}
{{- if and (or $v.ingress.enabled $v.httpRoute.enabled) (eq (toString $v.gateway.trustedProxies) "0") }}
- gateway.trustedProxies is 0 behind a proxy: all clients seem to have one address, and share its limits.
{{- end }}
{{- if and (ne (toString $v.gateway.trustedProxies) "0") (not (and $v.networkPolicy.enabled $v.networkPolicy.gatewayFrom)) }}
- gateway.trustedProxies is {{ $v.gateway.trustedProxies }} without networkPolicy.gatewayFrom: any pod can claim any client address.
{{- end }}
{{- end }}
{{- if and (or $v.monitoring.podMonitor $v.monitoring.serviceMonitor) $v.networkPolicy.enabled (not $v.networkPolicy.monitoringFrom) }}
- monitoring.{{ ternary "podMonitor" "serviceMonitor" $v.monitoring.podMonitor }} is true without networkPolicy.monitoringFrom: Prometheus can't reach the metrics.
{{- end }}
{{- if not $v.networkPolicy.enabled }}
- networkPolicy.enabled is false: every pod of the cluster can reach RPCs and metrics.
{{- end }}
{{- end -}}
