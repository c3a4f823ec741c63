/** All sites on one page: the last 30 days of each as a line. */
import { area, line } from 'd3-shape'
import { plainNumber, shortNumber, type Viewer } from '../../../runtime/ui/format.ts'
import { say } from '../../../runtime/ui/languages/index.ts'
import { list, number, type Row, text } from './read.ts'
import { type Since, sinceLooked } from './since.ts'
import type { View } from './view.ts'

/** Each costs a report. */
const mostLines = 24

export const sites: View = {
  async show(seen) {
    const { data, viewer, ask, hrefOf } = seen
    const rows = list(data.rows)
    if (rows.length === 0) return undefined
    const series = await Promise.all(
      rows.slice(0, mostLines).map(async ({ id }) => {
        const answer = await ask('Timeseries', { period: '30d', metrics: ['visitors'] }, { site_id: text(id) })
        return answer && list(answer.series).map(point => number(point.visitors))
      }),
    )
    const since = await Promise.all(
      rows.slice(0, mostLines).map(({ id, timezone }) => sinceLooked(text(id), text(timezone) || 'UTC', seen)),
    )
    return {
      content: (
        <ul class="tiles">
          {rows.map((site, i) => (
            <li>
              <Tile
                site={site}
                href={hrefOf(site)}
                visitors={series[i]}
                since={since[i]}
                viewer={viewer}
                format={value => shortNumber(value, viewer)}
              />
            </li>
          ))}
        </ul>
      ),
    }
  },
}

interface TileProps {
  readonly site: Row
  readonly href: string | undefined
  readonly visitors: readonly number[] | undefined
  readonly since: Since | undefined
  readonly viewer: Viewer
  format(value: number): string
}

function Tile({ site, href, visitors, since, viewer, format }: TileProps) {
  const whole = visitors?.reduce((sum, each) => sum + each, 0) ?? 0
  return (
    <a class="card tile" href={href}>
      <b>{text(site.name)}</b>
      {site.name !== site.domain && <span class="help">{text(site.domain)}</span>}
      {visitors && visitors.length > 1 && (
        <>
          <Sparkline values={visitors} />
          <span>
            {whole === 0
              ? say(viewer, 'no_visitors_30')
              : say(viewer, 'visitors_a_day', { count: meanOf(whole / visitors.length, format) })}
          </span>
          {since && <span class="help">{say(viewer, 'new_visits', { count: plainNumber(since.visits, viewer) })}</span>}
        </>
      )}
    </a>
  )
}

/** People come whole. */
const meanOf = (mean: number, format: TileProps['format']): string => (mean < 1 ? '<1' : format(Math.round(mean)))

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
