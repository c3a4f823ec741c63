/** Files that pages load: stylesheets and small scripts, each under a name that changes with what is in it. */
import { readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { strongTagOf } from '../http/etag.ts'
import type { Mount } from '../http/web.ts'
import { respond } from '../http/respond.ts'
import { flagOf } from '../../runtime/ui/icons/flags.ts'
import { markFile, sprite } from '../../runtime/ui/icons/sprite.ts'

const types = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
} as const
/** Plain JavaScript, which `npm run build` puts together and makes smaller. */
const scripts = ['embed', 'keep', 'passkeys', 'page', 'signup'] as const
const styles = ['app', 'status'] as const
/** Inter: letters of Western European languages, and the other Latin letters, which browsers load only if a page has one. */
const fonts = ['inter-latin', 'inter-latin-ext'] as const

interface Asset {
  readonly path: string
  readonly type: string
  readonly body: string | Uint8Array<ArrayBuffer>
  readonly tag: string
}

let known: ReadonlyMap<string, Asset> | undefined
/** By their file names; read once. */
const assets = (): ReadonlyMap<string, Asset> => (known ??= readAssets())

function readAssets(): Map<string, Asset> {
  const { resolve } = createRequire(import.meta.url)
  const built = (name: string) => readFileSync(resolve(`#built/pages/${name}`))
  const font = (name: string) =>
    import.meta.built ? built(`${name}.woff2`) : readFileSync(resolve(`@fontsource-variable/inter/files/${name}-wght-normal.woff2`))
  const script = (name: string) => (import.meta.built ? built(`${name}.js`) : readFileSync(resolve(`./client/${name}.js`))).toString()
  const found = new Map(fonts.map(name => [`${name}.woff2`, assetOf(`${name}.woff2`, new Uint8Array(font(name)))]))
  // Stylesheets name fonts by their files; browsers need the names that change with their contents.
  const style = (name: string) =>
    (import.meta.built ? built(`${name}.css`).toString() : styleFrom(resolve(`./styles/${name}.css`))).replace(
      /\/assets\/(inter[\w-]*\.woff2)/g,
      (_, file: string) => path.basename(found.get(file)?.path ?? ''), // in the folder of the stylesheet, wherever that is
    )
  for (const name of styles) found.set(`${name}.css`, assetOf(`${name}.css`, style(name)))
  for (const name of scripts) found.set(`${name}.js`, assetOf(`${name}.js`, script(name)))
  return found
}

function assetOf(name: string, body: Asset['body']): Asset {
  const [base = '', type = ''] = name.split('.')
  const tag = strongTagOf(body)
  return { path: `/assets/${base}-${tag.replace(/\W/g, '').slice(0, 10)}.${type}`, type: types[type as keyof typeof types], body, tag }
}

/** A stylesheet with those that it imports, as a build joins them. */
function styleFrom(file: string): string {
  return readFileSync(file, 'utf8').replace(/^@import "(.*)";$/gm, (_, name: string) => styleFrom(path.join(path.dirname(file), name)))
}

/** The path of an asset. @throws Error where there is none of this name */
export function assetPath(name: string): string {
  const asset = assets().get(name)
  if (!asset) throw new Error(`There is no asset ${name}`)
  return asset.path
}

/** The mark of the product: two steps of a foot. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="7" fill="#4338ca"/><ellipse cx="9" cy="14.6" rx="2.6" ry="3.9" fill="#fff"/><ellipse cx="15.2" cy="9" rx="2.6" ry="3.9" fill="#fff" opacity=".72"/></svg>'

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
  const forGood = 'public, max-age=31536000, immutable'
  const icons = sprite()
  const all = [...assets().values(), { path: icons.path, type: types.svg, body: icons.text, tag: strongTagOf(icons.text) }]
  for (const { path, type, body, tag } of all) {
    const headers = { 'Content-Type': type, 'Cache-Control': forGood, ETag: tag }
    web.get(path, c => (typeof body === 'string' ? respond(c, { status: 200, headers, body }) : c.body(body, 200, headers)))
  }
  const pictures = { flags: flagOf, marks: markFile }
  for (const [folder, find] of Object.entries(pictures))
    web.get(`/assets/${folder}/:file{[A-Za-z0-9]{1,40}\\.svg}`, c => {
      const picture = find(c.req.param('file').replace('.svg', ''))
      return picture === undefined
        ? c.notFound()
        : respond(c, { status: 200, headers: { ...day, 'Content-Type': types.svg }, body: picture })
    })
  if (!import.meta.built) serveParts(web)
}

/** From sources nothing is put together: browsers load the modules that a script imports by their own names. */
function serveParts(web: Parameters<Mount>[0]): void {
  const folder = new URL('./client/', import.meta.url)
  for (const name of readdirSync(folder))
    web.get(`/assets/${name}`, c => c.body(readFileSync(new URL(name, folder), 'utf8'), 200, { 'Content-Type': types.js }))
}
