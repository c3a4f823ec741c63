/** Opens a cluster. This module is loaded with the first use, since few installations have a cluster. */
import { setTimeout } from 'node:timers/promises'
import { among, type Cluster } from './cluster.ts'
import { type ClusterSettings, type Connection, openConnection, type Result } from './connection.ts'
import { type CopyOf, isSummed, writtenOf } from './day-blocks.ts'
import { clickFields, type DayRows, rowsOf, visitFields, vitalFields } from './day-rows.ts'
import { mergeParts } from './merging.ts'
import {
  clickTypes,
  clusterTables,
  hitTypes,
  makeTables,
  named,
  ownTable,
  propTypes,
  type TableName,
  tableNames,
  vitalTypes,
  visitTypes,
} from './tables.ts'

const VISITS_A_VISITOR = 256
/** Time for replicas to receive what another one has stored, ms. */
const LAG_MS = 15_000
const ASKED_AGAIN_MS = 200
/** The longest silence of a shard during a read of rows, ms. The reader holds a lock, so the read then ends. */
const SILENT_MS = 5_000

export function openCluster(settings: ClusterSettings): Cluster {
  const connection = openConnection(settings)
  let prepared: Promise<void> | undefined

  function prepare(): Promise<void> {
    prepared ??= makeTables(connection, settings)
    prepared.catch(() => {
      prepared = undefined
    })
    return prepared
  }

  async function ping(signal?: AbortSignal): Promise<void> {
    const one = settings.cluster === '' ? 'system.one' : `cluster(${settings.cluster}, system, one)`
    await connection.read(`select count() as n from ${one}`, signal)
  }

  const select: Cluster['select'] = (table, site, copies, selected, order, group, signal) =>
    connection
      .read(
        `select day, ${Object.entries(selected).map(([name, of]) => `${of} as r_${name}`)} from ${table}
       where ${among(site, copies)}${group === undefined ? ` order by day, ${order}` : ` group by ${group}`}`,
        signal,
      )
      .then(({ rows, column }) => ({ rows, column: name => column(name === 'day' ? name : `r_${name}`) }))

  return {
    settings,
    prepare,
    select,
    ping,
    read: connection.read,
    close: connection.close,

    async write(of, rows) {
      await prepare()
      const all = writtenOf(of, rows)
      for (const table of tableNames) {
        const { rows: count, sums, blocks } = all[table]
        for (const block of blocks()) await connection.insert(table, columnsOf(table), block)
        await confirm(connection, { table, of, count, sums, patience: settings.cluster === '' ? 0 : LAG_MS })
      }
    },

    rows: (site, { day, copy }) =>
      whileAnswering(ping, async signal => {
        const found = async (table: TableName, order: string, ...types: Readonly<Record<string, string>>[]) => {
          const names = types.flatMap(each => Object.keys(each)).filter(name => name !== 'day')
          return select(table, site, [{ day, copy }], Object.fromEntries(names.map(name => [name, name])), order, undefined, signal)
        }
        const visits = await found('footfall_visits', 'visitor, number', visitTypes, hitTypes, propTypes)
        const vitals = await found('footfall_vitals', 'page, metric, device, visitor, number, seq', vitalTypes)
        const clicks = await found('footfall_clicks', 'page, selector, visitor, number, seq', clickTypes)
        return rowsFrom(visits, vitals, clicks)
      }),

    async merge(how) {
      await prepare()
      await mergeParts(connection, settings, how)
    },

    async remove(copies) {
      if (copies.length === 0) return
      const these = copies.map(({ site, day, copy }) => `(${site}, ${day}, ${copy})`).join(', ')
      for (const table of tableNames) {
        await connection.begin(`alter table ${named(ownTable(table, settings), settings)} delete where (site, day, copy) in (${these})`)
      }
    },

    async left(copies) {
      const found = new Set<number>()
      if (copies.length === 0) return found
      await prepare() // those that were noted may all have been of days without visits, and never written
      const these = copies.map(({ site, day, copy }) => `(${site}, ${day}, ${copy})`).join(', ')
      for (const table of tableNames) {
        const { rows, column } = await connection.read(
          `select copy from ${table} where site in (${[...new Set(copies.map(({ site }) => site))]}) and (site, day, copy) in (${these}) group by copy`,
        )
        const { values } = column('copy')
        for (let i = 0; i < rows; i++) found.add(values[i] ?? 0)
      }
      return found
    },
  }
}

/** Ends a read after a shard is silent too long. A large day takes long, so the read itself has no limit. */
async function whileAnswering<T>(ping: Cluster['ping'], read: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const over = new AbortController()
  async function watch(): Promise<never> {
    for (;;) {
      await ping(AbortSignal.any([over.signal, AbortSignal.timeout(SILENT_MS)]))
      await setTimeout(SILENT_MS / 2, undefined, { signal: over.signal })
    }
  }
  try {
    return await Promise.race([read(over.signal), watch()])
  } finally {
    over.abort()
  }
}

