import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SegmentRouter } from '../../../adapters/http/router.ts'

/** The route that a path has, and its parameters. */
function matching(...routes: string[]) {
  const router = new SegmentRouter<string>()
  for (const route of routes) router.add('GET', route, route)
  return (path: string, method = 'GET') => {
    const [[first], values] = router.match(method, path)
    if (!first) return undefined
    const [route, places] = first
    return { route, ...Object.fromEntries(Object.entries(places).map(([name, place]) => [name, values?.[Number(place)]])) }
  }
}

test('a concrete segment goes before a parameter, whichever was added first', () => {
  const at = matching('/sites/:id', '/sites/all', '/sites/:id/goals', '/')
  assert.deepEqual(at('/sites/all'), { route: '/sites/all' })
  assert.deepEqual(at('/sites/pa_1'), { route: '/sites/:id', id: 'pa_1' })
  assert.deepEqual(at('/sites/pa_1/goals'), { route: '/sites/:id/goals', id: 'pa_1' })
  assert.deepEqual(at('/'), { route: '/' })
})

test('a concrete segment that leads nowhere gives way to a parameter', () => {
  const at = matching('/a/b/c', '/a/:x/:y', '/:z/b/d')
  assert.deepEqual(at('/a/b/e'), { route: '/a/:x/:y', x: 'b', y: 'e' })
  assert.deepEqual(at('/f/b/d'), { route: '/:z/b/d', z: 'f' })
  assert.equal(at('/f/b/c'), undefined)
})

test('parameters of different names stand in the same place', () => {
  const at = matching('/goals/:id', '/goals/:goal_id/visits', '/goals/:id/:part')
  assert.deepEqual(at('/goals/1/visits'), { route: '/goals/:goal_id/visits', goal_id: '1' })
  assert.deepEqual(at('/goals/1/other'), { route: '/goals/:id/:part', id: '1', part: 'other' })
})

test('a pattern takes the rest of the path, and only what it fits', () => {
  const at = matching('/share/:slug', '/share/:slug/:rest{.+}', '/:script{[a-z]+\\.js}')
  assert.deepEqual(at('/share/x/y/z'), { route: '/share/:slug/:rest{.+}', slug: 'x', rest: 'y/z' })
  assert.deepEqual(at('/share/x'), { route: '/share/:slug', slug: 'x' })
  assert.deepEqual(at('/abc.js'), { route: '/:script{[a-z]+\\.js}', script: 'abc.js' })
  for (const path of ['/abc.gif', '/a/abc.js', '/share/x/', '/']) assert.equal(at(path), undefined, path)
})

test('no route has a path with an empty segment, a longer or a shorter one, or another method', () => {
  const at = matching('/sites/:id', '/sites/:id/goals')
  for (const path of ['/sites', '/sites/', '/sites//goals', '/sites/1/', '/sites/1/goals/', '//sites/1', '/__proto__', '/constructor', ''])
    assert.equal(at(path), undefined, path)
  assert.equal(at('/sites/1', 'POST'), undefined)
  assert.deepEqual(at('/sites/__proto__'), { route: '/sites/:id', id: '__proto__' })
})
