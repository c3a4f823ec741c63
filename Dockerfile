# docker build -t footfall . && docker run -p 8080:8080 -v footfall:/data -e BASE_URL=http://localhost:8080 footfall
# For several architectures: docker buildx build --platform linux/amd64,linux/arm64 -t footfall .
# The base images are pinned by digest; .github/dependabot.yml proposes newer ones.
FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c AS build
WORKDIR /app
# Only a change of these installs again. With Node 22 nothing has to be compiled (docs/platform.md).
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY . .
ARG COMMIT
RUN FOOTFALL_COMMIT=$COMMIT npm run build && npm prune --omit=dev --ignore-scripts \
  && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3-12 && find dist -name '*.map' -delete

FROM node:22-bookworm-slim@sha256:43ac6c60b8f89723f746e8a92ce91abd5017e627ce1ddfe4238355d3a30b772c
# All that is written is in /data, sorting of large reports included: the root may be read-only, without a /tmp.
# glibc keeps freed memory of each thread for that thread: MALLOC_ARENA_MAX.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATABASE_URL=file:/data/footfall.db FILES_URL=file:/data/files \
  SQLITE_TMPDIR=/data MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=build /app/package.json /app/CHANGELOG.md /app/LICENSE /app/README.md ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/docs docs
COPY --from=build /app/spec spec
COPY --from=build /app/scripts/run.mjs /app/scripts/up-to-date.mjs scripts/
RUN mkdir -m 700 /data && chown 1000:1000 /data && ln -s /app/dist/footfall.js /usr/local/bin/footfall
# As a number, Kubernetes knows that it is not root (runAsNonRoot).
USER 1000:1000
VOLUME /data
EXPOSE 8080
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://${/^(0\\.0\\.0\\.0|::)?$/.test(process.env.HOST ?? '') ? '127.0.0.1' : process.env.HOST}:${process.env.PORT}/readyz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=32", "--v8-pool-size=2", "scripts/run.mjs", "serve"]
