/** Files that pages load: stylesheets and small scripts, each under a name that changes with what is in it. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { strongTagOf } from '../http/etag.ts'
import type { Mount } from '../http/web.ts'
import { respond } from '../http/respond.ts'

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const
/** Plain JavaScript, which `npm run build` puts together and makes smaller. */
const scripts = ['embed', 'keep', 'passkeys', 'page', 'signup'] as const
const styles = ['app', 'status'] as const

interface Asset {
  readonly path: string
  readonly type: string
  readonly text: string
  readonly tag: string
}

let known: ReadonlyMap<string, Asset> | undefined
/** By their file names; read once. */
const assets = (): ReadonlyMap<string, Asset> => (known ??= readAssets())

function readAssets(): Map<string, Asset> {
  const { resolve } = createRequire(import.meta.url)
  return new Map(
    [
      ...styles.map(
        name => [`${name}.css`, readFileSync(resolve(import.meta.built ? `#built/pages/${name}.css` : `./${name}.css`), 'utf8')] as const,
      ),
      ...scripts.map(
        name =>
          [`${name}.js`, readFileSync(resolve(import.meta.built ? `#built/pages/${name}.js` : `./client/${name}.js`), 'utf8')] as const,
      ),
    ].map(([name, text]) => {
      const [base = '', type = ''] = name.split('.')
      const tag = strongTagOf(text)
      const path = `/assets/${base}-${tag.replace(/\W/g, '').slice(0, 10)}.${type}`
      return [name, { path, type: types[type as keyof typeof types], text, tag }]
    }),
  )
}

/** The path of an asset. @throws Error where there is none of this name */
export function assetPath(name: string): string {
  const asset = assets().get(name)
  if (!asset) throw new Error(`There is no asset ${name}`)
  return asset.path
}

/** Steps, as in the name. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#0b5cad"/><path d="M7 24v-5m6 5V13m6 11v-8m6 8V8" stroke="#fff" stroke-width="3.5" stroke-linecap="round"/></svg>'

export const pageAssets: Mount = (web, { table }) => {
  const day = { 'Cache-Control': 'public, max-age=86400' }
  for (const path of ['/favicon.svg', '/favicon.ico']) web.get(path, c => c.body(icon, 200, { ...day, 'Content-Type': 'image/svg+xml' }))
  // Most pages need a sign-in: there is nothing for search engines.
  const listed = table.pages
    .filter(({ isListed }) => isListed)
    .flatMap(({ route, hosted }) => [route.replace(/^GET |\{.*$/g, ''), ...(hosted ? [`${hosted.path}$`] : [])])
    .map(path => `Allow: ${path}\n`)
  web.get('/robots.txt', c =>
    c.body(`User-agent: *\n${listed.join('')}Disallow: /\n`, 200, { ...day, 'Content-Type': 'text/plain; charset=utf-8' }),
  )
  for (const { path, type, text, tag } of assets().values()) {
    const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable', ETag: tag }
    web.get(path, c => respond(c, { status: 200, headers, body: text }))
  }
  if (!import.meta.built) serveParts(web)
}

/** From sources nothing is put together: browsers load the modules that a script imports by their own names. */
function serveParts(web: Parameters<Mount>[0]): void {
  const folder = new URL('./client/', import.meta.url)
  for (const name of readdirSync(folder))
    web.get(`/assets/${name}`, c => c.body(readFileSync(new URL(name, folder), 'utf8'), 200, { 'Content-Type': types.js }))
}
