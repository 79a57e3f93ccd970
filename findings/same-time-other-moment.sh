#!/usr/bin/env bash
# Software: Prometheus 2.42.0 and VictoriaMetrics 1.79.5, from Debian 12's packages.
#
# Both answer `/api/v1/query?query=time()&time=T` with the moment at which they evaluated, and both say success for every
# T below. Past 2262-04-11T23:47:16Z the two part: 64-bit nanoseconds overflow in Prometheus, so that a question about the
# year 2300 is answered about 1715, while VictoriaMetrics takes 1970 for a date in that form and the last nanosecond for
# the same moment as a number. Before 1970 Prometheus is right and VictoriaMetrics answers about 1970. A dashboard that
# asks for a wrong year gets numbers of another one and no warning. The API page of Prometheus names no bound
# (https://prometheus.io/docs/prometheus/latest/querying/api/, "rfc3339 | unix_timestamp").
#
# Seen on 2026-11-27 (seconds at which `time()` was evaluated):
#   time                        prometheus   victoria-metrics
#   2262-04-11T23:47:16Z        9223372036         9223372036
#   2262-04-11T23:47:17Z   -9223372036.709                  0
#   2300-01-01T00:00:00Z   -8032952073.709                  0
#   10413792000            -8032952073.709     9223372036.854
#   1677-09-21T00:12:43Z    9223372036.709     9223372036.709
#   1960-01-01T00:00:00Z        -315619200                  0
#   -315619200                  -315619200                  0
# (10413792000 is 2300-01-01T00:00:00Z, and -315619200 is 1960-01-01T00:00:00Z.)
set -euo pipefail
folder=$(mktemp -d)
started=()
clean() {
  for pid in "${started[@]}"; do kill "$pid" 2>/dev/null && wait "$pid" 2>/dev/null; done
  rm -rf "$folder"
}
trap clean EXIT
cd "$folder"
chmod 755 .
apt-get download -qq prometheus=2.42.0+ds-5+deb12u1 victoria-metrics=1.79.5+ds1-2+b5 2>/dev/null
for package in *.deb; do dpkg -x "$package" .; done

port() { python3 -c 'import socket; s = socket.socket(); s.bind(("127.0.0.1", 0)); print(s.getsockname()[1])'; }
one=$(port)
other=$(port)
echo 'global: {}' > prometheus.yml
usr/bin/prometheus --config.file=prometheus.yml --storage.tsdb.path=prometheus-data \
  --web.listen-address="127.0.0.1:$one" >prometheus.log 2>&1 &
started+=($!)
usr/bin/victoria-metrics -storageDataPath=victoria-data -httpListenAddr="127.0.0.1:$other" \
  -memory.allowedBytes=256MB >victoria.log 2>&1 &
started+=($!)
curl -s --retry 60 --retry-delay 1 --retry-connrefused --retry-all-errors -o ready "http://127.0.0.1:$one/-/ready"
curl -s --retry 60 --retry-delay 1 --retry-connrefused --retry-all-errors -o ready "http://127.0.0.1:$other/health"

# `time()` is a scalar in one and a vector in the other.
moment() {
  curl -sS --fail "$1?query=time()&time=$2" | python3 -c '
import json, sys
answer = json.load(sys.stdin)
assert answer["status"] == "success" and not answer.get("warnings")
result = answer["data"]["result"]
print(result[0]["value"][1] if answer["data"]["resultType"] == "vector" else result[1])'
}
for time in 2262-04-11T23:47:16Z 2262-04-11T23:47:17Z 2300-01-01T00:00:00Z 10413792000 \
  1677-09-21T00:12:43Z 1960-01-01T00:00:00Z -315619200; do
  printf '%-20s %17s %18s\n' "$time" "$(moment "http://127.0.0.1:$one/api/v1/query" "$time")" \
    "$(moment "http://127.0.0.1:$other/prometheus/api/v1/query" "$time")"
done | tee seen.txt
diff seen.txt - <<'EXPECTED'
2262-04-11T23:47:16Z        9223372036         9223372036
2262-04-11T23:47:17Z   -9223372036.709                  0
2300-01-01T00:00:00Z   -8032952073.709                  0
10413792000            -8032952073.709     9223372036.854
1677-09-21T00:12:43Z    9223372036.709     9223372036.709
1960-01-01T00:00:00Z        -315619200                  0
-315619200                  -315619200                  0
EXPECTED
