/** A site in a list: its name, who is there now, and its visitors of a period as a figure and a line. */
import type { Static } from '../../../runtime/table/schema.ts'
import type { Content } from '../../../runtime/table/page.ts'
import { Change } from '../../../runtime/ui/change.tsx'
import { Sparkline } from '../../../runtime/ui/charts/sparkline.tsx'
import { domainText } from '../../../runtime/ui/domain-text.ts'
import { plainNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { Icon, Letter } from '../../../runtime/ui/icons/icon.tsx'
import { ui } from '../../../runtime/ui/messages.ts'
import { say, sayParts } from '../../../runtime/texts/say.ts'
import type { Site, SiteFigures } from './records.ts'
import { m } from './messages.ts'

export interface SiteTileProps {
  readonly site: Static<typeof Site>
  readonly href: string | undefined
  readonly figures: SiteFigures | undefined
  readonly isPinned: boolean
  /** Leads to the list with the site pinned, or no longer pinned. */
  readonly pin: string | undefined
  readonly viewer: Viewer
}

export function SiteTile({ site, href, figures, isPinned, pin, viewer }: SiteTileProps) {
  const live = figures?.live ?? 0
  return (
    <article class="card tile">
      <div class="tile-of">
        <Letter text={site.name} size="large" />
        <div>
          <a href={href}>
            <b dir="auto">{domainText(site.name)}</b>
          </a>
          {site.domain !== null && site.name !== site.domain && <span class="help">{domainText(site.domain)}</span>}
        </div>
        {live > 0 && (
          <span class="tile-live" title={say(viewer, ui.visitors_now, { count: live })}>
            <span class="pulse" aria-hidden="true" />
            {plainNumber(live, viewer)} <span class="unseen">{say(viewer, m.now)}</span>
          </span>
        )}
        {pin !== undefined && (
          <a class={isPinned ? 'pin is-pinned' : 'pin'} href={pin}>
            <Icon name="pin" size="small" />
            <span class="unseen">{say(viewer, isPinned ? m.unpin : m.pin, { name: site.name })}</span>
          </a>
        )}
      </div>
      {figures && <Figures figures={figures} viewer={viewer} />}
    </article>
  )
}

function Figures({ figures: { series, now, before, newVisits }, viewer }: { figures: SiteFigures; viewer: Viewer }) {
  if (now.visitors === 0) return <p class="tile-figure">{say(viewer, m.no_visitors)}</p>
  const change = before?.visitors && typeof now.visitors === 'number' ? ((now.visitors - before.visitors) / before.visitors) * 100 : null
  return (
    <>
      <p class="tile-figure">
        {sayParts<Content, typeof m.visitors.english>(viewer, m.visitors, {
          count: typeof now.visitors === 'number' ? now.visitors : 0,
          shown: (<b>{typeof now.visitors === 'number' ? plainNumber(now.visitors, viewer) : '–'}</b>) as Content,
        })}{' '}
        {before !== undefined && typeof now.visitors === 'number' && (
          <Change value={change === null ? null : Math.round(change * 10) / 10} isCompared viewer={viewer} />
        )}
      </p>
      {newVisits !== undefined && newVisits > 0 && <p class="help">{say(viewer, m.new_visits, { count: newVisits })}</p>}
      <Sparkline values={series.map(value => value ?? 0)} isPartial />
    </>
  )
}
