/** Checks of `/readyz` that take their time. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type CheckFault, check, checksOf } from '../../runtime/table/check.ts'
import { onAnyEngine } from '../support/engines.ts'
import { startService, type TestService } from '../support/world.ts'

const full: CheckFault = { reason: 'the disk is full', isUnready: true }

onAnyEngine('a check of /readyz', engine => {
  let service: TestService
  before(async () => {
    service = await startService(engine)
  })
  after(() => service.close())

  /** A check that answers when the test says so, and how often it was started. */
  function slow(patienceMs = 0) {
    const clock = { ms: 0 }
    const started: ((fault: CheckFault | undefined) => void)[] = []
    const disk = check({ what: 'the disk', start: async () => {}, now: () => new Promise(resolve => started.push(resolve)) })
    return { clock, started, faults: checksOf(service.app, [disk], { now: () => clock.ms, patienceMs }) }
  }

  test('that takes its time keeps its last answer for 15 s, then it has failed, and its late answer counts again', async () => {
    const { clock, started, faults } = slow()
    assert.deepEqual(await faults(), [], 'the start has checked it')
    clock.ms = 14_999
    assert.deepEqual(await faults(), [])
    clock.ms = 15_000
    assert.deepEqual(await faults(), [{ reason: 'the disk does not answer', isUnready: true }])
    assert.equal(started.length, 1, 'at most once at a time')
    started[0]?.(full)
    await new Promise(setImmediate)
    assert.deepEqual(await faults(), [full], 'the next one takes its time, too')
    assert.equal(started.length, 2)
  })

  test('that answers in time counts at once', async () => {
    const { started, faults } = slow(240_000)
    for (const fault of [full, undefined]) {
      const asked = faults()
      started.at(-1)?.(fault)
      assert.deepEqual(await asked, fault ? [fault] : [])
    }
  })
})
