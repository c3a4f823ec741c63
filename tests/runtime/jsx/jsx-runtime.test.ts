/** HTML of JSX: what is text of others, what is there or not, and what has no end. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { raw } from 'hono/html'
import { Fragment, jsx } from '../../../runtime/ui/jsx/jsx-runtime.ts'

test('text and attributes of others are escaped, once', () => {
  const naughty = `<b>"'&`
  assert.equal(
    String(jsx('p', { title: naughty, children: naughty })),
    '<p title="&lt;b&gt;&quot;&#39;&amp;">&lt;b&gt;&quot;&#39;&amp;</p>',
  )
  const inner = jsx('i', { children: '<' })
  assert.equal(String(jsx(Fragment, { children: [inner, inner, '<'] })), '<i>&lt;</i><i>&lt;</i>&lt;')
  assert.equal(String(jsx('p', { children: raw('<svg/>') })), '<p><svg/></p>')
})

test('null, undefined and booleans are not rendered, and zero is', () => {
  const children = [null, undefined, true, false, 0, '', ['a', ['b']], jsx(() => null, {})]
  assert.equal(String(jsx('p', { children })), '<p>0ab</p>')
})

test('flags are there or not; other attributes say what they are', () => {
  const input = { disabled: true, required: false, 'aria-invalid': false, name: undefined }
  assert.equal(String(jsx('input', input)), '<input disabled="" aria-invalid="false"/>')
  assert.equal(String(jsx('textarea', {})), '<textarea></textarea>')
})

test('a function or a promise cannot be rendered', () => {
  assert.throws(() => jsx('p', { children: () => 'later' }), TypeError)
  assert.throws(() => jsx('p', { children: Promise.resolve('later') }), TypeError)
})
