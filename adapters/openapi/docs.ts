/** `/docs`: the API reference. Scalar is served from here; the page makes no request to another host. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import type { Mount } from '../http/web.ts'
import { respond } from '../http/respond.ts'
import { scalar } from './scalar.ts'
import { styles, stylesPath, stylesTag } from './docs-styles.ts'

const files = scalar()

const configuration = {
  url: 'openapi.json',
  withDefaultFonts: false,
  proxyUrl: '',
  telemetry: false,
  agent: { disabled: true },
  showDeveloperTools: 'never',
  hideClientButton: true,
}

// Scalar makes style elements by script: `docs-styles.ts` gives them the nonce. Requests that are tried out on the page can
// only go to this server.
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const pageHeaders = (nonce: string) => ({
  'Content-Type': 'text/html; charset=utf-8',
  'Content-Security-Policy': policy(nonce),
  'Cache-Control': 'no-store',
})
/** Immutable, as the version is part of its path. */
const scriptHeaders = {
  'Content-Type': 'text/javascript; charset=utf-8',
  'Cache-Control': 'public, max-age=31536000, immutable',
}

export const docs: Mount = (web, app) => {
  const manifest: { version: string } = JSON.parse(readFileSync(files.manifest, 'utf8'))
  const address = `/docs/scalar-${manifest.version}.js`

  web.get('/docs', c => {
    const nonce = app.random(16).toString('base64')
    return respond(c, { status: 200, headers: pageHeaders(nonce), body: pageWith(address.slice(1), nonce) })
  })
  web.get(stylesPath, c => respond(c, { status: 200, headers: { ...scriptHeaders, ETag: stylesTag }, body: styles }))
  web.get(address, async c =>
    respond(c, {
      status: 200,
      headers: { ...scriptHeaders, ETag: `"${manifest.version}"` },
      body: new Uint8Array(await readFile(files.script)),
    }),
  )
}

/** URLs are relative, so that the page also works behind a proxy with a path prefix. */
function pageWith(address: string, nonce: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Analytics API</title>
<link rel="icon" href="data:,">
</head>
<body>
<noscript>This reference needs JavaScript. The same as a file: <a href="openapi.json">openapi.json</a></noscript>
<script id="api-reference" type="application/json" data-configuration="${escaped(configuration)}"></script>
<script src="${stylesPath.slice(1)}" nonce="${nonce}"></script>
<script src="${address}"></script>
</body>
</html>
`
}

function escaped(value: unknown): string {
  return JSON.stringify(value).replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
}
