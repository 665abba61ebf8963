# Two images, each with what it needs to run and no development tools:
#   docker build -t agent-osce .
#     everything: an embedded PostgreSQL and a Chromium for browser agents. Its data is in /app/data: give it a volume.
#   docker build -t agent-osce:own-postgres --target own-postgres .
#     for DATABASE_URL and NATS_URL: without either of them. It keeps nothing and examines no browser agents.
# Both run as the user node (1000:1000) and write to /tmp and, the first, to /app/data, so that the root may be read-only:
#   docker run --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges -v osce:/app/data \
#     -p 127.0.0.1:3000:3000 -e SERVICE_API_KEY="$(openssl rand -hex 24)" agent-osce
# They listen on every address of the container, and so do not start without a key, unless ALLOW_OPEN=true.
# A long-term release of Node, newer than the oldest that is supported; dependency updates raise it.
FROM node:24.21.0-bookworm-slim AS node

# The first process of a container inherits what other processes leave behind, as a browser does: tini clears that away. espeak-ng is the
# patient's voice in spoken examinations where no speech server is set.
FROM node AS base
RUN apt-get update \
  && apt-get install -y --no-install-recommends 'tini=0.19.0-1*' 'espeak-ng=1.51*' \
  && rm -rf /var/lib/apt/lists/*

FROM node AS build
WORKDIR /app
COPY package.json package-lock.json ./
# npm calls it when everything is installed; it builds nothing here.
COPY scripts/build-when-packed.mjs scripts/
# One of the packages would tell its maker where it is installed.
RUN SCARF_ANALYTICS=false npm ci
COPY . .
# npm keeps the compiler, which @nestjs/swagger can use but does not need. Types and source maps are a fifth of the image and read by nobody.
RUN npm run build && npm prune --omit=dev && rm -rf dist/bench node_modules/typescript \
  && find dist node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

# The optional dependencies are the embedded PostgreSQL and Chromium, and nothing else. npm brings the compiler back.
FROM build AS build-own-postgres
RUN npm pkg delete optionalDependencies && npm prune --omit=dev && rm -rf node_modules/typescript

FROM base AS service
WORKDIR /app
ENV NODE_ENV=production PORT=3000 HOST=0.0.0.0
USER node
EXPOSE 3000
# Docker Swarm replaces what is unhealthy: only whether the process answers counts, not /health/ready or /health, which fail while PostgreSQL or
# NATS is away. The start may take hours, in which the tables are brought up to date; the first success ends it.
HEALTHCHECK --interval=10s --timeout=5s --start-period=2h --retries=3 \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health/live`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["/usr/bin/tini", "--"]
CMD ["node", "dist/src/main.js"]

# The service's own files belong to root: it cannot change them.
FROM service AS own-postgres
COPY --from=build /app/package.json ./
COPY --from=build-own-postgres /app/node_modules ./node_modules
COPY --from=build /app/content ./content
COPY --from=build /app/dist ./dist

# The last one is what is built when no target is named.
FROM service AS whole
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/content ./content
COPY --from=build /app/dist ./dist
# Also for commands in the container (docker exec), which otherwise look for it elsewhere.
ENV DATA_DIR=/app/data
USER root
# The embedded PostgreSQL, and where the browser of browser agents is unpacked.
RUN mkdir data && chown node:node data
USER node
VOLUME /app/data
