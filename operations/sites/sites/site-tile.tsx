/** A site in a list: its name, and the visitors of its last 30 days as a line. */
import { area, line } from 'd3-shape'
import type { Child } from 'hono/jsx'
import type { Static } from '../../../runtime/table/schema.ts'
import { plainNumber, shortNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { Letter } from '../../../runtime/ui/icons/icon.tsx'
import type { Site, SiteFigures } from './records.ts'
import { m } from './messages.ts'
import { say } from '../../../runtime/texts/say.ts'

export interface SiteTileProps {
  readonly site: Static<typeof Site>
  readonly href: string | undefined
  readonly figures: SiteFigures | undefined
  readonly viewer: Viewer
}

export function SiteTile({ site, href, figures, viewer }: SiteTileProps) {
  const { newVisits } = figures ?? {}
  const visitors = figures?.visitors?.filter(each => each !== null)
  return (
    <a class="card tile" href={href}>
      <span class="tile-of">
        <span>
          <b>{site.name}</b>
          {site.name !== site.domain && <span class="help">{site.domain}</span>}
        </span>
        <Letter text={site.name} size="large" />
      </span>
      {visitors && visitors.length > 1 && (
        <>
          <span class="tile-figure">{visitorsADay(visitors, viewer)}</span>
          {newVisits !== undefined && <span class="help">{say(viewer, m.new_visits, { count: plainNumber(newVisits, viewer) })}</span>}
          <Sparkline values={visitors.length > 2 ? visitors.slice(0, -1) : visitors} />
        </>
      )}
    </a>
  )
}

function visitorsADay(visitors: readonly number[], viewer: Viewer): Child {
  const total = visitors.reduce((sum, each) => sum + each, 0)
  if (total === 0) return say(viewer, m.no_visitors_30)
  const mean = total / visitors.length
  return (
    <>
      <b>{mean < 1 ? '<1' : shortNumber(Math.round(mean), viewer)}</b> {say(viewer, m.visitors_a_day)}
    </>
  )
}

function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(1, ...values)
  const x = (_: number, i: number): number => Math.round((1_000 * i) / (values.length - 1)) / 10
  const y = (value: number): number => Math.round(950 - (900 * value) / most) / 10
  return (
    <svg class="spark plot" viewBox="0 0 100 100" preserveAspectRatio="none" aria-hidden="true" focusable="false">
      <path class="shade" d={area<number>().x(x).y0(100).y1(y)([...values]) ?? ''} />
      <path class="now" d={line<number>().x(x).y(y)([...values]) ?? ''} />
    </svg>
  )
}
