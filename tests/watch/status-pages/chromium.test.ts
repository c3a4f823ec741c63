/** The public page as people see it: light, dark, wide, narrow, without scripts and without a cookie. */
import assert from 'node:assert/strict'
import type { Server } from 'node:http'
import { test } from 'node:test'
import { serve } from '@hono/node-server'
import { faultsOf } from '../../support/axe.ts'
import { launchChromium, withoutChromium } from '../../support/chromium.ts'
import { engines } from '../../support/engines.ts'
import { DAY, HOUR, makePage, startTelling } from './telling.ts'
import { freePort } from '../../support/ports.ts'

test('a status page in Chromium', { skip: withoutChromium }, async t => {
  const [engine] = engines
  assert.ok(engine)
  const port = await freePort()
  const base = `http://127.0.0.1:${port}`
  const telling = await startTelling(engine, { BASE_URL: base })
  const { service, call } = telling.watching
  const server = serve({ fetch: service.web.fetch, port, hostname: '127.0.0.1' }) as Server
  const browser = await launchChromium()
  try {
    const word = 'Donaudampfschifffahrtsgesellschaftskapitaensmuetze'
    const { world, page, slug, checks } = await makePage(telling, 3, { name: `Acme ${word}`, show_response_times: true })
    const today = Math.floor(service.clock.now / DAY)
    for (const { number } of checks)
      await service.store.write
        .insertInto('uptime_days')
        .values(
          Array.from({ length: 60 }, (_, i) => ({
            check_number: number,
            day: today - 1 - i,
            up_ms: DAY - 600_000,
            down_ms: i % 7 === 0 ? 600_000 : 0,
          })),
        )
        .execute()
    const incident = await call(world, 'POST', `/status_pages/${page}/incidents`, {
      title: word,
      impact: 'major',
      check_ids: [checks[0]?.id],
      body: `\`\`\`\n${word}${word}\n\`\`\`\n\n<script>document.title='pwned'</script> ![x](http://127.0.0.1:1/p.png)`,
    })
    await call(world, 'POST', `/status_pages/${page}/incidents`, {
      kind: 'maintenance',
      title: 'Move',
      starts_at: new Date(service.clock.now + HOUR).toISOString(),
      ends_at: new Date(service.clock.now + 2 * HOUR).toISOString(),
    })

    await t.test('axe finds nothing and nothing is cut off, light, dark and at 360 px; nothing is asked of others', async () => {
      const context = await browser.newContext()
      const tab = await context.newPage()
      const [complaints, elsewhere]: [string[], string[]] = [[], []]
      tab.on('console', message => message.type() === 'error' && complaints.push(message.text()))
      tab.on('request', request => new URL(request.url()).origin !== base && elsewhere.push(request.url()))
      for (const path of [`/status/${slug}`, `/status/${slug}?subscribed=1`, `/status/${slug}/incidents/${incident.body.data.id}`]) {
        await tab.goto(base + path)
        assert.deepEqual(await faultsOf(tab), [])
        assert.doesNotMatch(await tab.title(), /pwned|Footfall/)
      }
      assert.deepEqual([complaints, elsewhere, await context.cookies()], [[], [], []])
      await context.close()
    })

    await t.test('a person subscribes and unsubscribes without scripts', async () => {
      const context = await browser.newContext({ javaScriptEnabled: false })
      const tab = await context.newPage()
      await tab.goto(`${base}/status/${slug}`)
      await tab.getByLabel('E-mail address').fill('reader@example.org')
      await tab.getByRole('button', { name: 'Subscribe' }).click()
      await tab.getByText('Please check your mailbox').waitFor()
      await telling.watching.run(['mails_send'])
      const [link = ''] = /http\S+\/status\/subscriptions\/\S+/.exec(telling.mail.mails[0]?.text ?? '') ?? []
      await tab.goto(link)
      await tab.getByRole('button', { name: 'Confirm' }).click()
      await tab.getByText('Thank you').waitFor()
      await tab.getByRole('button', { name: 'Unsubscribe' }).click()
      await tab.getByText('You will not get these mails any more.').waitFor()
      assert.equal((await call(world, 'GET', `/status_pages/${page}/subscribers`)).body.meta.total, 0)
      assert.deepEqual(await context.cookies(), [])
      await context.close()
    })
  } finally {
    await browser.close()
    server.close()
    await telling.close()
  }
})
