# A long-term release of Node, newer than the oldest that is supported; dependency updates raise it.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json ./
# npm calls it when everything is installed; it builds nothing here.
COPY scripts/build-when-packed.mjs scripts/
RUN npm ci
COPY . .
RUN npm run build && npm prune --omit=dev

FROM node:24.21.0-bookworm-slim
WORKDIR /app
ENV NODE_ENV=production PORT=3000 HOST=0.0.0.0
COPY --from=build --chown=node:node /app/package.json ./
COPY --from=build --chown=node:node /app/node_modules ./node_modules
COPY --from=build --chown=node:node /app/content ./content
COPY --from=build --chown=node:node /app/dist ./dist
# Where the browser of browser agents is unpacked.
RUN mkdir data && chown node:node data
USER node
EXPOSE 3000
CMD ["node", "dist/src/main.js"]
