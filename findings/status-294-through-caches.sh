#!/usr/bin/env bash
# Software: nginx 1.22.1, Varnish 7.1.1 (Debian 12); undici 7.30.2, got 14.6.6, make-fetch-happen 16.0.1,
# axios-cache-interceptor 1.12.3 (npm); CacheControl 0.14.4, requests-cache 1.3.3, hishel 2.0.0 (PyPI).
#
# The edition of GraphQL over HTTP of September 2026 answers with 294 (Partial Success) if data and errors stand together.
# To caches this is a final status that they do not know. RFC 9111, section 3, lets a cache store such a response if it
# says how long it is fresh and has no `must-understand`; section 4.2.2 only forbids to guess its freshness. Four of these
# caches store it. Five compare the status with a list before they read the headers. The same response with
# `public, max-age=60` is therefore fetched once through some products, and every time through the others. A server that
# changes from 200 to 294 keeps or loses the cache for partly failed responses, depending on the product in between.
#
# Source: Varnish's built-in `vcl_backend_response` and its list of cacheable statuses; `understoodStatuses` of
# http-cache-semantics (make-fetch-happen); `statusCheck` in axios-cache-interceptor; `cacheable_status_codes` in
# CacheControl; `allowable_codes` in requests-cache. got stores it for another reason: `got-caches-every-status.sh`.
#
# Seen on 2026-11-28, as requests that reach the origin of two that are sent (200 beside 294):
#   nginx                   200: 1  294: 1
#   varnish                 200: 1  294: 2
#   undici                  200: 1  294: 1
#   got                     200: 1  294: 1
#   make-fetch-happen       200: 1  294: 2
#   axios-cache-interceptor 200: 1  294: 2
#   hishel                  200: 1  294: 1
#   CacheControl            200: 1  294: 2
#   requests-cache          200: 1  294: 2
set -euo pipefail
folder=$(mktemp -d)
pids=()
finish() {
  for pid in "${pids[@]}"; do kill "$pid" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap finish EXIT
cd "$folder"
npm install --silent --no-audit --no-fund --no-save --prefix . undici@7.30.2 got@14.6.6 make-fetch-happen@16.0.1 \
  axios@1.21.1 axios-cache-interceptor@1.12.3 >/dev/null
python3 -m venv python
python/bin/pip --quiet --disable-pip-version-check install requests==2.34.2 CacheControl==0.14.4 \
  requests-cache==1.3.3 hishel==2.0.0
apt-get -qq -o APT::Sandbox::User=root download nginx varnish libvarnishapi3
for package in ./*.deb; do dpkg -x "$package" debian; done

cat > origin.mjs <<'JS'
import { createServer } from 'node:http'

/** Answers `/NAME/STATUS` with that status, and `/count/NAME/STATUS` with the number of such requests. */
const counts = new Map()
createServer(({ url }, response) => {
  if (url.startsWith('/count')) return response.end(String(counts.get(url.slice('/count'.length)) ?? 0))
  counts.set(url, (counts.get(url) ?? 0) + 1)
  response.writeHead(Number(url.split('/').at(-1)), {
    'content-type': 'application/graphql-response+json',
    'cache-control': 'public, max-age=60',
  })
  response.end('{"data":{"a":null},"errors":[{"message":"No a today."}]}')
}).listen(0, '127.0.0.1', function () {
  console.log(this.address().port)
})
JS
cat > free-port.mjs <<'JS'
import { createServer } from 'node:net'

const server = createServer().listen(0, '127.0.0.1', () => {
  console.log(server.address().port)
  server.close()
})
JS
node origin.mjs > origin.port & pids+=($!)
until [ -s origin.port ]; do sleep 0.1; done
origin="127.0.0.1:$(cat origin.port)"
nginx="127.0.0.1:$(node free-port.mjs)"
varnish="127.0.0.1:$(node free-port.mjs)"

mkdir nginx
cat > nginx/nginx.conf <<CONF
daemon off; master_process off; pid $folder/nginx/pid; error_log $folder/nginx/error.log; events {}
http {
  access_log off;
  client_body_temp_path $folder/nginx/a; proxy_temp_path $folder/nginx/b; fastcgi_temp_path $folder/nginx/c;
  uwsgi_temp_path $folder/nginx/d; scgi_temp_path $folder/nginx/e;
  proxy_cache_path $folder/nginx/cache keys_zone=all:1m;
  server { listen $nginx; location / { proxy_cache all; proxy_pass http://$origin; } }
}
CONF
debian/usr/sbin/nginx -p "$folder/nginx" -c "$folder/nginx/nginx.conf" & pids+=($!)
libraries=$folder/debian/usr/lib/x86_64-linux-gnu
LD_LIBRARY_PATH=$libraries:$libraries/varnish debian/usr/sbin/varnishd -F -n "$folder/varnish" -a "$varnish" -b "$origin" \
  -s malloc,8m >varnish.log 2>&1 & pids+=($!)
for cache in "$nginx" "$varnish"; do
  until curl --silent --fail --output /dev/null "http://$cache/count/none/200"; do sleep 0.2; done
done

cat > clients.mjs <<'JS'
import Axios from 'axios'
import { setupCache } from 'axios-cache-interceptor'
import got from 'got'
import fetchIt from 'make-fetch-happen'
import { Agent, interceptors, request } from 'undici'

const origin = `http://${process.argv[2]}`
const dispatcher = new Agent().compose(interceptors.cache())
const axios = setupCache(Axios.create())
const cache = new Map()
const clients = {
  undici: async (url) => (await request(url, { dispatcher })).body.text(),
  got: async (url) => (await got(url, { cache })).body,
  'make-fetch-happen': async (url) => (await fetchIt(url, { cachePath: './kept' })).text(),
  'axios-cache-interceptor': async (url) => (await axios.get(url)).data,
}
for (const [name, get] of Object.entries(clients))
  for (const status of [200, 200, 294, 294]) await get(`${origin}/${name}/${status}`)
process.exit()
JS
cat > clients.py <<'PY'
import sys
import requests
from cachecontrol import CacheControl
from hishel.requests import CacheAdapter
from requests_cache import CachedSession

adapted = requests.Session()
adapted.mount('http://', CacheAdapter())
clients = {
    'hishel': adapted,
    'CacheControl': CacheControl(requests.Session()),
    'requests-cache': CachedSession('kept', backend='memory', cache_control=True),
}
for name, client in clients.items():
    for status in (200, 200, 294, 294):
        client.get(f'http://{sys.argv[1]}/{name}/{status}').text
PY
for status in 200 200 294 294; do
  curl --silent --output /dev/null "http://$nginx/nginx/$status"
  curl --silent --output /dev/null "http://$varnish/varnish/$status"
  sleep 0.2
done
node clients.mjs "$origin"
python/bin/python clients.py "$origin"

for name in nginx varnish undici got make-fetch-happen axios-cache-interceptor hishel CacheControl requests-cache; do
  known=$(curl --silent "http://$origin/count/$name/200")
  unknown=$(curl --silent "http://$origin/count/$name/294")
  printf '%-23s 200: %s  294: %s\n' "$name" "$known" "$unknown"
done | tee seen.txt
diff seen.txt - <<'EXPECTED'
nginx                   200: 1  294: 1
varnish                 200: 1  294: 2
undici                  200: 1  294: 1
got                     200: 1  294: 1
make-fetch-happen       200: 1  294: 2
axios-cache-interceptor 200: 1  294: 2
hishel                  200: 1  294: 1
CacheControl            200: 1  294: 2
requests-cache          200: 1  294: 2
EXPECTED
