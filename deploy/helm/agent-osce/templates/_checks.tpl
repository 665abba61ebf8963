{{/* Settings whose values may hold a key or a password. The service reads each from a file, too. */}}
{{- define "osce.secrets" -}}
DATABASE_URL NATS_URL ANTHROPIC_API_KEY ANTHROPIC_BASE_URL EXAMINER_API_KEY EXAMINER_BASE_URL TESTER_API_KEY TESTER_BASE_URL JUDGE_API_KEY JUDGE_BASE_URL SPEECH_URL SPEECH_API_KEY TRANSCRIPTION_URL TRANSCRIPTION_API_KEY OPENAI_API_KEY SERVICE_API_KEY SERVICE_RUNNER_KEY SERVICE_REVIEWER_KEY SERVICE_VIEWER_KEY OIDC_CLIENT_SECRET SECRETS_KEY METRICS_TOKEN OTEL_EXPORTER_OTLP_ENDPOINT OTEL_EXPORTER_OTLP_HEADERS OTEL_EXPORTER_OTLP_TRACES_HEADERS HTTPS_PROXY HTTP_PROXY
{{- end -}}

{{/* What the schema cannot say, or not in a sentence. */}}
{{- define "osce.check" -}}
{{- $keys := .Values.secret.keys -}}
{{- $secrets := splitList " " (include "osce.secrets" .) -}}
{{- if not .Values.image.repository -}}
{{- fail "image.repository is not set: no public registry has the image. Build it with `docker build --target own-postgres`, push it to a registry of yours, and name that here." -}}
{{- end -}}
{{- range $key := $keys -}}
{{- if not (has $key $secrets) -}}
{{- fail (printf "secret.keys has %s, which is no setting that is read from a file: name one of %s." $key (join ", " $secrets)) -}}
{{- end -}}
{{- end -}}
{{- range $name, $_ := .Values.settings -}}
{{- if has (trimSuffix "_FILE" $name) $secrets -}}
{{- fail (printf "settings.%s is a secret, which a ConfigMap would show: put it into the Secret, and %s into secret.keys." $name (trimSuffix "_FILE" $name)) -}}
{{- end -}}
{{- if has $name (list "HOST" "PORT" "DATA_DIR") -}}
{{- fail (printf "settings.%s is decided by the chart: remove it." $name) -}}
{{- end -}}
{{- if eq $name "NODE_EXTRA_CA_CERTS" -}}
{{- fail "settings.NODE_EXTRA_CA_CERTS is decided by the chart: name a ConfigMap with the PEM file in extraCertificates.configMap." -}}
{{- end -}}
{{- end -}}
{{- if not (has "DATABASE_URL" $keys) -}}
{{- fail "secret.keys lacks DATABASE_URL: the chart runs the service with a PostgreSQL server of yours." -}}
{{- end -}}
{{- if and (include "osce.several" .) (not (has "NATS_URL" $keys)) -}}
{{- fail "secret.keys lacks NATS_URL: several processes are one service only over NATS. Add it, or set replicas to 1 and autoscaling.enabled to false." -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (gt (int .Values.autoscaling.minReplicas) (int .Values.autoscaling.maxReplicas)) -}}
{{- fail "autoscaling.minReplicas is greater than autoscaling.maxReplicas." -}}
{{- end -}}
{{- if and .Values.autoscaling.enabled (not (dig "requests" "cpu" "" .Values.resources)) -}}
{{- fail "autoscaling.enabled needs resources.requests.cpu: the load is measured as a share of it." -}}
{{- end -}}
{{- if and .Values.ingress.enabled (not (and .Values.ingress.host .Values.ingress.tlsSecret)) -}}
{{- fail "ingress.enabled needs ingress.host and ingress.tlsSecret: without TLS, keys would travel in the clear." -}}
{{- end -}}
{{- if and .Values.serviceMonitor.enabled (not (has "METRICS_TOKEN" $keys)) -}}
{{- fail "serviceMonitor.enabled needs METRICS_TOKEN in the Secret and in secret.keys: /metrics answers nobody without a key." -}}
{{- end -}}
{{- with .Values.backup -}}
{{- if and .enabled .existingClaim .volume -}}
{{- fail "backup.existingClaim and backup.volume are both set: name one place for the backups." -}}
{{- end -}}
{{- if and .enabled (hasKey .volume "emptyDir") -}}
{{- fail "backup.volume is an emptyDir, which is removed with its pod: name a volume that stays, or leave it out for a claim." -}}
{{- end -}}
{{- end -}}
{{- end -}}