function columnsOf(table: TableName): string[] {
  const { values, arrays } = clusterTables[table]
  return [...Object.keys(values), ...Object.keys(arrays)]
}

interface Confirm {
  readonly table: TableName
  readonly of: CopyOf
  readonly count: number
  readonly sums: ReadonlyMap<string, number>
  readonly patience: number
}

/**
 * @param patience time for replicas that do not have all of the copy yet, ms
 * @throws Error if the copy that is stored has another number of rows, or other sums
 */
async function confirm(connection: Connection, { table, of: { site, day, copy }, count, sums, patience }: Confirm): Promise<void> {
  const { values, arrays } = clusterTables[table]
  const added = [
    ...Object.entries(values)
      .filter(([name, type]) => isSummed({ name, type }))
      .map(([name]) => `sum(${name}) as s_${name}`),
    ...Object.entries(arrays)
      .filter(([name, type]) => isSummed({ name, type }))
      .map(([name]) => `sum(arraySum(${name})) as s_${name}`),
  ]
  const read = () => connection.read(`select count() as n, ${added.join(', ')} from ${table} where ${among(site, [{ day, copy }])}`)
  const countOf = ({ rows, column }: Result) => (rows === 0 ? 0 : (column('n').values[0] ?? 0))
  const until = Date.now() + patience
  let found = await read()
  while (countOf(found) < count && Date.now() < until) {
    await setTimeout(ASKED_AGAIN_MS)
    found = await read()
  }
  const stored = countOf(found)
  if (stored !== count) throw new Error(`a copy of a day has ${stored} rows in ${table}, not ${count}`)
  if (count === 0) return
  for (const [name, sum] of sums) {
    const added = found.column(`s_${name}`).values[0]
    if (added !== sum) throw new Error(`a copy of a day has another sum of ${name} in ${table}: ${added}, not ${sum}`)
  }
}

function rowsFrom(visits: Result, vitals: Result, clicks: Result): DayRows {
  const of = ({ column }: Result, name: string): number[] => Array.from(column(name).values)
  const ids = (result: Result): number[] => {
    const [visitor, number] = [of(result, 'visitor'), of(result, 'number')]
    return visitor.map((each, i) => each * VISITS_A_VISITOR + (number[i] ?? 0))
  }
  const visitIds = ids(visits)
  const base = of(visits, 'base')
  /** The visit of each hit or property. */
  const visitOf = (ends: ArrayLike<number>): number[] =>
    visitIds.flatMap((_, v) => Array<number>((ends[v] ?? 0) - (v === 0 ? 0 : (ends[v - 1] ?? 0))).fill(v))
  const hitEnds = visits.column('h_at').ends ?? []
  const ofHits = visitOf(hitEnds)
  const [seqs, events] = [of(visits, 'h_seq'), of(visits, 'h_event')]
  const ofProps = visitOf(visits.column('p_hit').ends ?? [])
  const hitOfProp = of(visits, 'p_hit').map((place, i) => place + ((ofProps[i] ?? 0) === 0 ? 0 : (hitEnds[(ofProps[i] ?? 0) - 1] ?? 0)))
  const ofVisits: Readonly<Record<string, number[]>> = {
    visit_id: visitIds,
    started_at: of(visits, 'started').map((at, v) => at + (base[v] ?? 0)),
    attended_at: of(visits, 'attended').map((at, v) => (at === 0 ? 0 : at - 1 + (base[v] ?? 0))),
  }
  return {
    visits: rowsOf(visitFields, name => ofVisits[name] ?? of(visits, name)),
    hits: {
      visit_id: ofHits.map(v => visitIds[v] ?? 0),
      seq: seqs,
      at: of(visits, 'h_at').map((at, h) => at + (base[ofHits[h] ?? 0] ?? 0)),
      page: of(visits, 'h_page'),
      event: events,
      interactive: of(visits, 'h_interactive'),
      revenue: of(visits, 'h_revenue'),
      engaged_ms: of(visits, 'h_engaged'),
      scroll: of(visits, 'h_scroll'),
      host: of(visits, 'h_host'),
    },
    props: {
      visit_id: ofProps.map(v => visitIds[v] ?? 0),
      seq: hitOfProp.map(h => seqs[h] ?? 0),
      event: hitOfProp.map(h => events[h] ?? 0),
      key: of(visits, 'p_key'),
      value: of(visits, 'p_value'),
      num: of(visits, 'p_num'),
    },
    vitals: rowsOf(vitalFields, name => (name === 'visit_id' ? ids(vitals) : of(vitals, name))),
    clicks: rowsOf(clickFields, name => (name === 'visit_id' ? ids(clicks) : of(clicks, name))),
  }
}
