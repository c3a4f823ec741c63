/** The state machine of an alert as tables of scenarios. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Finding, intervalOf, isAnnounced, nextEvaluation, stateAfter } from '../../../operations/watch/alerts/state.ts'
import type { AlertRow } from '../../../storage/tables/index.ts'

const findings: Record<string, Finding> = { x: 'breach', '.': 'clear', '?': 'unknown' }

/** One character for each evaluation: its result, and below it the transition (O opens, R resolves). */
const scenarios: [says: string, kind: AlertRow['kind'], found: string, becomes: string][] = [
  ['two breaches in a row open', 'threshold', 'xx', '-O'],
  ['one breach opens no incident of an anomaly alert', 'anomaly', '.x.x.x', '------'],
  ['an open incident does not open again', 'vitals', 'xxxxx', '-O---'],
  ['three clear in a row resolve', 'threshold', 'xx...', '-O--R'],
  ['two clear do not', 'anomaly', 'xx..x..x..', '-O--------'],
  ['after it resolved it takes two breaches again', 'threshold', 'xx...x.xx', '-O--R---O'],
  ['flapping opens once', 'threshold', 'x.x.xx.x.x.x...', '-----O--------R'],
  ['no value keeps the state, ok', 'threshold', '????x?x', '------O'],
  ['no value keeps the state, triggered', 'threshold', 'xx??.?.?.', '-O------R'],
  ['a goal opens at once', 'goal', 'x', 'O'],
  ['a goal resolves at once', 'goal', 'xx.x', 'O-RO'],
  ['silence is a fact at once', 'no_data', '.x.', '-OR'],
  ['usage of the plan opens and resolves at once', 'usage', 'xx.', 'O-R'],
  ['a check that is down opens and resolves at once', 'uptime', 'x?.', 'O-R'],
  ['a certificate that expires opens once', 'ssl', '.xx?', '-O--'],
]

describe('the state of an alert', () => {
  for (const [says, kind, found, becomes] of scenarios) {
    test(`${says}: ${kind} ${found}`, () => {
      let state: Pick<AlertRow, 'state' | 'streak'> = { state: 'ok', streak: 0 }
      let came = ''
      for (const sign of found) {
        const { change, ...after } = stateAfter(kind, state, findings[sign] ?? 'unknown')
        state = after
        came += change === 'opens' ? 'O' : change === 'resolves' ? 'R' : '-'
      }
      assert.equal(came, becomes)
    })
  }
})

test('evaluations are a fifth of the window apart, from 1 to 15 minutes', () => {
  const apart = [5, 10, 60, 75, 1440, 10_080].map(window_minutes => intervalOf({ window_minutes }) / 60_000)
  assert.deepEqual(apart, [1, 2, 12, 15, 15, 15])
})

test('the end of a mute is an evaluation of its own', () => {
  const alert = (muted_until: number | null) => nextEvaluation({ window_minutes: 60, muted_until }, 0) / 60_000
  assert.deepEqual([alert(null), alert(60_000), alert(30 * 60_000), alert(-60_000)], [12, 1, 12, 12])
})

describe('channels are notified of firing alerts', () => {
  const cases: [says: string, mutedUntil: number | null, announcedAt: number | null, now: number, told: boolean][] = [
    ['when it opens', null, null, 10, true],
    ['not while it is muted', 20, null, 10, false],
    ['not again', null, 5, 10, false],
    ['once the mute it opened in has ended', 10, null, 10, true],
    ['once the mute that came over it has ended', 10, 5, 10, true],
    ['not twice after the mute', 10, 11, 12, false],
    ['for the first time after it was unmuted', null, null, 10, true],
  ]
  for (const [says, muted_until, announcedAt, now, told] of cases) {
    test(says, () => assert.equal(isAnnounced({ muted_until }, announcedAt, now), told))
  }
})
