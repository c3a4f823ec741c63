/** Returns everything for the overview page of a site, with a single query of the engine. */
import type { Static } from '../../../../runtime/table/schema.ts'
import type { Db } from '../../../../storage/store.ts'
import { localDay } from '../../../../storage/calendar/zones.ts'
import { hasPeople, headlineOf, metricsOf, zeroNotes } from '../chosen.ts'
import { toNote } from '../../../sites/notes/records.ts'
import { type Applied, spanOf } from '../applied.ts'
import type { Dimension } from '../../../../storage/engine/vocabulary/dimensions.ts'
import type { Span } from '../../../../storage/engine/vocabulary/scope.ts'
import type { Engine } from '../../../../storage/engine/index.ts'
import { ACTIVE_MS } from '../../../../storage/engine/vocabulary/active.ts'
import { resultOf } from '../result-of.ts'
import { included } from '../imported.ts'
import { comparedRows, periodOf, type Report, withIdentified, withImportedMeta, withNotes } from '../reports.ts'
import { queryOf } from '../scope-of.ts'
import { rowsAsked, rowsShown } from '../breakdown-rows.ts'
import { seriesOf } from '../series.ts'
import { askedForAll, changesOf, figuresOf, nothing, rowsWithImported, spansWithImported } from '../with-imported.ts'
import type { Overview } from './records.ts'

const ROWS = Object.freeze({ limit: 10, page: 1, sort: 'visitors' })
const MAX_NOTES = 100

interface OverviewOf {
  readonly panels: readonly Dimension[]
  readonly db: Db
  /** Epoch ms. */
  readonly now: number
  readonly engine: Engine
}

export async function overview(applied: Applied, { panels, db, now, engine }: OverviewOf): Promise<Report<Static<typeof Overview>>> {
  const { range, comparison, interval, site, meta } = applied
  const [headlines, points] = [[range, ...(comparison ? [comparison] : [])], seriesOf(applied)]
  const series = [...headlines.map(one => [spanOf(site.timezone, one, one)]), points.spans, points.comparisonSpans]
  const inclusion = included(applied, { interval })
  const { parts } = inclusion
  const asked = panels.map(dimension => rowsAsked(applied, dimension, ROWS))
  const joining = panels.map(dimension => parts && included(applied, { dimension: dimension.name }).parts)
  const {
    each: [counted, live, ...tops],
    notes,
  } = await engine.query({
    ...queryOf(applied),
    asked: {
      report: 'several',
      each: [
        { report: 'totals', series, isPeopleCounted: hasPeople(site) },
        { report: 'live', span: lately(now, site.timezone), activeFrom: now - ACTIVE_MS, limit: 0, latest: 0 },
        ...asked.map((one, i) => (joining[i] ? askedForAll(one) : one)),
      ],
    },
  })

  const sums = await Promise.all(
    resultOf('totals', counted).series.map((of, i) => {
      // The period and its series, each followed by its comparison; without one, its series is empty.
      const isBefore = i < headlines.length ? i === 1 : i === headlines.length + 1
      return parts ? spansWithImported(parts, { of: isBefore ? 'before' : 'now', spans: series[i] ?? [], sums: of }) : of
    }),
  )
  const rows = await Promise.all(
    panels.map(async (_, i) => {
      const [one, found, imported] = [asked[i], resultOf('breakdown', tops[i]), joining[i]]
      return one && imported
        ? rowsWithImported(imported, { asked: one, found, comparedRows: await comparedRows(applied, one, engine) })
        : found
    }),
  )
  const [head, headBefore] = sums.slice(0, headlines.length).flat()
  const [metrics, compared] = [head, headBefore].map(one => one && figuresOf(headlineOf(site), one))
  const [current, before] = sums.slice(headlines.length)
  const zeros = panels.flatMap(dimension => zeroNotes(dimension, metricsOf(dimension, applied.where)))
  const { series: shown, comparisonSeries } = points.shown(current ?? [], before ?? [])
  if (!metrics) throw new Error('a span was not counted')
  return {
    data: {
      period: periodOf(range),
      metrics,
      interval,
      series: shown,
      panels: panels.flatMap((dimension, i) => {
        const found = rows[i]
        if (!found) return []
        return [{ dimension: dimension.name, rows: rowsShown({ applied, dimension, found }), ...(parts && { imported: !!joining[i] }) }]
      }),
      live_visitors: resultOf('live', live).visitors,
      notes: await notesOf(db, site.id, range),
      ...(comparison && compared
        ? {
            comparison: {
              period: periodOf(comparison),
              metrics: compared,
              change: changesOf(metrics, compared, [{ sums: head ?? nothing }, { sums: headBefore ?? nothing }]),
              series: comparisonSeries,
            },
          }
        : {}),
    },
    meta: withNotes(
      withImportedMeta(withIdentified(meta, [head]), inclusion, {
        figures: [metrics, compared ?? {}],
        names: headlineOf(site),
        sums: [head, headBefore],
      }),
      [...notes, ...zeros],
      'visitors_of_report',
    ),
  }
}

/** Returns the last 5 minutes, including the current one. */
function lately(now: number, zone: string): Span {
  const [from, to] = [now - ACTIVE_MS, now + 1]
  return { from, to, fromDay: localDay(zone, from).day, toDay: localDay(zone, now).day, whole: false }
}

/** Returns notes ordered by time. */
async function notesOf(db: Db, siteId: string, { from, to }: { from: number; to: number }) {
  const latest = await db
    .selectFrom('notes')
    .selectAll()
    .where('site_id', '=', siteId)
    .where('at', '>=', from)
    .where('at', '<', to)
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_NOTES)
    .execute()
  return latest.reverse().map(toNote)
}
