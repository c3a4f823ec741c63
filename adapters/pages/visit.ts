/** Pages for somebody who shows a token of their own and has no account: whose calls they make, and what they may offer. */
import type { TSchema } from '@sinclair/typebox'
import type { App } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/caller.ts'
import { limitFaults, type Within } from '../../runtime/limits.ts'
import type { GuestPage } from '../../runtime/page.ts'
import type { NamedOperation } from '../../runtime/table.ts'
import { addressOf, headerOf } from '../http/http.ts'
import { askAs } from './asking.ts'
import { type Ask, containerOf, itemsBelow, type Surroundings } from './frame.ts'
import { readerBy } from './languages/index.ts'
import type { PageAsk } from './pages.tsx'
import { type Spot, spotsOf } from './places.ts'

export interface Visit {
  readonly ask: Ask
  readonly caller: Caller
  readonly around: Surroundings
  readonly within: Within | undefined
}

export interface Visited {
  readonly visit: Visit
  readonly spot: Spot
  readonly path: Readonly<Record<string, string>>
  /** As a member would write it. */
  readonly url: URL
}

/** What stands at the address of a guest; undefined where the token shows nothing there. */
export async function visited(app: App, { token, site, rest, kept }: GuestPage['guest'], c: PageAsk): Promise<Visited | undefined> {
  const { caller } = await app.identify({
    header: name => (name === 'authorization' ? `Bearer ${token}` : undefined),
    ip: addressOf(c, app),
    surface: 'pages',
  })
  const container = containerOf(app, 'site')
  const [first] = container ? itemsBelow(app, container, caller) : []
  if (!container || !first) return undefined
  const pathname = rest === '' ? filledBy(first, site.id) : `${filledBy(container, site.id)}/${rest}`
  for (const spot of spotsOf(app.table).byId.values()) {
    const path = app.allows(caller, spot.operation) ? pathIn(spot.operation, pathname) : undefined
    if (!path) continue
    const url = new URL(c.req.url)
    url.pathname = pathname
    for (const name of Object.keys(kept)) url.searchParams.delete(name)
    const { locale } = readerBy(headerOf(c, 'accept-language'))
    const around = {
      site,
      workspace: undefined,
      account: undefined,
      viewer: { locale, timezone: site.timezone, currency: site.currency },
    }
    const within = caller.limits && { ...caller.limits, now: app.now(), zone: site.timezone }
    return { visit: { ask: askAs(app, c, token), caller, around, within }, spot, path, url }
  }
  return undefined
}

const filledBy = ({ path }: NamedOperation, siteId: string): string => path.replace(/\{\w+\}/, siteId)

/** The parameters of a path that an operation has; undefined for another path. */
function pathIn({ path }: NamedOperation, pathname: string): Record<string, string> | undefined {
  const [pattern, parts] = [path.split('/'), pathname.split('/')]
  if (pattern.length !== parts.length) return undefined
  const found: Record<string, string> = {}
  for (const [i, part] of pattern.entries()) {
    const [, name] = /^\{(\w+)\}$/.exec(part) ?? []
    if (name !== undefined) found[name] = decoded(parts[i] ?? '')
    else if (part !== parts[i]) return undefined
  }
  return found
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

/** Whether an input may have a value, beside the others that are asked. */
export type May = (name: string, value: unknown) => boolean

export function mayAsk({ input, pathInput }: NamedOperation, asked: Readonly<Record<string, unknown>>, within: Within | undefined): May {
  if (!within) return () => true
  const fields = { ...pathInput, ...input.properties }
  const period = (input.properties.period as TSchema | undefined)?.default as unknown
  return (name, value) => {
    const beside = { ...(period !== undefined && { period }), ...asked, [name]: value }
    const faults = limitFaults(fields, beside, within)
    return !faults.some(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))
  }
}

/** What a view asks for, as far as it may. */
export const offeredOf = (asks: Readonly<Record<string, unknown>>, may: May): Record<string, unknown> =>
  Object.fromEntries(Object.entries(asks).filter(([name, value]) => may(name, value)))

/** Where the usual period reaches too far back, the longest that does not. */
export function firstPeriod({ input }: NamedOperation, asked: Readonly<Record<string, unknown>>, may: May): { period?: string } {
  const schema = input.properties.period as TSchema | undefined
  if (!schema || asked.period !== undefined || may('period', schema.default)) return {}
  const values: readonly string[] = schema.enum ?? []
  const period = ['28d', '14d', '7d', 'today'].find(each => values.includes(each) && may('period', each))
  return period === undefined ? {} : { period }
}
