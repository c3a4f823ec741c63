/** Writes the dataset as rows in the form of the hit store, one transaction for each day. */
import { dictionaryOf, propertyDictionary } from '../../../storage/hits/dictionaries.ts'
import { bigint, insertInto, int, real, text } from '../../../storage/sql/row-statements.ts'
import { type VisitDimension, visitDimensions } from '../../../storage/tables/index.ts'
import type { Store } from '../../../storage/store.ts'
import { type DayOfTraffic, type Hit, texts, type Visit } from './dataset.ts'
import { attentionTo, type Click, clicksOn, SELECTORS, selectorDictionary, type Vital, vitalsOf } from './measured.ts'

interface Of {
  readonly site: number
  readonly day: number
}
interface VisitOf extends Of {
  readonly visit: Visit
}
interface HitOf extends VisitOf {
  readonly seq: number
  readonly hit: Hit
}
interface PropOf extends HitOf {
  readonly key: number
  readonly value: number
}

export const visitId = ({ visitor, number }: Visit): number => visitor * 256 + number
export const views = ({ hits }: Visit): Hit[] => hits.filter(hit => hit.event === 0)
export const bounced = ({ hits }: Visit): number => (hits.length === 1 ? 1 : 0)
export const lasted = ({ hits }: Visit): number => (hits.at(-1)?.at ?? 0) - (hits[0]?.at ?? 0)
export const earned = ({ hits }: Visit): number => hits.reduce((sum, hit) => sum + hit.revenue, 0)

const dimensionOf =
  (name: VisitDimension) =>
  ({ visit }: VisitOf): number => {
    if (name === 'entry_page') return views(visit)[0]?.page ?? 0
    if (name === 'exit_page') return views(visit).at(-1)?.page ?? 0
    return name in visit ? Number(visit[name as keyof Visit]) : 0 // columns that the dataset lacks stay 0
  }

const ofDay = { site_id: int<Of>(of => of.site), day: int<Of>(of => of.day) }
const ofVisit = { ...ofDay, visit_id: bigint<VisitOf>(of => visitId(of.visit)) }

interface VitalOf extends HitOf {
  readonly vital: Vital
}
interface ClickOf extends HitOf {
  readonly click: Click
}

/** Vitals and clicks of a visit, numbered after its hits. The vitals of a page load share a number. */
function measuredOf(of: VisitOf): { readonly vitals: VitalOf[]; readonly clicks: ClickOf[]; readonly count: number } {
  const { visit } = of
  let seq = visit.hits.length
  const [vitals, clicks]: [VitalOf[], ClickOf[]] = [[], []]
  for (const [i, hit] of visit.hits.entries()) {
    const found = vitalsOf(visit, hit, i === 0)
    for (const vital of found) vitals.push({ ...of, hit, seq, vital })
    if (found.length > 0) seq++
    for (const click of clicksOn(visit, hit)) clicks.push({ ...of, hit, seq: seq++, click })
  }
  return { vitals, clicks, count: seq - visit.hits.length }
}
const measuredIn = (visit: Visit): number => measuredOf({ site: 0, day: 0, visit }).count

