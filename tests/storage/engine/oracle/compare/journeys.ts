/** Journeys against brute force: every step, link and path. */
import assert from 'node:assert/strict'
import { journeys } from '../../../../../operations/reports/journeys/journeys.ts'
import { pathsOf } from '../oracle/journeys.ts'
import type { Asked } from '../questions.ts'

export async function journeysAgree(asked: Asked): Promise<void> {
  const {
    living: { oracle },
    applied,
    filters,
    part,
    before: compared,
    engine,
    drawn,
  } = asked
  const { mode, limit } = drawn
  const steps = 2 + ((limit + (drawn.goals[0] ?? 0)) % 9)
  const event = limit % 5 === 0 ? drawn.event : ''
  const isFromGoal = event === '' && mode === 'reverse' && limit % 2 === 0
  const wanted = isFromGoal ? (oracle.goals[drawn.goals[0] ?? 0] ?? null) : null
  const path = mode === 'forward' && limit % 2 === 0 ? '' : drawn.page
  const from = event !== '' ? { event } : wanted ? { goal_id: wanted.id } : { path }
  const { data } = await journeys(applied, { mode, steps, limit, ...from }, engine)
  assert.equal(data.steps.length, steps)

  const marked = event === '' ? wanted : { id: '', name: event, event }
  const at = { mode, path: path === '' ? null : path, goal: marked }
  const paths = pathsOf(oracle, part, filters, at)
  const before = compared && pathsOf(oracle, compared, filters, at)
  const count = <T>(all: readonly T[], is: (one: T) => boolean) => all.filter(is).length
  const share = (some: number) => (paths.length === 0 ? 0 : Math.round((1000 * some) / paths.length) / 10)
  assert.equal(data.visits, paths.length)

  for (const [i, step] of data.steps.entries()) {
    assert.equal(
      step.visits,
      count(paths, path => path.length > i),
    )
    assert.equal(
      step.ended,
      count(paths, path => path.length === i + 1),
    )
    assert.equal(
      step.rows.reduce((sum, row) => sum + row.visits, 0),
      step.visits,
    )
    assert.equal(
      step.rows.reduce((sum, row) => sum + row.ended, 0),
      step.ended,
    )
    assert.equal(step.comparison?.visits, before?.filter(path => path.length > i).length)
    const named = step.rows.filter(row => row.kind !== 'other')
    assert.equal(named.length, Math.min(limit, new Set(paths.flatMap(path => path.slice(i, i + 1))).size))
    const is = (row: (typeof named)[number]) => (path: string[]) =>
      path[i] === (row.kind === 'goal' || row.kind === 'event' ? 'goal' : row.value)
    for (const [r, row] of named.entries()) {
      assert.equal(row.visits, count(paths, is(row)))
      assert.equal(row.share, share(row.visits))
      assert.equal(
        row.ended,
        count(paths, path => is(row)(path) && path.length === i + 1),
      )
      assert.equal(row.comparison?.visits, before?.filter(is(row)).length)
      const next = named[r + 1]
      if (next) assert.ok(row.visits > next.visits || (row.visits === next.visits && row.value < next.value))
    }
    const rowOf = (j: number, page: string | undefined) => {
      const { rows } = data.steps[j] ?? assert.fail()
      const pageOf = (row: (typeof rows)[number]) => (row.kind === 'page' ? row.value : 'goal')
      const place = rows.findIndex(row => row.kind !== 'other' && pageOf(row) === page)
      return place < 0 ? rows.findIndex(row => row.kind === 'other') : place
    }
    for (const link of data.links.filter(one => one.step === i + 1)) {
      const goes = (path: string[]) => rowOf(i, path[i]) === link.from && rowOf(i + 1, path[i + 1]) === link.to
      assert.equal(
        link.visits,
        count(paths, path => path.length > i + 1 && goes(path)),
      )
    }
    const onward = data.links.filter(one => one.step === i + 1).reduce((sum, one) => sum + one.visits, 0)
    if (i < steps - 1) assert.equal(onward, step.visits - step.ended)
  }

  assert.equal(
    data.paths.reduce((sum, one) => sum + one.visits, 0),
    paths.length,
  )
  const shown = paths.map(path => {
    const viewed = path.slice(0, steps).filter(one => one !== 'goal')
    return (mode === 'forward' ? viewed : viewed.reverse()).join()
  })
  for (const one of data.paths.filter(({ kind }) => kind === 'path')) {
    assert.equal(
      one.visits,
      count(shown, path => path === one.pages.join()),
    )
  }
  assert.equal(
    count(data.paths, one => one.kind === 'path'),
    Math.min(limit, new Set(shown).size),
  )
}
