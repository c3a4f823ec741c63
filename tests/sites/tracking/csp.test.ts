/** Policies as browsers read them, and scripts in HTML of any shape. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { allows } from '../../../operations/sites/tracking/verify/csp.ts'
import { metaPolicies, namedScript, scriptTags } from '../../../operations/sites/tracking/verify/page.ts'
import { startCpuTimer } from '../../support/cpu.ts'

test('a policy allows what it lists', () => {
  const [page, target] = [new URL('https://shop.example/x'), new URL('https://stats.example/a1.js')]
  const rows: ReadonlyArray<readonly [string, boolean]> = [
    ['', true],
    ["img-src 'none'", true],
    ["default-src 'self'", false],
    ['script-src https:', true],
    ['script-src *', true],
    ['SCRIPT-SRC https://STATS.example', true],
    ['script-src stats.example', true],
    ['script-src *.example', true],
    ['script-src *.stats.example', false],
    ['script-src https://stats.example/js/', false],
    ['script-src https://stats.example/a1.js', true],
    ['script-src https://stats.example:8443', false],
    ["default-src *; script-src 'none'", false],
    ["script-src 'nonce-abc'", false],
    ["script-src https://stats.example; script-src 'none'", true],
    ["script-src-elem 'self'; script-src *", false],
  ]
  for (const [policy, expected] of rows)
    assert.equal(allows({ policies: [policy], directive: 'script-src', target, page }), expected, policy)
  assert.equal(allows({ policies: ["script-src 'nonce-aBc'"], directive: 'script-src', target, page, nonce: 'aBc' }), true)
  const strict = "script-src https: 'nonce-abc' 'strict-dynamic'"
  assert.equal(allows({ policies: [strict], directive: 'script-src', target, page }), false, 'hosts count no more')
  assert.equal(allows({ policies: [strict], directive: 'script-src', target, page, nonce: 'abc' }), true)
  assert.equal(
    allows({ policies: [strict], directive: 'script-src', target, page, nonce: null }),
    true,
    'put in by a program that is trusted',
  )
  assert.equal(allows({ policies: ["script-src 'self' 'nonce-abc'"], directive: 'script-src', target, page, nonce: null }), false)
  assert.equal(allows({ policies: ['script-src *', "script-src 'self'"], directive: 'script-src', target, page }), false, 'all of them')
  assert.equal(
    allows({ policies: ["default-src 'self'"], directive: 'connect-src', target: new URL('https://shop.example/a'), page }),
    true,
  )
})

test('scripts are found in tags of any spelling, and great pages take no time', () => {
  const html = `<SCRIPT defer SRC='/a.js?x=1&amp;y=2'></SCRIPT><script src=/b.js async><script data-src="c.js" type=text/plain><scripty src="/no.js"><script>1</script>`
  assert.deepEqual(
    scriptTags(html).map(({ src }) => src),
    ['/a.js?x=1&y=2', '/b.js', 'c.js'],
  )
  assert.deepEqual(metaPolicies(`<meta http-equiv='content-security-policy' content="a 'self'">`), ["a 'self'"])
  for (const part of ['/a1bcdefghijk.', 'x', '<script ', '<script src="', '<', '<script a=b c=d ', '<meta content=">']) {
    const cpu = startCpuTimer(500)
    scriptTags(part.repeat(Math.floor(1_000_000 / part.length)))
    namedScript(part.repeat(Math.floor(1_000_000 / part.length)), 'a1bcdefghijk')
    assert.ok(cpu.taken() < 500, `${part}: ${cpu.taken()} ms`)
  }
})
