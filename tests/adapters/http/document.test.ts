/** The policy of a whole document names its styles, and there are no others. */
import assert from 'node:assert/strict'
import { readFileSync, readdirSync } from 'node:fs'
import path from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { styleSource, withStylesByHash } from '../../../adapters/http/document.ts'

test('styles of elements go into one style element, each once', () => {
  const { html, styles } = withStylesByHash(
    '<html><head><style>b{}</style></head><body style="a:1"><p class="x" style="font:&quot;A&quot;">style="a:1"</p><i style="a:1"></i></body></html>',
  )
  const css = '[data-s="0"]{a:1}[data-s="1"]{font:"A"}'
  assert.equal(
    html,
    `<html><head><style>b{}</style><style>${css}</style></head><body data-s="0"><p class="x" data-s="1">style="a:1"</p><i data-s="0"></i></body></html>`,
  )
  assert.deepEqual(styles, [styleSource('b{}'), styleSource(css)])
})

test('a style that would end its rule, or the element, stays where the policy holds it back', () => {
  for (const style of ['}body{x', '&lt;/style&gt;&lt;script&gt;']) {
    const { html } = withStylesByHash(`<html><head></head><p style="${style}"></p></html>`)
    assert.doesNotMatch(html, /<style>/, style)
  }
})

test('no policy of ours has unsafe-inline or unsafe-eval', () => {
  const root = fileURLToPath(new URL('../../../', import.meta.url))
  for (const floor of ['adapters', 'operations', 'runtime'])
    for (const name of readdirSync(path.join(root, floor), { recursive: true, encoding: 'utf8' })) {
      if (!/\.(tsx?|js)$/.test(name)) continue
      const text = readFileSync(path.join(root, floor, name), 'utf8')
      assert.doesNotMatch(text, /-src[^\n]*(?<!without )'unsafe-(inline|eval|hashes)'/, `${floor}/${name}`)
    }
})
