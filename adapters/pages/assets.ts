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

/** The path of an asset. @throws Error if there is no asset with this name */
export function assetPath(name: string): string {
  const asset = assets().get(name)
  if (!asset) throw new Error(`There is no asset ${name}`)
  return asset.path
}

/** The mark of the product: two steps of a foot. */
const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><rect width="24" height="24" rx="7" fill="#4338ca"/><ellipse cx="9" cy="14.6" rx="2.6" ry="3.9" fill="#fff"/><ellipse cx="15.2" cy="9" rx="2.6" ry="3.9" fill="#fff" opacity=".72"/></svg>'

/** The mark as a PNG of a full square. Telephones that show the page among their apps round its corners, and read no SVG. */
const touchIcon = Buffer.from(
  `iVBORw0KGgoAAAANSUhEUgAAALQAAAC0CAMAAAAKE/YAAAAAXVBMVEVDOMpQRc5cU9FpYNV1bdiCetyOiN+bleOnoua0r+rAve3NyvHZ1/Tm5Pjy8vv///9MQs1VS89eVd
JnXtRwaNd5cdmCe9yLhN6UjuGdmOOmoeavq+m4tOvBvu7Kx/BbcMW+AAACR0lEQVR42u2a207DMBBES2mbmCR1L7SGlvj/PxMJgRBgx5siJTMw57mVzsNmvGvvYiGEEEII
IYQQQgghhBBCCCGESHIMz5fLczjyGO9CH9/pw47DOcQvBALl/TV+47pHdz708Qf9gc8Z3XqfdI6xR66Qa8xwxXV+ilmeYE+UOMCRrTiAC+QUBzlBSr8MS78gOj/GAo+A0p
eS9AXwXIlF8E6Yc1n6zJV3oKm3iwZ2bNmBmB/BIh3YAg8x9HqLdE/4HaJ9iQeb9IEvPNDi42STxmpPzzZprIM82KSDpP+lNGVNU6YHZU5TnoiUvQdll8fZT1NOLpQzIuU0
Dnnvsdy4pmncZslzw7Ru/QftmuMu7/5T+U37/rbQmzTwKv+d6qb8mDI7nP+JS/0Q6CXgwad4GN+eTtiW1j5NPTb1Jsy7tc+RCBGQd8TlNiu9TSQ2xott4/M0YwoEojgyBY
KwhdANSnepsWv2fY+NH2ZjtJ50R6UtSLfJHmTeHaaVL7GyDDHTjiuuKO0yA8GMe3nbovQ2+9+5NiDL1ZGrjxmpDdI1mnRrkG7BnO+8hTss6ZVJGqyoK5N0hSXtTNIOS7ox
STd84QEXH51JusOS9jYkLWlJKz3+Qk5TnoiUvQdll0fZT1NOLpQzIuc0Tnnv8asbJuCkdnjSK8LquPF+em5ueQlAb087SOfxr1vw/WkD6jz2xRa+QNYLXGqWruML9n0P9N
PcLdCp0IesJLZtMbwQKe/lQSZ2aQNSCCGEEEIIIYQQQgghhBBCCCFEhleRXT+RY44/2gAAAABJRU5ErkJggg==`,
  'base64',
)

export const pageAssets: Mount = (web, { table }) => {
  const day = { 'Cache-Control': 'public, max-age=86400' }
  for (const path of ['/favicon.svg', '/favicon.ico']) web.get(path, c => c.body(icon, 200, { ...day, 'Content-Type': 'image/svg+xml' }))
  web.get('/apple-touch-icon.png', c => c.body(touchIcon, 200, { ...day, 'Content-Type': 'image/png' }))
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
