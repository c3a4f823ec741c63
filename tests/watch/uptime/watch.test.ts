/** The states of a check as tables of results by location, to the second. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Location } from '../../../operations/watch/uptime/location.ts'
import { type StateChange, watch, type Watched } from '../../../operations/watch/uptime/watch.ts'

/** A row: seconds since the check was created, the location, and the result: `ok` or an error. */
type Row = readonly [second: number, location: string, saw: string]
/** The expected change: the second of the decision, the new state, and the second it began. */
type Expected = readonly [decided: number, to: 'up' | 'down', began: number, errors?: Record<string, number>, failed?: string[]]

const scenarios: [title: string, rows: readonly Row[], turns: readonly Expected[], timing?: { interval: number; timeout: number }][] = [
  ['a new check is up with its first success', [[0, 'a', 'ok']], [[0, 'up', 0]]],
  [
    'a new check is down after three failures',
    [
      [0, 'a', 'timeout'],
      [30, 'a', 'timeout'],
      [60, 'a', 'timeout'],
    ],
    [[60, 'down', 0, { timeout: 3 }, ['a']]],
  ],
  [
    'two failures change no state',
    [
      [0, 'a', 'timeout'],
      [30, 'a', 'timeout'],
    ],
    [],
  ],
  [
    'an outage begins at the first of the three failures',
    [
      [0, 'a', 'ok'],
      [60, 'a', 'status_503'],
      [90, 'a', 'status_503'],
      [120, 'a', 'timeout'],
    ],
    [
      [0, 'up', 0],
      [120, 'down', 60, { status_503: 2, timeout: 1 }, ['a']],
    ],
  ],
  [
    'a check is up again after two successes, from the first of them',
    [
      [0, 'a', 'ok'],
      [60, 'a', 'x'],
      [90, 'a', 'x'],
      [120, 'a', 'x'],
      [180, 'a', 'ok'],
      [210, 'a', 'ok'],
    ],
    [
      [0, 'up', 0],
      [120, 'down', 60, { x: 3 }, ['a']],
      [210, 'up', 180],
    ],
  ],
  [
    'a flapping target that never fails three times in a row stays up',
    [
      [0, 'a', 'ok'],
      [60, 'a', 'x'],
      [90, 'a', 'x'],
      [120, 'a', 'ok'],
      [180, 'a', 'x'],
      [210, 'a', 'x'],
      [240, 'a', 'ok'],
      [300, 'a', 'x'],
      [330, 'a', 'ok'],
    ],
    [[0, 'up', 0]],
  ],
  [
    'a flapping target that never succeeds twice in a row stays down',
    [
      [0, 'a', 'x'],
      [30, 'a', 'x'],
      [60, 'a', 'x'],
      [90, 'a', 'ok'],
      [120, 'a', 'x'],
      [150, 'a', 'ok'],
      [180, 'a', 'x'],
    ],
    [[60, 'down', 0, { x: 3 }, ['a']]],
  ],
  [
    'a second outage begins at the failures after the recovery',
    [
      [0, 'a', 'x'],
      [30, 'a', 'x'],
      [60, 'a', 'x'],
      [90, 'a', 'ok'],
      [120, 'a', 'ok'],
      [180, 'a', 'y'],
      [210, 'a', 'y'],
      [240, 'a', 'y'],
    ],
    [
      [60, 'down', 0, { x: 3 }, ['a']],
      [120, 'up', 90],
      [240, 'down', 180, { y: 3 }, ['a']],
    ],
  ],

  [
    'a check is up while one of three locations sees it down',
    [
      [0, 'a', 'ok'],
      [0, 'b', 'ok'],
      [0, 'c', 'ok'],
      [60, 'a', 'x'],
      [60, 'b', 'ok'],
      [60, 'c', 'ok'],
      [90, 'a', 'x'],
      [120, 'a', 'x'],
      [120, 'b', 'ok'],
      [120, 'c', 'ok'],
    ],
    [[0, 'up', 0]],
  ],
  [
    'a check is down if two of three locations see it down, from their first failure',
    [
      [0, 'a', 'ok'],
      [0, 'b', 'ok'],
      [0, 'c', 'ok'],
      [60, 'a', 'x'],
      [62, 'b', 'y'],
      [63, 'c', 'ok'],
      [90, 'a', 'x'],
      [92, 'b', 'y'],
      [120, 'a', 'x'],
      [122, 'b', 'y'],
    ],
    [
      [0, 'up', 0],
      [122, 'down', 60, { x: 3, y: 3 }, ['a', 'b']],
    ],
  ],
  [
    'a check that is up stays up if half of the locations see it down',
    [
      [0, 'a', 'ok'],
      [1, 'b', 'ok'],
      [60, 'a', 'x'],
      [61, 'b', 'ok'],
      [90, 'a', 'x'],
      [120, 'a', 'x'],
      [121, 'b', 'ok'],
    ],
    [[0, 'up', 0]],
  ],
  [
    'a check that is down stays down if half of the locations see it up',
    [
      [0, 'a', 'x'],
      [1, 'b', 'x'],
      [30, 'a', 'x'],
      [31, 'b', 'x'],
      [60, 'a', 'x'],
      [61, 'b', 'x'],
      [90, 'a', 'ok'],
      [91, 'b', 'x'],
      [120, 'a', 'ok'],
      [121, 'b', 'x'],
    ],
    [[61, 'down', 0, { x: 6 }, ['a', 'b']]],
  ],
  [
    'a recovery begins at the first success of the majority, regardless of locations that never failed',
    [
      [0, 'a', 'ok'],
      [0, 'b', 'ok'],
      [0, 'c', 'ok'],
      [60, 'a', 'x'],
      [60, 'b', 'x'],
      [60, 'c', 'ok'],
      [90, 'a', 'x'],
      [90, 'b', 'x'],
      [120, 'a', 'x'],
      [120, 'b', 'x'],
      [120, 'c', 'ok'],
      [180, 'a', 'x'],
      [180, 'b', 'ok'],
      [180, 'c', 'ok'],
      [210, 'b', 'ok'],
    ],
    [
      [0, 'up', 0],
      [120, 'down', 60, { x: 6 }, ['a', 'b']],
      [210, 'up', 180],
    ],
  ],
  [
    'earlier failures of a single location are not part of the outage',
    [
      [0, 'a', 'ok'],
      [0, 'b', 'ok'],
      [0, 'c', 'ok'],
      [60, 'a', 'x'],
      [60, 'b', 'ok'],
      [60, 'c', 'ok'],
      [90, 'a', 'x'],
      [120, 'a', 'x'],
      [120, 'b', 'ok'],
      [120, 'c', 'ok'],
      [180, 'a', 'x'],
      [180, 'b', 'ok'],
      [180, 'c', 'ok'],
      [240, 'a', 'x'],
      [240, 'b', 'x'],
      [240, 'c', 'ok'],
      [270, 'b', 'x'],
      [300, 'b', 'x'],
    ],
    [
      [0, 'up', 0],
      [300, 'down', 240, { x: 8 }, ['a', 'b']],
    ],
  ],

  [
    'a silent location does not count 2×60+10 s after its last result',
    [
      [0, 'a', 'ok'],
      [0, 'b', 'ok'],
      [60, 'a', 'x'],
      [60, 'b', 'ok'],
      [90, 'a', 'x'],
      [120, 'a', 'x'],
      [180, 'a', 'x'],
      [190, 'a', 'x'],
      [191, 'a', 'x'],
    ],
    [
      [0, 'up', 0],
      [191, 'down', 60, { x: 6 }, ['a']],
    ],
  ],
  [
    'a silent location counts again with its next result',
    [
      [0, 'a', 'ok'],
      [0, 'b', 'ok'],
      [60, 'a', 'x'],
      [90, 'a', 'x'],
      [120, 'a', 'x'],
      [180, 'a', 'x'],
      [200, 'b', 'ok'],
      [240, 'a', 'x'],
    ],
    [
      [0, 'up', 0],
      [180, 'down', 60, { x: 4 }, ['a']],
    ],
  ],
  [
    'if two of three locations are silent, the third decides',
    [
      [0, 'a', 'ok'],
      [0, 'b', 'ok'],
      [0, 'c', 'ok'],
      [60, 'a', 'x'],
      [90, 'a', 'x'],
      [120, 'a', 'x'],
      [130, 'a', 'x'],
      [131, 'a', 'x'],
    ],
    [
      [0, 'up', 0],
      [131, 'down', 60, { x: 5 }, ['a']],
    ],
  ],
  [
    'a location without a decision counts towards the majority',
    [
      [0, 'a', 'ok'],
      [10, 'b', 'x'],
      [40, 'b', 'x'],
      [60, 'a', 'ok'],
    ],
    [[0, 'up', 0]],
  ],
  [
    'if all locations are silent, the state stays, and a single location continues its count',
    [
      [0, 'a', 'ok'],
      [600, 'a', 'x'],
      [1200, 'a', 'x'],
    ],
    [[0, 'up', 0]],
  ],

  [
    'a result that is older than the last one of its location changes nothing',
    [
      [0, 'a', 'ok'],
      [60, 'a', 'ok'],
      [30, 'a', 'x'],
      [90, 'a', 'x'],
      [120, 'a', 'x'],
    ],
    [[0, 'up', 0]],
  ],
  [
    'two results of the same time count once',
    [
      [0, 'a', 'x'],
      [0, 'a', 'x'],
      [30, 'a', 'x'],
    ],
    [],
  ],
  [
    'a location of a check with a long interval is silent only after 2×300+30 s',
    [
      [0, 'a', 'ok'],
      [300, 'a', 'x'],
      [330, 'a', 'x'],
      [360, 'a', 'x'],
    ],
    [
      [0, 'up', 0],
      [360, 'down', 300, { x: 3 }, ['a']],
    ],
    { interval: 300, timeout: 30 },
  ],
]

