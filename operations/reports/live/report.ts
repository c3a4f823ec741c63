/** Live visitors of a site. Clients poll this report every few seconds, so it reads only the open day. */
import type { Static } from '../../../runtime/table/schema.ts'
import { localDay } from '../../../storage/calendar/zones.ts'
import { MINUTE_MS } from '../../../storage/values/durations.ts'
import {
  ACTIVE_MS,
  dimensionOf,
  everythingOf,
  labelOf,
  localTime,
  periodOf,
  plainMeta,
  type Engine,
  type ReportMeta,
} from '../stats/index.ts'
import type { LiveSite } from '../../sites/sites/records.ts'
import type { Live } from './records.ts'

const MINUTES = 30
const ROWS = 10
const LATEST = 15

type Report = { data: Static<typeof Live>; meta: Static<typeof ReportMeta> }

/** @param now epoch ms @param hasLatest whether it lists single hits */
export async function liveReport(site: LiveSite, now: number, engine: Engine, hasLatest = false): Promise<Report> {
  const { timezone } = site
  const to = (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS
  const from = to - MINUTES * MINUTE_MS
  const activeFrom = now - ACTIVE_MS
  const days = { fromDay: localDay(timezone, from).day, toDay: localDay(timezone, now).day }
  const { visitors, pages, sources, countries, minutes, latest, notes } = await engine.query({
    ...everythingOf(site),
    asked: { report: 'live', span: { from, to, ...days, whole: false }, activeFrom, limit: ROWS, latest: hasLatest ? LATEST : 0 },
  })
  return {
    data: {
      period: periodOf({ from: activeFrom, to: now, fromDay: localDay(timezone, activeFrom).day, toDay: days.toDay }),
      metrics: { visitors },
      pages: labelled('page', pages),
      sources: labelled('source', sources),
      countries: labelled('country', countries),
      series: minutes.map((counted, i) => {
        const at = from + i * MINUTE_MS
        return { at: localTime(timezone, at), partial: at + MINUTE_MS > now, ...counted }
      }),
      latest: latest.map(each => ({ ...each, at: localTime(timezone, each.at) })),
    },
    meta: plainMeta(site, notes),
  }
}

function labelled<R extends { readonly value: string }>(name: string, rows: readonly R[]): (R & { label: string })[] {
  const dimension = dimensionOf(name)
  return rows.map(row => ({ ...row, label: dimension ? labelOf(dimension, row.value) : row.value }))
}
