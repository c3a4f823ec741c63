/** Sites to change to, each with its visitors of today. Each leads to the page that the address names. */
import type { Static } from '../../../runtime/table/schema.ts'
import { ownPath } from '../../../runtime/table/page.ts'
import { domainText } from '../../../runtime/ui/domain-text.ts'
import { plainNumber } from '../../../runtime/ui/format.ts'
import { Letter } from '../../../runtime/ui/icons/icon.tsx'
import type { ViewedPage } from '../../../runtime/ui/viewed-page.ts'
import { say } from '../../../runtime/texts/say.ts'
import { groupsShown } from './groups-shown.ts'
import { m } from './messages.ts'
import { type Site, visitorsToday } from './records.ts'

/** The parameter with the page of a site that is opened, for example `breakdown/page?period=7d`. */
export const SWITCH = 'switch'
/** Visitors of each site cost a report. */
const MAX_VISITORS = 20

/** The page of another site; undefined if the address does not lead to one. */
function pageOf(site: string, to: string): string | undefined {
  const own = ownPath(`/sites/${site}/${to}`)
  return own?.startsWith(`/sites/${site}/`) && to !== '' ? own : undefined
}

export async function siteSwitch(rows: readonly Static<typeof Site>[], page: ViewedPage) {
  const to = page.url.searchParams.get(SWITCH) ?? ''
  const isWhole = !page.url.searchParams.has('search') && !page.url.searchParams.has('page')
  const groups = isWhole && rows.length > 1 ? await groupsShown(page) : []
  const named = [...groups, ...rows.map(row => ({ ...row, sites: 0 }))]
  const visitors = await page.fill(visitorsToday, { sites: named.slice(0, MAX_VISITORS) })
  return (
    <ul class="switch-list">
      {named.map(site => {
        const count = visitors?.get(site.id)
        return (
          <li>
            <a href={pageOf(site.id, to) ?? page.hrefOf(site)}>
              <Letter text={site.name} size="large" />
              <span>
                <b dir="auto">{domainText(site.name)}</b>
                {site.sites > 0 && <small>{say(page.viewer, m.sites_in_group, { count: site.sites })}</small>}
                {site.domain !== null && site.domain !== site.name && <small>{domainText(site.domain)}</small>}
              </span>
              {typeof count === 'number' && (
                <span class="today" title={say(page.viewer, m.visitors_today, { count })}>
                  <span aria-hidden="true">{plainNumber(count, page.viewer)}</span>
                  <span class="unseen">{say(page.viewer, m.visitors_today, { count })}</span>
                </span>
              )}
            </a>
          </li>
        )
      })}
    </ul>
  )
}
