/** The HTML part of mails that are mostly text. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { letterHtml } from '../../operations/people/mail/components.tsx'

const origin = 'https://stats.example.com'
const letter = { from: 'Footfall', locale: 'de', open: 'Öffnen', origin, subject: 'Eve invites you to evil.example' }
const hrefs = (html: string) => [...html.matchAll(/href="([^"]*)"/g)].map(([, href]) => href)

test('a letter has a button for its link, links only to this service, and loads nothing', async () => {
  const link = `${origin}/invitations/4RkYyyJH?a=1&b="><script>`
  const html = await letterHtml({
    ...letter,
    text: [
      `Look at ${origin}, at ${origin}.evil.example/x and at http://evil.example/<b>.`,
      `${origin}/invitations/4RkYyyJH`,
      `See ${origin}/account.\n<img src=x onerror=alert(1)>`,
      link,
    ],
    facts: [{ label: 'Site', value: '<script>alert(1)</script> www.evil.example' }],
    foot: [`To end this: ${origin}/end/1`],
  })
  const button = `${origin}/invitations/4RkYyyJH`
  assert.deepEqual(
    new Set(hrefs(html)),
    new Set([
      origin,
      button,
      `${origin}/account`,
      link.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
      `${origin}/end/1`,
    ]),
  )
  assert.match(html, new RegExp(`href="${button}" class="button"[^>]*>Öffnen<`))
  assert.doesNotMatch(html, /<script|<img|<link|<b>|url\(|<[^>]* src=/)
  assert.doesNotMatch(
    html.replaceAll(/<style>[^]*?<\/style>|style="[^"]*"|content="[^"]*"|href="[^"]*"/g, ''),
    /evil\.example/,
    'programs link no foreign text',
  )
  assert.match(html, /<html lang="de">/)
})

test('a long address is shortened within a sentence, and whole in its link and below the button', async () => {
  const address = `${origin}/status/subscriptions/${'x'.repeat(60)}`
  const html = await letterHtml({ ...letter, text: [`To end this: ${address}`, address] })
  assert.deepEqual(hrefs(html), [address, address, address])
  assert.deepEqual(
    html.match(/>https:[^<]*/g)?.map(shown => shown.slice(1).trim()),
    [`${address.slice(0, 48)}…`, address],
  )
})

test('a letter of many long paragraphs stays below the size that Gmail cuts', async () => {
  const html = await letterHtml({ ...letter, text: Array.from({ length: 40 }, () => 'x'.repeat(400)) })
  assert.ok(Buffer.byteLength(html) < 98_000)
})

test('the edge of a letter about something that is wrong keeps its colour in programs with a dark mode', async () => {
  const html = await letterHtml({ ...letter, tone: 'bad', text: ['Down.'] })
  const edge = /class="card line ([\w-]+)"/.exec(html)?.[1] ?? assert.fail('the card has no edge')
  const rules = /<style>([^]*?)<\/style>/.exec(html)?.[1] ?? assert.fail('there is no style')
  // Both rules are important, so the later one counts.
  assert.ok(rules.indexOf(`.${edge}{border-top-color:`) > rules.indexOf('.line{border-color:'), rules)
})
