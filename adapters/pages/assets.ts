/** What pages load: the stylesheet and small scripts, each under a name that changes with what is in it. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { strongTagOf } from '../http/etag.ts'
import type { Mount } from '../http/http.ts'
import { respond } from '../http/respond.ts'

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8' } as const
/** Plain JavaScript, which `npm run build` makes smaller. */
const scripts = ['passkeys'] as const

interface Asset {
  readonly path: string
  readonly type: string
  readonly text: string
  readonly tag: string
}

let known: ReadonlyMap<string, Asset> | undefined
/** By their file names; read once. */
function assets(): ReadonlyMap<string, Asset> {
  const { resolve } = createRequire(import.meta.url)
  known ??= new Map(
    [
      ['app.css', readFileSync(resolve(import.meta.built ? '#built/pages/app.css' : './app.css'), 'utf8')] as const,
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
  return known
}

/** The path of an asset. @throws Error where there is none of this name */
export function assetPath(name: string): string {
  const asset = assets().get(name)
  if (!asset) throw new Error(`There is no asset ${name}`)
  return asset.path
}

export const pageAssets: Mount = web => {
  for (const { path, type, text, tag } of assets().values()) {
    const headers = { 'Content-Type': type, 'Cache-Control': 'public, max-age=31536000, immutable', ETag: tag }
    web.get(path, c => respond(c, 200, headers, text))
  }
}