const createdAt = Date.parse('2026-03-10T12:00:00Z')
const second = (at: number) => (at - createdAt) / 1000

function play(rows: readonly Row[], { interval = 60, timeout = 10 } = {}) {
  let check: Watched = {
    status: 'pending',
    status_since: createdAt,
    watched_since: createdAt,
    interval_seconds: interval,
    timeout_seconds: timeout,
    last_checked_at: null,
    last_response_ms: null,
  }
  let locations: ReadonlyMap<string, Location> = new Map()
  const turns: (readonly [number, StateChange])[] = []
  for (const [at, location, saw] of rows) {
    const result = { at: createdAt + at * 1000, location, ok: saw === 'ok', error: saw === 'ok' ? null : saw, ms: saw === 'ok' ? 50 : null }
    const after = watch({ check, known: locations, results: [result], now: Math.max(result.at, check.last_checked_at ?? 0) })
    for (const each of after.happened) if (each.to !== 'same') turns.push([at, each])
    check = after.check
    locations = after.locations
  }
  return { check, turns }
}

describe('the state of a check', () => {
  for (const [title, rows, expected, timing] of scenarios) {
    test(title, () => {
      const { check, turns } = play(rows, timing)
      assert.deepEqual(
        turns.map(([decided, { to, at, errors, failed }]) => [
          decided,
          to,
          second(at),
          ...(to === 'down' ? [errors, [...failed].sort()] : []),
        ]),
        expected.map(([decided, to, began, errors, failed]) => [decided, to, began, ...(to === 'down' ? [errors, failed] : [])]),
      )
      assert.equal(check.status, expected.at(-1)?.[1] ?? 'pending')
      assert.equal(check.status_since, createdAt + (expected.at(-1)?.[2] ?? 0) * 1000)
    })
  }

  test('results give the same state in one batch as one by one', () => {
    for (const [title, rows] of scenarios.slice(0, 8)) {
      const results = rows.map(([at, location, saw]) => ({
        at: createdAt + at * 1000,
        location,
        ok: saw === 'ok',
        error: saw === 'ok' ? null : saw,
        ms: null,
      }))
      const start: Watched = { ...play([]).check }
      const { check } = watch({ check: start, known: new Map(), results, now: createdAt + (rows.at(-1)?.[0] ?? 0) * 1000 })
      assert.equal(check.status, play(rows).check.status, title)
    }
  })

  test('a paused check does not change its state', () => {
    const results = [0, 30, 60].map(at => ({ at: createdAt + at * 1000, location: 'a', ok: false, error: 'x', ms: null }))
    const { check, happened } = watch({
      check: { ...play([]).check, status: 'paused' },
      known: new Map(),
      results,
      now: createdAt + 60_000,
    })
    assert.deepEqual([check.status, happened], ['paused', []])
  })

  test('errors with hostile names are counted like any other', () => {
    const { turns } = play([
      [0, 'a', '__proto__'],
      [30, 'a', 'constructor'],
      [60, 'a', '__proto__'],
    ])
    assert.deepEqual(Object.entries(turns[0]?.[1].errors ?? {}), [
      ['__proto__', 2],
      ['constructor', 1],
    ])
  })
})
