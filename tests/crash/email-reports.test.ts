/**
 * kill -9 while reports are mailed, on Postgres by two processes at once: nobody is left out, and what goes out twice has
 * the same Message-ID.
 */
import assert from 'node:assert/strict'
import type { ChildProcess } from 'node:child_process'
import { test } from 'node:test'
import { setTimeout as later } from 'node:timers/promises'
import { isFull } from '../support/full.ts'
import { onSharedEngine } from '../support/engines.ts'
import { makeSite, request, startService } from '../support/world.ts'
import { startMailbox } from './mailbox.ts'
import { runWorkers, sideBySide } from './workers.ts'

const kills = Number(process.env.KILLS ?? (isFull ? 4 : 1))
const people = 10 * kills
/** Of one report. */
const MAX_RECIPIENTS = 40
/** Mails that are on their way at once. */
const lanes = 5
const MINUTE = 60_000

onSharedEngine('reports on their way', engine => {
  test(`reach everybody in spite of ${kills} kills between sending and marking`, async t => {
    // The mail is taken, and the answer to it is late: that is when the process is killed.
    const mailbox = await startMailbox(40)
    const { got } = mailbox
    const [SMTP_URL, BASE_URL] = [mailbox.url, 'https://stats.example.org']
    const service = await startService(engine, { SMTP_URL, BASE_URL })
    t.after(async () => {
      await service.close()
      await mailbox.close()
    })
    const world = await makeSite(service)
    const recipients = Array.from({ length: people }, (_, i) => `person-${i}@example.org`)
    let now = 0
    for (let from = 0; from < people; from += MAX_RECIPIENTS) {
      const made = await request(service, 'POST', `/workspaces/${world.ids.workspace}/email_reports`, {
        token: world.token,
        body: {
          name: 'Daily',
          frequency: 'daily',
          site_ids: [world.ids.site],
          recipients: recipients.slice(from, from + MAX_RECIPIENTS),
        },
      })
      now = Date.parse(made.body.data.next_at)
    }

    const workers = sideBySide(engine)
    const run = (kill?: (one: ChildProcess) => Promise<unknown>) =>
      runWorkers(
        { DATABASE_URL: service.url, TASKS: 'email_reports_plan,email_reports_send', SMTP_URL, BASE_URL, NOW: String(now) },
        workers,
        kill,
      )
    for (let kill = 0; kill < kills; kill++) {
      const before = got.length
      await run(async child => {
        while (got.length < before + 3 && child.exitCode === null) await later(2)
      })
      now += 11 * MINUTE
    }
    assert.ok(got.length <= people + kills * lanes)
    const pending = () =>
      service.store.read.selectFrom('email_report_mails').select('id').where('status', '=', 'pending').executeTakeFirst()
    for (let round = 0; round < 4 && (round === 0 || (await pending())); round++, now += 180 * MINUTE) await run()
    const rows = await service.store.read.selectFrom('email_report_mails').select(['id', 'email', 'status']).execute()
    assert.deepEqual([rows.length, [...new Set(rows.map(({ status }) => status))]], [people, ['sent']])
    const ids = new Map(rows.map(({ id, email }) => [email, `${id}@stats.example.org`]))
    for (const { to, id } of got) assert.equal(id, ids.get(to))
    const repeats = recipients.map(email => got.filter(({ to }) => to === email).length)
    assert.ok(Math.min(...repeats) >= 1, 'nobody is left out')
    assert.ok(got.length - people <= kills * lanes, 'only what was on its way is repeated')
    assert.ok(Math.max(...repeats) <= 2, 'nobody gets it a third time')
    // Of two processes, the other one may have claimed all that was due.
    assert.ok(got.length > people || workers > 1, 'the kills were in the middle')
    t.diagnostic(`${got.length} mails to ${people} people with ${kills} kills, ${Math.max(...repeats)} to one at most`)
  })
})
