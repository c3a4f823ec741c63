/**
 * kill -9 while an update of a status page is mailed, and processes that are stopped past their leases: nobody is left out,
 * and only what was on its way goes out once more, as the same mail.
 */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { later, until } from '../runtime/tasks/tasks.ts'
import { chanceOf } from '../support/chance.ts'
import { isFull, testIfFull } from '../support/full.ts'
import { onSharedEngine } from '../support/engines.ts'
import { makePage, subscribed, type Telling } from '../watch/status-pages/telling.ts'
import { startWatching } from '../watch/alerts/watching.ts'
import { type Mailbox, startMailbox } from './mailbox.ts'
import { sideBySide, startWorker, type Work, type Worker } from './workers.ts'

const kills = Number(process.env.KILLS ?? (isFull ? 4 : 1))
const chance = chanceOf('status mails')
const people = isFull ? 60 : 30
/** Mails that a process sends at once. */
const lanes = 20
const BASE_URL = 'http://footfall.test'

onSharedEngine('an update of a status page on its way to its subscribers', engine => {
  /** An incident to be told, and what workers need to tell it in the same time, 10 times as fast as ours. */
  async function incident(mailbox: Mailbox) {
    const watching = await startWatching(engine, { SMTP_URL: mailbox.url })
    const telling: Telling = { watching, mail: { ...mailbox, mails: [], refusing: {} }, close: watching.close }
    const shown = await makePage(telling)
    for (let i = 0; i < people; i++) await subscribed(telling, shown, `person-${i}@example.org`)
    const { status } = await watching.call(shown.world, 'POST', `/status_pages/${shown.page}/incidents`, {
      title: 'Down',
      body: 'We look.',
    })
    assert.equal(status, 201)
    const { service } = watching
    const work: Work = {
      DATABASE_URL: service.url,
      TASKS: 'status_messages_make,status_messages_send',
      FOREVER: '1',
      LEASE: '30000',
      SMTP_URL: mailbox.url,
      BASE_URL,
      NOW: String(service.clock.now),
      SINCE: String(Date.now()),
      SPEED: '10',
    }
    const messages = () => service.store.read.selectFrom('status_messages').selectAll().execute()
    const isTold = async () => {
      const rows = await messages()
      return rows.length === people && rows.every(({ due_at, leased_until }) => due_at === null && leased_until === null)
    }
    /** People who got it, which is not written down. */
    const unnoted = async () =>
      new Set(mailbox.got.map(({ to }) => to)).size - (await messages()).filter(({ sent_at }) => sent_at !== null).length
    /** Every recipient got the mail, and recipients who got it twice got the same mail. */
    async function check(maxRepeats: number) {
      const rows = await messages()
      assert.deepEqual([...new Set(rows.map(({ attempt, sent_at }) => [attempt, sent_at !== null].join()))], ['0,true'])
      const ids = new Map<string, Set<string>>()
      for (const { to, id } of mailbox.got) ids.set(to, (ids.get(to) ?? new Set()).add(id))
      assert.equal(ids.size, people, 'nobody is left out')
      assert.ok([...ids.values()].every(({ size }) => size === 1))
      const repeats = mailbox.got.length - people
      assert.ok(repeats <= maxRepeats, `${repeats} repeated, of ${maxRepeats} that may have been on their way`)
      return repeats
    }
    return { work, isTold, unnoted, check, close: watching.close }
  }

  test(`reaches everybody in spite of ${kills} kills`, async t => {
    const mailbox = await startMailbox(60)
    const { work, isTold, unnoted, check, close } = await incident(mailbox)
    t.after(async () => {
      await close()
      await mailbox.close()
    })
    const workers = Array.from({ length: sideBySide(engine) }, () => startWorker(work))
    let hit = 0
    for (let kill = 0; kill < kills && !(await isTold()); kill++) {
      const at = kill % workers.length
      // The first is killed with a mail on its way.
      const target = mailbox.got.length + (kill === 0 ? 1 : chance.int(1, lanes))
      while (mailbox.got.length < target && !(await isTold())) await later(5)
      const open = mailbox.open()
      workers[at]?.kill()
      await workers[at]?.ended
      if (open > 0 || (await unnoted()) > 0) hit++
      if (isFull || workers.length === 1) workers[at] = startWorker(work)
    }
    await until(isTold)
    for (const worker of workers) worker.kill()
    const repeats = await check(hit * lanes)
    assert.ok(hit > 0, 'it was killed in the middle')
    t.diagnostic(`${hit} kills with mails on their way, ${repeats} mails repeated`)
  })

  for (const wakes of ['in the middle of the other', 'after the other has ended'] as const) {
    testIfFull(
      `is told by one process when another is stopped, and woken ${wakes}`,
      {
        skip: engine.name !== 'postgres' && 'one process',
      },
      async t => {
        const mailbox = await startMailbox(60)
        const { work, isTold, check, close } = await incident(mailbox)
        t.after(async () => {
          await close()
          await mailbox.close()
        })
        const first = startWorker(work)
        await until(() => mailbox.got.length >= 5)
        first.child.kill('SIGSTOP')
        await later(200) // what it has sent arrives
        const [onTheWay, before] = [mailbox.open(), mailbox.got.length]
        const second: Worker = startWorker(work)
        await until(async () => (wakes === 'after the other has ended' ? isTold() : mailbox.got.length > before + 10))
        first.child.kill('SIGCONT')
        await until(isTold)
        await later(1_000)
        for (const worker of [first, second]) worker.kill()
        // What the second one had claimed when the first went on is its own; what both had sent is on its way twice, and so is
        // what the first had claimed without a connection yet.
        const repeats = await check(lanes)
        t.diagnostic(`${onTheWay} on their way when it was stopped, ${repeats} repeated`)
      },
    )
  }
})
