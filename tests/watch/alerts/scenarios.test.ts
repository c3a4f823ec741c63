/** Alerts on real hits over time: what is announced, and what is not. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { onAnyEngine } from '../../support/engines.ts'
import type { World } from '../../support/world.ts'
import { MINUTE, startWatching, type Announcements, watch, type Watching } from './watching.ts'

const STEP = 5 * MINUTE
const bouncing = { kind: 'threshold', site_id: '{{site}}', metric: 'bounce_rate', operator: 'gt', threshold: 50, window_minutes: 5 }

/**
 * One character for each step of five minutes: a visit that bounces (x), one that does not (.), none (?). A word is a
 * call before the next step. Below are the announcements: T and R events, t and r messages, (T) and (R) events while
 * muted.
 */
const scenarios: [says: string, happens: string, told: string][] = [
  ['two breaches tell, three clear ones tell again', 'x x x . . .', '- Tt - - - Rr'],
  ['a single breach and flapping tell nothing', 'x . x . x .', '- - - - - -'],
  ['no value keeps what is', '? x ? x ? . ? . .', '- - - Tt - - - - Rr'],
  ['a mute silences channels only', 'mute:60 x x . . .', '- (T) - - (R)'],
  ['a mute that ends while it fires tells once', 'mute:12 x x x x x x', '- (T) t - - -'],
  ['a mute that comes over it and ends tells once more', 'x x mute:8 x x x', '- Tt - t -'],
  ['a mute that ends after it resolved tells nothing', 'mute:30 x x . . . . .', '- (T) - - (R) - -'],
  ['a resolution is not announced if the opening was not', 'mute:12 x x . . .', '- (T) - - R'],
  ['unmuting tells of what fires', 'mute:600 x x unmute x x', '- (T) t -'],
  ['unmuting does not repeat an announcement', 'x x mute:600 unmute x', '- Tt -'],
  ['acknowledging silences nothing', 'x x acknowledge . . .', '- Tt - - Rr'],
  ['another threshold resolves and starts over', 'x x edit:60 x x', '- Tt Rr- Tt'],
  ['another name does not', 'x x name:Other x . . .', '- Tt - - - Rr'],
  ['disabling resolves, and nothing is evaluated', 'x x disable x x x', '- Tt Rr- - -'],
  ['enabling starts over', 'x disable x x enable x x', '- - - - Tt'],
]

const calls: Record<string, (argument: string) => [method: string, path: string, body: object]> = {
  mute: minutes => ['POST', '/mute', { minutes: Number(minutes) }],
  unmute: () => ['POST', '/mute', { minutes: 0 }],
  acknowledge: () => ['POST', '/acknowledge', {}],
  edit: threshold => ['PATCH', '', { threshold: Number(threshold) }],
  name: name => ['PATCH', '', { name }],
  disable: () => ['PATCH', '', { enabled: false }],
  enable: () => ['PATCH', '', { enabled: true }],
}

onAnyEngine('an alert while time passes', engine => {
  let watching: Watching
  before(async () => {
    watching = await startWatching(engine)
  })
  after(() => watching.close())

  let visitors = 0
  async function step(world: World, sign: string): Promise<void> {
    const { clock } = watching.service
    const who = `visitor ${++visitors}`
    const at = clock.now + 2 * MINUTE
    clock.now = at + 1
    if (sign !== '?') await watching.send(world, [{ at, who }, ...(sign === '.' ? [{ at: at + 1, who, page: '/next' }] : [])])
    clock.now -= 1
    await watching.pass(STEP - 2 * MINUTE)
  }

  for (const [says, happens, told] of scenarios) {
    test(`${says}: ${happens}`, async () => {
      const { world, id } = await watch(watching, bouncing)
      const came: string[] = []
      let pending = ''
      for (const word of happens.split(' ')) {
        const [name = '', argument = ''] = word.split(':')
        const call = calls[name]
        if (call) {
          const [method, path, body] = call(argument)
          const { status, text } = await watching.call(world, method, `/alerts/${id}${path}`, body)
          assert.equal(status, 200, text)
          pending += signs(await watching.announcements(world))
        } else {
          await step(world, word)
          came.push(pending + (signs(await watching.announcements(world)) || '-'))
          pending = ''
        }
      }
      assert.equal(came.join(' '), told)
    })
  }

  test('an incident returns its times, its values and who acknowledged it', async () => {
    const { world, id } = await watch(watching, bouncing)
    await step(world, 'x')
    await step(world, 'x')
    const opened = new Date(watching.service.clock.now).toISOString()
    await watching.call(world, 'POST', `/alerts/${id}/acknowledge`, {})
    for (let i = 0; i < 3; i++) await step(world, '.')
    const {
      body: {
        data: [incident, ...more],
      },
    } = await watching.call(world, 'GET', `/alerts/${id}/history`)
    assert.deepEqual(more, [])
    assert.deepEqual(incident, {
      triggered_at: opened,
      resolved_at: new Date(watching.service.clock.now).toISOString(),
      value: 100,
      message: 'A bounce rate of 100 % in 5 minutes; alerts above 50 %',
      acknowledged_at: opened,
      acknowledged_by: 'The owner',
    })
    const {
      body: { data: alert },
    } = await watching.call(world, 'GET', `/alerts/${id}`)
    assert.deepEqual(
      [alert.state, alert.last_triggered_at, alert.last_evaluated_at],
      ['ok', opened, new Date(watching.service.clock.now).toISOString()],
    )
  })

  test('deleting an alert notifies its channels that the incident is over', async () => {
    const { world, id } = await watch(watching, bouncing)
    await step(world, 'x')
    await step(world, 'x')
    await watching.announcements(world)
    await watching.call(world, 'DELETE', `/alerts/${id}`, {})
    assert.equal(signs(await watching.announcements(world)), 'Rr')
  })

  test('a measurement that fails keeps the state and is tried again after a minute', async () => {
    const {
      service: { store, clock },
    } = watching
    const { world, id } = await watch(watching, { kind: 'goal', site_id: '{{site}}', goal_id: '{{goal}}' })
    await store.write
      .deleteFrom('goals')
      .where('id', '=', world.ids.goal ?? '')
      .execute()
    await watching.run()
    const row = await store.read.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual([row.state, row.last_evaluated_at, row.leased_until, row.evaluate_at], ['ok', null, null, clock.now + MINUTE])
    assert.equal(signs(await watching.announcements(world)), '')
  })

  test('an alert that changes during its evaluation ignores the result', async () => {
    const {
      service: { store, clock },
    } = watching
    const { world, id } = await watch(watching, { kind: 'no_data', site_id: '{{site}}', threshold: 1, window_minutes: 5 })
    clock.now += 90 * MINUTE
    const running = watching.run()
    await watching.call(world, 'PATCH', `/alerts/${id}`, { threshold: 1000 })
    await running
    await watching.run()
    const row = await store.read.selectFrom('alerts').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
    assert.deepEqual([row.state, row.threshold, row.leased_until], ['ok', 1000, null])
  })
})

function signs({ events, messages }: Announcements): string {
  const letter = (type: string) => ({ 'alert.triggered': 'T', 'alert.resolved': 'R' })[type.split(' ')[0] ?? ''] ?? type
  const events_ = events.map(type => (type.endsWith(' muted') ? `(${letter(type)})` : letter(type))).join('')
  return events_ + messages.map(type => letter(type).toLowerCase()).join('')
}
