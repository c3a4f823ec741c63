/**
 * An engine that answers many small questions of measures by few large ones. Questions that differ only in their spans wait
 * for each other until the end of the turn, and every span is counted once.
 */
import { setImmediate } from 'node:timers'
import { type AnyQuestion, type Engine, type Query, resultOf, type Span } from '../../../reports/stats/index.ts'

type Asks = Pick<Engine, 'query'>
type Scope = Omit<Query, 'asked'>
type Of<R extends AnyQuestion['report']> = Extract<AnyQuestion, { readonly report: R }>
/** Answers lists of spans, each in order and without overlaps, with one result for each span. */
type AskAll = (lists: readonly (readonly Span[])[]) => Promise<readonly (readonly unknown[])[]>

export function batched(engine: Engine): Asks {
  const batches = new Map<string, (span: Span) => Promise<unknown>>()
  const each = (scope: Scope, rest: object, spans: readonly Span[], ask: AskAll): Promise<unknown[]> => {
    const key = JSON.stringify([scope, rest])
    const batch = batches.get(key) ?? batchOf(ask)
    batches.set(key, batch)
    return Promise.all(spans.map(batch))
  }

  const totals = async (scope: Scope, { series, ...rest }: Of<'totals'>) => {
    const found = await each(
      scope,
      rest,
      series.flat(),
      async lists => (await engine.query({ ...scope, asked: { ...rest, series: lists } })).series,
    )
    return { ...rest, series: cutLike(series, found) }
  }
  const divided = async (scope: Scope, { spans, ...rest }: Of<'divided'>) => {
    const found = (await each(scope, rest, spans, async lists => {
      const { each } = await engine.query({ ...scope, asked: { report: 'several', each: lists.map(spans => ({ ...rest, spans })) } })
      return lists.map((spans, i) => spans.map((_, place) => resultOf('divided', each[i]).series.map(points => points[place])))
    })) as unknown[][]
    return { ...rest, series: (found[0] ?? []).map((_, group) => found.map(groups => groups[group])) }
  }
  const vitals = async (scope: Scope, { spans, ...rest }: Of<'vitals'>) => ({
    ...rest,
    spans: await each(scope, rest, spans, async lists => {
      const { spans } = await engine.query({ ...scope, asked: { ...rest, spans: lists.flat() } })
      return cutLike(lists, spans)
    }),
  })
  async function query(question: Query): Promise<unknown> {
    const { asked, ...scope } = question
    if (asked.report === 'totals') return totals(scope, asked)
    if (asked.report === 'divided') return divided(scope, asked)
    if (asked.report === 'vitals') return vitals(scope, asked)
    if (asked.report === 'several')
      return { report: 'several', each: await Promise.all(asked.each.map(one => query({ ...scope, asked: one }))) }
    return engine.query(question)
  }
  return { query: query as Engine['query'] } // each answer has the form of its question
}

interface Waiting {
  readonly span: Span
  readonly answer: (found: unknown) => void
  readonly fail: (reason: unknown) => void
}

function batchOf(ask: AskAll): (span: Span) => Promise<unknown> {
  const known = new Map<string, Promise<unknown>>()
  let waiting: Waiting[] = []
  const flush = () => {
    const asked = waiting
    waiting = []
    const lists = apart(asked)
    ask(lists.map(list => list.map(({ span }) => span))).then(
      found => {
        for (const [i, list] of lists.entries()) for (const [place, one] of list.entries()) one.answer(found[i]?.[place])
      },
      (reason: unknown) => {
        for (const one of asked) one.fail(reason)
      },
    )
  }
  return span => {
    const key = `${span.from} ${span.to}`
    const before = known.get(key)
    if (before) return before
    const found = new Promise<unknown>((answer, fail) => {
      if (waiting.push({ span, answer, fail }) === 1) setImmediate(flush)
    })
    known.set(key, found)
    return found
  }
}

/** Divides spans into as few lists as there are at one time: each is in order and without overlaps. */
function apart(asked: readonly Waiting[]): Waiting[][] {
  const lists: Waiting[][] = []
  for (const one of asked.toSorted((a, b) => a.span.from - b.span.from || a.span.to - b.span.to)) {
    const free = lists.find(list => (list.at(-1)?.span.to ?? 0) <= one.span.from)
    if (free) free.push(one)
    else lists.push([one])
  }
  return lists
}

/** Cuts a flat list into lists as long as the given ones. */
function cutLike<T>(lists: readonly (readonly unknown[])[], flat: readonly T[]): T[][] {
  const rest = [...flat]
  return lists.map(({ length }) => rest.splice(0, length))
}
