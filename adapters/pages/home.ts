/** Where somebody who is signed in begins: at the sites, or at the site seen last where the account says so. */
import type { App } from '../../runtime/app.ts'
import { cookieFor, cookieOf } from '../../runtime/authenticator.ts'
import type { Caller } from '../../runtime/caller.ts'
import { headerOf } from '../http/http.ts'
import { askAs } from './asking.ts'
import { containerOf, frameOf, homeOf, surroundings } from './frame.ts'
import type { PageAsk } from './pages.tsx'
import { isList, spotsOf } from './places.ts'
import type { Ways } from './ways.ts'
import { filled } from './words.ts'

const lastSite = 'last_site'
/** 400 days: browsers keep none longer. */
const lastSiteSeconds = 34_560_000

/** The line of `Set-Cookie` that remembers the site seen last. */
export const rememberSite = (app: App, siteId: string): string => cookieFor(lastSite, siteId, lastSiteSeconds, app.config.BASE_URL)

export async function homeFor(app: App, ways: Ways, caller: Caller, c: PageAsk): Promise<string> {
  const site = cookieOf({ header: name => headerOf(c, name) }, lastSite, app.config.BASE_URL)
  const around = await surroundings(app, askAs(app, c), { siteId: site ?? null, workspaceId: undefined })
  if (around.account?.default_landing === 'last_site' && around.site) {
    const { within } = frameOf(app, caller, around, '')
    if (within) return within.href
  }
  const container = containerOf(app, 'workspace')
  if (container && caller.workspaceId !== '') {
    const sites = ways.listOfContainers(container)
    if (sites && app.allows(caller, sites)) return filled(sites.path, { workspace_id: caller.workspaceId })
    return homeOf(app, container, caller, caller.workspaceId)
  }
  const all = [...spotsOf(app.table).byId.values()].map(({ operation }) => operation)
  return all.find(each => isList(each) && each.on.length === 0 && each.access === 'member')?.path ?? '/account'
}
