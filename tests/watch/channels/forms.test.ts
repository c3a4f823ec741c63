/** A message in each format, with user input that looks like markup. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { clipped } from '../../../runtime/values/clip.ts'
import { discordBody } from '../../../operations/watch/channels/forms/discord.ts'
import { email } from '../../../operations/watch/channels/forms/email.ts'
import { slackBody } from '../../../operations/watch/channels/forms/slack.ts'
import { teamsBody } from '../../../operations/watch/channels/forms/teams.ts'
import { webhookBody } from '../../../operations/watch/channels/forms/webhook.ts'
import { sayEnglish } from '../../../runtime/texts/say.ts'
import type { SaidMessage } from '../../../operations/watch/channels/message.ts'

const message: SaidMessage = {
  type: 'alert.triggered',
  title: 'Triggered: <!channel> **[gift](http://evil.test)** @everyone & co',
  text: '3 visitors in 1 hour; alerts below 10.',
  facts: [
    { label: 'Site', value: 'A_b <x>' },
    { label: 'Since', value: '2026-03-10 13:05 (Europe/Berlin)' },
  ],
  url: 'https://stats.example.com/alerts/alr_1',
  thread: 'inc_1',
  data: { alert: { id: 'alr_1' }, incident: { id: 'inc_1' } },
}

test('a webhook gets the parts and the records', () => {
  assert.deepEqual(webhookBody('ntf_1', message), {
    id: 'ntf_1',
    type: message.type,
    title: message.title,
    text: message.text,
    facts: message.facts,
    url: message.url,
    alert: { id: 'alr_1' },
    incident: { id: 'inc_1' },
  })
})

test('Slack: markup that was typed stays text, and the link is ours', () => {
  const body: any = slackBody(message) // any, so that tests can read any field
  assert.equal(
    body.text,
    'Triggered: &lt;!channel&gt; **[gift](http://evil.test)** @everyone &amp; co: 3 visitors in 1 hour; alerts below 10.',
  )
  const texts = body.blocks.flatMap((block: any) => [block.text, ...(block.fields ?? [])]).filter(Boolean)
  for (const { type, text } of texts) if (type === 'mrkdwn') assert.equal(text, `<${message.url}|Open in Footfall>`)
  assert.deepEqual(
    texts.map((text: any) => text.type),
    ['plain_text', 'plain_text', 'plain_text', 'plain_text', 'mrkdwn'],
  )
})

test('Slack: no empty list of fields, and no heading beyond 150 characters', () => {
  const body: any = slackBody({ ...message, title: 'x'.repeat(500), facts: [] }) // as above
  assert.equal(body.blocks[0].text.text.length, 150)
  assert.ok(body.blocks.every((block: any) => !('fields' in block)))
})

test('Discord: typed Markdown is escaped, and mentions ping no one', () => {
  const body: any = discordBody(message) // as above
  assert.deepEqual(body.allowed_mentions, { parse: [] })
  assert.equal(body.embeds[0].title, 'Triggered\\: \\<!channel\\> \\*\\*\\[gift\\]\\(http\\://evil.test\\)\\*\\* \\@everyone & co')
  assert.equal(body.embeds[0].url, message.url)
  assert.equal(body.embeds[0].fields[0].value, 'A\\_b \\<x\\>')
})

test('Teams: an adaptive card whose texts hold no Markdown', () => {
  const body: any = teamsBody(message) // as above
  const [{ contentType, content }] = body.attachments
  assert.deepEqual(
    [body.type, contentType, content.type, content.version],
    ['message', 'application/vnd.microsoft.card.adaptive', 'AdaptiveCard', '1.4'],
  )
  assert.ok(content.body.every((block: any) => block.type === 'RichTextBlock'))
  assert.deepEqual(content.actions, [{ type: 'Action.OpenUrl', title: 'Open in Footfall', url: message.url }])
})

test('e-mail: what, since when, where, as text and as HTML that links only to this service; answers of machines are not wanted', async () => {
  const mail = await email('ntf_1', message, { baseUrl: new URL(message.url).origin, say: sayEnglish })
  const html = String(mail.html)
  assert.deepEqual([...new Set([...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href))], [message.url])
  assert.match(html, /A_b &lt;x&gt;/)
  assert.doesNotMatch(html, /<img|<script|src=|url\(/)
  assert.equal(mail.text, `${message.text}\n\nSite: A_b <x>\nSince: 2026-03-10 13:05 (Europe/Berlin)\n\n${message.url}\n`)
  assert.deepEqual(
    [mail.messageId, mail.references, mail.headers],
    ['<ntf_1@stats.example.com>', '<inc_1@stats.example.com>', { 'Auto-Submitted': 'auto-generated' }],
  )
})

test('cutting splits no character', () => {
  assert.equal(clipped('ab😀cd', 4), 'ab…')
  assert.equal(clipped('abcd', 4), 'abcd')
})
