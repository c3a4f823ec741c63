/** Viewer of a page: a signed-in user, or the guest of a shared link, whose reports are cut to its limits. */
import type { TSchema } from '@sinclair/typebox'
import type { App } from '../../runtime/app.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import { limitFaults, type Within } from '../../runtime/table/report-limits.ts'
import { defaultBy, defaultOf } from '../../runtime/table/schema.ts'
import type { GuestPage } from '../../runtime/table/page.ts'
import type { NamedOperation } from '../../runtime/table/table.ts'
import { addressOf, headerOf } from '../http/web.ts'
import { askAs, type PageAsk } from './call-operation.ts'
import { type Ask, containerOf, itemsBelow, type Surroundings } from './frame.ts'
import { type Spot, spotsOf } from './page-tree.ts'
import { readerBy } from '../../runtime/texts/reader.ts'
import { loadTexts } from '../../runtime/texts/catalogues.ts'

/** Calls and surroundings of a page without a session. */
export interface Visit {
  readonly ask: Ask
  readonly around: Surroundings
  /** Limits of the inputs that the page may offer. */
  readonly within: Within | undefined
}

export interface GuestLook {
  readonly spot: Spot
  readonly url: URL
  readonly path: Readonly<Record<string, string>>
  readonly visit: Visit
  readonly caller: Caller
}

/** Finds the page that a guest requested; undefined if it is not shared. */
export async function guestLook(
  app: App,
  { token, site, beside, rest, kept }: GuestPage['guest'],
  c: PageAsk,
): Promise<GuestLook | undefined> {
  const header = (name: string): string | undefined => (name === 'authorization' ? `Bearer ${token}` : undefined)
  const { caller } = await app.identify({ header, ip: addressOf(c, app), surface: 'pages' })
  const container = containerOf(app, 'site')
  const [first] = container ? itemsBelow(app, container, caller) : []
  if (!container) return undefined
  const root = container.path.replace(/\{\w+\}/, site.id)
  const home = beside[0]?.path ?? first?.path.replace(/\{\w+\}/, site.id)
  const other = beside.find(({ as }) => rest === as || rest.startsWith(`${as}/`))
  const pathname = rest === '' ? home : other ? other.path + rest.slice(other.as.length) : `${root}/${rest}`
  if (pathname === undefined) return undefined
  const found = spotAt(app, caller, pathname)
  if (!found) return undefined
  const url = new URL(c.req.url)
  url.pathname = pathname
  for (const name of Object.keys(kept)) url.searchParams.delete(name)
  const { locale } = readerBy(headerOf(c, 'accept-language'))
  const viewer = { locale, timezone: site.timezone, currency: site.currency }
  await loadTexts(viewer)
  const around = { site, workspace: undefined, account: undefined, viewer }
  const within = caller.limits && { ...caller.limits, now: app.now(), zone: site.timezone }
  return { ...found, url, caller, visit: { ask: askAs(app, { c, header }), around, within } }
}

function spotAt(app: App, caller: Caller, pathname: string): { spot: Spot; path: Record<string, string> } | undefined {
  for (const spot of spotsOf(app.table).byId.values()) {
    const path = app.allows(caller, spot.operation) ? pathIn(spot.operation, pathname) : undefined
    if (path) return { spot, path }
  }
  return undefined
}

/** Whether an input may have a value, in addition to the requested inputs. */
export type May = (name: string, value: unknown) => boolean

export function mayAsk({ input, pathInput }: NamedOperation, asked: Readonly<Record<string, unknown>>, within: Within | undefined): May {
  if (!within) return () => true
  const fields = { ...pathInput, ...input.properties }
  const schema: TSchema | undefined = input.properties.period
  const period = schema && defaultOf(schema, asked)
  return (name, value) => {
    const input = { ...(period !== undefined && { period }), ...asked, [name]: value }
    const faults = limitFaults(fields, input, within)
    return !faults.some(({ pointer }) => pointer === `/${name}` || pointer.startsWith(`/${name}/`))
  }
}

/**
 * Removes the inputs of a view that the limits do not allow, and those that follow from what was asked. No days come before
 * all of them, so a view does not compare them.
 */
export function offeredOf(
  { input }: NamedOperation,
  { asks, asked, may }: { asks: Readonly<Record<string, unknown>>; asked: Readonly<Record<string, unknown>>; may: May },
): Record<string, unknown> {
  const follows = (name: string) => input.properties[name]?.[defaultBy]?.(asked) !== undefined
  const isIdle = (name: string) => name === 'compare' && asked.period === 'all'
  const isTaken = (name: string) => Object.hasOwn(input.properties, name)
  return Object.fromEntries(
    Object.entries(asks).filter(([name, value]) => isTaken(name) && may(name, value) && !follows(name) && !isIdle(name)),
  )
}

/** Returns the longest allowed period, if the default reaches too far back. */
export function firstPeriod({ input }: NamedOperation, asked: Readonly<Record<string, unknown>>, may: May): { period?: string } {
  const schema: TSchema | undefined = input.properties.period
  if (!schema || asked.period !== undefined || may('period', defaultOf(schema, asked))) return {}
  const period = ['28d', '14d', '7d', 'today'].find(each => (schema.enum as unknown[]).includes(each) && may('period', each))
  return period === undefined ? {} : { period }
}

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
