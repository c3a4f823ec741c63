import { Form } from '../../../runtime/ui/form.tsx'
import { Icon } from '../../../runtime/ui/icons/icon.tsx'
import { ui, periodMessages } from '../../../runtime/ui/messages.ts'
import { Kept } from '../../../runtime/ui/periods.tsx'
import { form } from '../../../runtime/ui/form-layout.ts'
import { settings } from '../../../runtime/ui/settings.ts'
import { listOf, listView } from '../../../runtime/ui/view.ts'
import { withQuery } from '../../../runtime/ui/words.ts'
import { say } from '../../../runtime/texts/say.ts'
import { inOrder, PINNED, pinnedIn, togglePin } from './pinned.ts'
import { siteFields } from './form.tsx'
import { SiteGroup } from './group-records.ts'
import type { Content } from '../../../runtime/table/page.ts'
import { site_groups_create } from './groups.ts'
import { groupsShown } from './groups-shown.ts'
import { sites_create, sites_update } from './operations.ts'
import { sites_transfer } from './transfers.ts'
import { Site, siteFigures, sitePeriods } from './records.ts'
import { SWITCH, siteSwitch } from './site-switch.tsx'
import { SiteTile } from './site-tile.tsx'
import { SitesTotal } from './sites-total.tsx'
import { m } from './messages.ts'

export { namesOfSites } from './site-names.ts'

/** Figures of each site cost a report, so that sites after these have none. */
const MAX_FIGURES = 60
const PERIOD = 'period'

/** General settings of a site. */
export const siteSettings = settings(sites_update, [
  { fields: ['name', 'domain', 'timezone', 'currency', 'week_start'] },
  { title: m.what_counts, fields: ['page_parameters', 'ignored_referrers', 'ignore_known_referrers', 'ignore_own_sites'] },
  { title: m.identified, fields: ['identity', 'identity_names', 'identity_traits', 'visit_list'] },
  {
    title: m.others_see,
    fields: ['public', 'aliases', 'umami_id'],
    words: {
      public: { label: m.public_label, help: m.public_help },
      aliases: { label: m.aliases_label, help: m.aliases_help },
      umami_id: { label: m.umami_label, help: m.umami_help },
    },
  },
])

/** A new site. */
export const createSite = form(sites_create, siteFields)

/** A new group of sites. */
export const createGroup = form(
  site_groups_create,
  ({ field, rest }) =>
    (
      <>
        {field('name', { help: '' })}
        {rest()}
      </>
    ) as Content,
)

/** The workspace that a site moves to. */
export const moveSite = form(sites_transfer, ({ field, reader }) => field('workspace_id', { label: say(reader, m.move_label), help: '' }))

/** Sites as tiles with their visitors, pinned ones first, then the busiest; all of them together on top. */
export const sites = listView(
  Site,
  async ({ rows, page }) => {
    const { url, viewer } = page
    if (url.searchParams.has(SWITCH)) return siteSwitch(rows, page)
    const isSearched = url.searchParams.has('search')
    if (rows.length === 0 && !isSearched) return undefined
    const period = sitePeriods.find(each => each === url.searchParams.get(PERIOD)) ?? '30d'
    const figures = (await page.fill(siteFigures, { sites: rows.slice(0, MAX_FIGURES), period })) ?? new Map<string, never>()
    const pinned = pinnedIn(url)
    const groups = rows.length > 1 && !isSearched ? await groupsShown(page) : []
    return (
      <>
        <div class="sites-head">
          {rows.length > 1 && <SitesTotal sites={rows} figures={figures} viewer={viewer} />}
          <search class="sites-tools">
            <Form method="GET" class="find-form">
              <Kept url={url} without={['search', 'page']} />
              <input
                type="search"
                name="search"
                value={url.searchParams.get('search') ?? ''}
                maxlength={200}
                autocomplete="off"
                aria-label={say(viewer, m.find_site)}
                placeholder={say(viewer, m.find_site)}
              />
              <button type="submit" class="plain">
                <Icon name="find" />
                <span class="unseen">{say(viewer, ui.search)}</span>
              </button>
            </Form>
            <nav class="tabs" aria-label={say(viewer, ui.period)}>
              {sitePeriods.map(each => (
                <a href={withQuery(url, { [PERIOD]: each })} aria-current={each === period ? 'true' : undefined}>
                  {say(viewer, periodMessages[each])}
                </a>
              ))}
            </nav>
          </search>
        </div>
        {groups.length > 0 && (
          <nav class="tabs groups-of-sites" aria-label={say(viewer, m.groups)}>
            {groups.map(group => (
              <a href={page.hrefOf(group)}>
                {group.name} <small>{say(viewer, m.sites_in_group, { count: group.sites })}</small>
              </a>
            ))}
            {page.pathOf(listOf(SiteGroup)) !== undefined && <a href={page.pathOf(listOf(SiteGroup))}>{say(viewer, m.groups)} …</a>}
          </nav>
        )}
        {rows.length === 0 && <p class="card empty">{say(viewer, m.no_site_found)}</p>}
        <ul class="tiles">
          {inOrder(rows, { figures, pinned }).map(site => (
            <li>
              <SiteTile
                site={site}
                href={page.hrefOf(site)}
                figures={figures.get(site.id)}
                isPinned={pinned.includes(site.id)}
                pin={rows.length > 1 ? togglePin(url, site.id) : undefined}
                viewer={viewer}
              />
            </li>
          ))}
        </ul>
      </>
    )
  },
  { own: [PERIOD, PINNED, SWITCH], remembers: [PERIOD, PINNED], hasOptions: false, asks: () => ({ per_page: 100 }) },
)
