{{- define "mini-inference-engine.name" -}}
{{- default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" -}}
{{- end -}}

{{- define "mini-inference-engine.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{- .Values.fullnameOverride | trunc 63 | trimSuffix "-" -}}
{{- else -}}
{{- $name := include "mini-inference-engine.name" . -}}
{{- ternary .Release.Name (printf "%s-%s" .Release.Name $name) (contains $name .Release.Name) | trunc 63 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "mini-inference-engine.selectorLabels" -}}
app.kubernetes.io/name: {{ include "mini-inference-engine.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "mini-inference-engine.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" | trunc 63 | trimSuffix "-" }}
{{ include "mini-inference-engine.selectorLabels" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end -}}

{{- define "mini-inference-engine.serviceAccountName" -}}
{{- $created := ternary (include "mini-inference-engine.fullname" .) "default" .Values.serviceAccount.create -}}
{{- default $created .Values.serviceAccount.name -}}
{{- end -}}

{{/* By its digest if there is one, else by its tag. */}}
{{- define "mini-inference-engine.image" -}}
{{- if .Values.image.digest -}}
{{- printf "%s@%s" .Values.image.repository .Values.image.digest -}}
{{- else -}}
{{- printf "%s:%s" .Values.image.repository (default .Chart.AppVersion .Values.image.tag) -}}
{{- end -}}
{{- end -}}

{{/* Seconds for the delay, two phases of shutdown (requests, then models and device), and the JVM's own end. */}}
{{- define "mini-inference-engine.gracePeriod" -}}
{{- add .Values.shutdown.delaySeconds (mul 2 .Values.shutdown.phaseSeconds) 10 -}}
{{- end -}}

{{/* What a vendor's device plugin offers, and what its tools write on GPU nodes; nothing without a GPU. */}}
{{- define "mini-inference-engine.gpu" -}}
{{- $vendors := dict
  "nvidia" (dict "resource" "nvidia.com/gpu" "label" "nvidia.com/gpu.present")
  "amd" (dict "resource" "amd.com/gpu" "label" "feature.node.kubernetes.io/amd-gpu")
  "intel" (dict "resource" "gpu.intel.com/i915" "label" "intel.feature.node.kubernetes.io/gpu")
-}}
{{- if ne .Values.gpu.vendor "none" -}}
{{- $vendor := get $vendors .Values.gpu.vendor -}}
taint: {{ $vendor.resource }}
resource: {{ default $vendor.resource .Values.gpu.resource }}
{{- if .Values.gpu.selectNodes }}
label: {{ $vendor.label }}
{{- end }}
{{- end -}}
{{- end -}}

{{- define "mini-inference-engine.repository" -}}/models{{- end -}}

{{/* The volume with the models: a claim, or what else Kubernetes knows; nothing for those of the image. */}}
{{- define "mini-inference-engine.modelVolume" -}}
{{- if and .Values.models.existingClaim .Values.models.volume -}}
{{- fail "models.existingClaim and models.volume are both set: unset one of them" -}}
{{- end -}}
{{- if .Values.models.existingClaim -}}
persistentVolumeClaim:
  claimName: {{ .Values.models.existingClaim }}
  readOnly: true
{{- else -}}
{{- with .Values.models.volume }}{{ toYaml . }}{{ end -}}
{{- end -}}
{{- end -}}

{{/* Properties that the chart sets itself, or on whose defaults probes and Service count, and what to do instead. */}}
{{- define "mini-inference-engine.owned" -}}
server.port: the pod's port of REST is the chart's, so set service.port, where clients find it
spring.grpc.server.port: the pod's port of gRPC is the chart's, so set service.grpcPort, where clients find it
management.server.port: set management.port
server.address: probes and Service find the pod at its own address, and networkPolicy says who reaches it
spring.grpc.server.address: the Service finds the pod at its own address, and networkPolicy says who reaches it
server.servlet.context-path: probes and clients of the Service expect paths at the root, so leave a prefix to a proxy in front
spring.mvc.servlet.path: probes and clients of the Service expect paths at the root, so leave a prefix to a proxy in front
spring.lifecycle.timeout-per-shutdown-phase: set shutdown.phaseSeconds, by which the grace period is counted
{{- end -}}

{{/*
The properties by their full names, each as it was written and with its value: dots and levels mean the same to Spring, in any mix. So do other spellings,
which are one name in lower case and without dashes.
*/}}
{{- define "mini-inference-engine.flat" -}}
{{- $flat := dict -}}
{{- include "mini-inference-engine.flatten" (dict "from" .Values.properties "above" "" "into" $flat) -}}
{{- toJson $flat -}}
{{- end -}}

{{- define "mini-inference-engine.flatten" -}}
{{- range $name, $value := .from -}}
{{- $path := printf "%s%s" $.above $name -}}
{{- if kindIs "map" $value -}}
{{- include "mini-inference-engine.flatten" (dict "from" $value "above" (printf "%s." $path) "into" $.into) -}}
{{- else -}}
{{- $_ := set $.into (regexReplaceAll "[-_]" (lower $path) "") (dict "written" $path "value" $value) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/* What no schema can say: values that do not go together, or repeat what the chart writes, which a cluster would refuse late or take the wrong one of. */}}
{{- define "mini-inference-engine.checks" -}}
{{- $service := .Values.service -}}
{{- if eq (int $service.port) (int $service.grpcPort) -}}
{{- fail (printf "service.port and service.grpcPort are both %d: give them ports of their own" (int $service.port)) -}}
{{- end -}}
{{- with get (dict "8080" "REST" "8081" "gRPC") (toString (int .Values.management.port)) -}}
{{- fail (printf "management.port is %d, which is the pod's port of %s: set another, such as 8082" (int $.Values.management.port) .) -}}
{{- end -}}
{{- $scaling := .Values.autoscaling -}}
{{- if and $scaling.enabled (gt (int $scaling.minReplicas) (int $scaling.maxReplicas)) -}}
{{- fail (printf "autoscaling.minReplicas is %d, above autoscaling.maxReplicas, which is %d: lower the one or raise the other" (int $scaling.minReplicas) (int $scaling.maxReplicas)) -}}
{{- end -}}
{{- $volumes := dict
  "config" "give yours another name"
  "cache" "set cache.existingClaim, or give yours another name"
  "tmp" "set tmp.sizeLimit, or give yours another name"
-}}
{{- if include "mini-inference-engine.modelVolume" . -}}
{{- $_ := set $volumes "models" "models.existingClaim or models.volume is that volume already, so give yours another name" -}}
{{- end -}}
{{- range .Values.volumes -}}
{{- $name := toString .name -}}
{{- with get $volumes $name -}}
{{- fail (printf "volumes: the chart has a volume %s of its own: %s" $name .) -}}
{{- end -}}
{{- end -}}
{{- $labels := include "mini-inference-engine.labels" . | fromYaml -}}
{{- range $name, $_ := .Values.podLabels -}}
{{- if hasKey $labels $name -}}
{{- fail (printf "podLabels: %s is a label of the chart's own, such as those by which Service and Deployment find their pods: leave it out" $name) -}}
{{- end -}}
{{- end -}}
{{- include "mini-inference-engine.checkVariables" . -}}
{{- end -}}

{{/* Variables that the chart sets, too, or by which Spring reads a property that is the chart's: they go before its file. */}}
{{- define "mini-inference-engine.checkVariables" -}}
{{- $own := dict
  "HOME" "set engine.cache.directory"
  "XDG_CACHE_HOME" "set engine.cache.directory"
  "SPRING_CONFIG_ADDITIONAL_LOCATION" "set properties"
-}}
{{- if .Values.jvm.options -}}
{{- $_ := set $own "JDK_JAVA_OPTIONS" "set jvm.options" -}}
{{- end -}}
{{- if eq .Values.gpu.vendor "nvidia" -}}
{{- $_ := set $own "NVIDIA_DRIVER_CAPABILITIES" "gpu.vendor=nvidia sets it to what the service needs" -}}
{{- end -}}
{{- $properties := dict -}}
{{- range $property, $instead := include "mini-inference-engine.owned" . | fromYaml -}}
{{- range list "" "_" -}}
{{- $_ := set $properties (upper (replace "." "_" (replace "-" . $property))) $instead -}}
{{- end -}}
{{- end -}}
{{- range .Values.env -}}
{{- $name := toString .name -}}
{{- with default (get $properties (upper $name)) (get $own $name) -}}
{{- fail (printf "env: %s cannot be set: %s" $name .) -}}
{{- end -}}
{{- end -}}
{{- end -}}

{{/*
The service's application.yaml: what is said of Spring, and above it the engine's properties and the ports. On a GPU the device is fixed, so that a pod that does not see its GPU
fails and says so, instead of serving slowly from somewhere else.
*/}}
{{- define "mini-inference-engine.properties" -}}
{{- $engine := deepCopy .Values.engine -}}
{{- if not (get $engine "device") -}}
{{- $_ := set $engine "device" (ternary "auto" "gpu" (eq .Values.gpu.vendor "none")) -}}
{{- end -}}
{{- if include "mini-inference-engine.modelVolume" . -}}
{{- if .Values.engine.models.repository -}}
{{- fail (printf "engine.models.repository and models.%s are both set: a volume is the repository, so unset one of them" (ternary "existingClaim" "volume" (ne .Values.models.existingClaim ""))) -}}
{{- end -}}
{{- $_ := set $engine.models "repository" (include "mini-inference-engine.repository" .) -}}
{{- end -}}
{{- range $name, $_ := .Values.properties -}}
{{- if regexMatch "^engine(\\.|$)" $name -}}
{{- fail (printf "properties.%s is not read: properties of the engine are values of their own, below engine" $name) -}}
{{- end -}}
{{- end -}}
{{- $flat := include "mini-inference-engine.flat" . | fromYaml -}}
{{- range $property, $instead := include "mini-inference-engine.owned" . | fromYaml -}}
{{- with get $flat (replace "-" "" $property) -}}
{{- fail (printf "properties.%s cannot be set: %s" .written $instead) -}}
{{- end -}}
{{- end -}}
{{- $own := dict
  "server" (dict "port" 8080)
  "management" (dict "server" (dict "port" .Values.management.port))
  "spring" (dict "lifecycle" (dict "timeout-per-shutdown-phase" (printf "%vs" .Values.shutdown.phaseSeconds)))
  "engine" $engine
-}}
{{- toYaml (mergeOverwrite (deepCopy .Values.properties) $own) -}}
{{- end -}}

{{/* How the kubelet speaks to REST: with TLS where the service does. */}}
{{- define "mini-inference-engine.probeScheme" -}}
{{- with get (include "mini-inference-engine.flat" . | fromYaml) "server.ssl.bundle" -}}
{{- if .value -}}
scheme: HTTPS
{{- end -}}
{{- end -}}
{{- end -}}