/** @returns a function that writes one day */
export function loader(store: Store, site: number): (day: DayOfTraffic) => Promise<void> {
  const dimensions = Object.fromEntries(visitDimensions.map(name => [name, int<VisitOf>(dimensionOf(name))]))
  const visits = insertInto<VisitOf, 'visits'>(store, {
    name: 'load-ours.visits',
    table: 'visits',
    columns: {
      ...ofVisit,
      ...(dimensions as Record<VisitDimension, ReturnType<typeof int<VisitOf>>>), // one entry for each dimension
      started_at: bigint(({ visit }) => visit.hits[0]?.at ?? 0),
      duration: int(({ visit }) => lasted(visit)),
      pageviews: int(({ visit }) => views(visit).length),
      events: int(({ visit }) => visit.hits.length - views(visit).length),
      bounce: int(({ visit }) => bounced(visit)),
      revenue: bigint(({ visit }) => earned(visit)),
      entry_after: int(() => 0),
      exit_after: int(({ visit }) => (views(visit).at(-1)?.at ?? 0) - (visit.hits[0]?.at ?? 0)),
      next_seq: int(({ visit }) => visit.hits.length + measuredIn(visit)),
      attended_at: bigint(({ visit }) => visit.hits.findLast(hit => attentionTo(visit, hit).engagedMs > 0)?.at ?? 0),
      person: int(({ visit }) => visit.person),
      person_after: int(() => 0),
      rev: int(() => 1),
    },
  })
  const hits = insertInto<HitOf, 'hits'>(store, {
    name: 'load-ours.hits',
    table: 'hits',
    columns: {
      ...ofVisit,
      seq: int(of => of.seq),
      at: bigint(({ hit }) => hit.at),
      page: int(({ hit }) => hit.page),
      event: int(({ hit }) => hit.event),
      interactive: int(({ hit }) => (hit.event === 0 ? 0 : 1)),
      revenue: bigint(({ hit }) => hit.revenue),
      engaged_ms: int(({ visit, hit }) => attentionTo(visit, hit).engagedMs),
      scroll: int(({ visit, hit }) => attentionTo(visit, hit).scroll),
      host: int(() => 0),
    },
  })
  const props = insertInto<PropOf, 'hit_props'>(store, {
    name: 'load-ours.props',
    table: 'hit_props',
    columns: {
      ...ofVisit,
      event: int(({ hit }) => hit.event),
      key: int(({ key }) => key),
      seq: int(of => of.seq),
      value: int(({ value }) => value),
      num: real(() => null),
    },
  })
  const vitals = insertInto<VitalOf, 'vitals'>(store, {
    name: 'load-ours.vitals',
    table: 'vitals',
    columns: {
      ...ofVisit,
      page: int(({ hit }) => hit.page),
      metric: text(({ vital }) => vital.metric),
      seq: int(of => of.seq),
      value: int(({ vital }) => vital.value),
      device: int(({ visit }) => visit.device),
    },
  })
  const clicks = insertInto<ClickOf, 'clicks'>(store, {
    name: 'load-ours.clicks',
    table: 'clicks',
    columns: {
      ...ofVisit,
      page: int(({ hit }) => hit.page),
      seq: int(of => of.seq),
      selector: int(({ click }) => click.selector),
      x: int(({ click }) => click.x),
      y: int(({ click }) => click.y),
    },
  })
  return ({ day, startsAt, endsAt, visits: visited }) =>
    store.transaction(async trx => {
      await trx
        .insertInto('site_days')
        .values({
          site_id: site,
          day,
          starts_at: startsAt,
          ends_at: endsAt,
          next_visitor: (visited.at(-1)?.visitor ?? 0) + 1,
          next_loose: 0,
          rev: 1,
          sealed_rev: 0,
        })
        .execute()
      const ofVisits = visited.map(visit => ({ site, day, visit }))
      const ofHits = ofVisits.flatMap(of => of.visit.hits.map((hit, seq) => ({ ...of, hit, seq })))
      const ofProps = ofHits.flatMap(of => of.hit.props.map(({ key, value }) => ({ ...of, key, value })))
      await visits(ofVisits)(trx)
      await hits(ofHits)(trx)
      await props(ofProps)(trx)
      const measured = ofVisits.map(measuredOf)
      await vitals(measured.flatMap(of => of.vitals))(trx)
      await clicks(measured.flatMap(of => of.clicks))(trx)
    })
}

export async function loadTexts(store: Store, site: number): Promise<void> {
  const insert = insertInto<{ dim: number; id: number; value: string }, 'dict'>(store, {
    name: 'load-ours.texts',
    table: 'dict',
    columns: {
      site_id: int(() => site),
      dim: int(of => of.dim),
      id: int(of => of.id),
      value: text(of => of.value),
    },
  })
  const { prop_value: values, ...rest } = texts
  const entries = [
    ...Object.entries(rest).map(([name, list]) => [dictionaryOf[name as keyof typeof rest], list] as const), // the object's own keys
    [selectorDictionary, SELECTORS] as const,
    ...texts.prop_key.map((_, i) => [propertyDictionary(i + 1), values] as const),
  ]
  const rows = entries.flatMap(([dim, list]) => list.map((value, i) => ({ dim, id: i + 1, value })))
  await store.transaction(async trx => {
    await insert(rows)(trx)
  })
}
