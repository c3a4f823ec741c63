/** The first page after a sign-in: the sites, or the only one there is, or the site seen last where the account says so. */
import type { App } from '../../runtime/app.ts'
import { cookieFor, cookieOf } from '../../runtime/call/credentials.ts'
import type { Caller } from '../../runtime/table/caller.ts'
import { isObject } from '../../runtime/values/json.ts'
import { headerOf } from '../http/web.ts'
import { askAs, askListAs, type PageAsk } from './call-operation.ts'
import { containerOf, homeOf, surroundings } from './frame.ts'
import { isList, spotsOf } from './page-tree.ts'
import type { Ways } from './record-links.ts'
import { filled } from '../../runtime/ui/words.ts'

const lastSite = 'last_site'
/** 400 days: browsers keep none longer. */
const lastSiteSeconds = 34_560_000

const lastSiteOf = (app: App, c: PageAsk) => cookieOf({ header: name => headerOf(c, name) }, lastSite, app.config.BASE_URL)

/** The line of `Set-Cookie` that stores the site seen last, if it has changed. */
export const rememberSite = (app: App, c: PageAsk, siteId: string): readonly string[] =>
  lastSiteOf(app, c) === siteId
    ? []
    : [cookieFor({ name: lastSite, value: siteId, seconds: lastSiteSeconds, baseUrl: app.config.BASE_URL })]

export async function homeFor(app: App, { ways, caller, c }: { ways: Ways; caller: Caller; c: PageAsk }): Promise<string> {
  const site = lastSiteOf(app, c)
  const ask = askAs(app, { c })
  const around = await surroundings(app, ask, { siteId: site ?? null, workspaceId: undefined })
  if (around.account?.default_landing === 'last_site' && around.site) {
    const ofSite = containerOf(app, 'site')
    if (ofSite) return homeOf(app, { container: ofSite, caller, id: String(around.site.id) })
  }
  const container = containerOf(app, 'workspace')
  if (container && caller.workspaceId !== '') {
    const sites = ways.listOfContainers(container)
    if (sites && app.allows(caller, sites)) {
      const path = { workspace_id: caller.workspaceId }
      const rows = await askListAs(app, caller, ask)(sites, path, { per_page: 2 })
      const spot = spotsOf(app.table).byId.get(sites.id)
      const [only] = rows?.length === 1 ? rows : []
      const place = { workspaceId: caller.workspaceId, siteId: null }
      // A list with one site offers no choice; a new installation opens at what its site waits for.
      const href = spot && isObject(only) ? ways.hrefOf(spot, { path, place, row: only, caller }) : undefined
      return href ?? filled(sites.path, path)
    }
    return homeOf(app, { container, caller, id: caller.workspaceId })
  }
  const all = [...spotsOf(app.table).byId.values()].map(({ operation }) => operation)
  return all.find(each => isList(each) && each.on.length === 0 && each.access === 'member')?.path ?? '/account'
}
