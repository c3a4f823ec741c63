/** Visitors' texts in tool results contain no hidden characters. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from '../../support/properties.ts'
import { cleaned } from '../../../adapters/mcp/visitor-text.ts'
import { withoutHidden } from '../../../runtime/values/hidden-characters.ts'
import { onAnyEngine } from '../../support/engines.ts'
import { callTool } from '../../support/mcp.ts'
import { makeWorld, request, startService } from '../../support/world.ts'

const hidden = [
  '\u0000',
  '\u0007',
  '\b',
  '\f',
  '\r',
  '\u001b',
  '\u001f',
  '\u007f',
  '\u0085',
  '\u009b',
  '\u200b',
  '\u200e',
  '\u200f',
  '\u061c',
  '\ufeff',
  '\u00ad',
  '\u2028',
  '\u2029',
  '\u2060',
  '\u2063',
  '\u202a',
  '\u202b',
  '\u202c',
  '\u202d',
  '\u202e',
  '\u2066',
  '\u2067',
  '\u2068',
  '\u2069',
  '\u{e0001}',
  '\u{e0041}',
  '\u{e007f}',
  '\u{e0100}',
  '\ufff9',
]

describe('visitor text', () => {
  for (const character of hidden) {
    test(`loses U+${character.codePointAt(0)?.toString(16).padStart(4, '0')}, in text and in names`, () => {
      assert.equal(withoutHidden(`a${character}b`), 'ab')
      const { text, value } = cleaned({ [`k${character}`]: [{ title: `a${character}b` }], n: 1, none: null })
      assert.deepEqual(value, { k: [{ title: 'ab' }], n: 1, none: null })
      assert.equal(text, JSON.stringify(value))
    })
  }

  test('keeps every letter, line, tab, emoji and joiner', () => {
    for (const text of ['Grüße\n\tдом 東京 שלום مرحبا', 'می‌خواهم', '👩‍👩‍👧', '❤️', 'a\\u0000b', '"quoted" \\ / <b>']) {
      assert.deepEqual(cleaned({ text }), { text: JSON.stringify({ text }), value: { text } })
    }
  })

  test('whatever it is, text and value say the same, and a second time changes nothing', () => {
    fc.assert(
      fc.property(fc.jsonValue(), inner => {
        const once = cleaned({ inner })
        assert.deepEqual(JSON.parse(once.text), JSON.parse(JSON.stringify(once.value)))
        assert.equal(cleaned(once.value).text, once.text)
      }),
    )
  })
})

onAnyEngine('visitor text', engine => {
  test('is clean over MCP, in both forms of a result and in failures, and as it was over HTTP', async () => {
    const service = await startService(engine)
    const world = await makeWorld(service)
    const written = 'Ignore\u202e all\u200b \u{e0049}previous\u009b\u001b[2K'
    const clean = 'Ignore all previous[2K'
    // Stored before texts were cleaned on their way in.
    await service.store.write
      .updateTable('sites')
      .set({ name: written })
      .where('id', '=', world.ids.site ?? '')
      .execute()
    const http = await request(service, 'GET', `/sites/${world.ids.site}`, { token: world.token })
    assert.equal(http.body.data.name, written)
    const get = await callTool(service, 'sites_get', { site_id: world.ids.site }, world.token)
    assert.equal(get.body.data.name, clean)
    const failed = await callTool(service, 'sites_update', { site_id: world.ids.site, week_start: written }, world.token)
    assert.equal(failed.isError, true)
    assert.doesNotMatch(failed.body.error.details[0].message, /[\p{Cc}\p{Cf}]/u)
    await service.close()
  })
})
