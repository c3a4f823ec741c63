/** Patterns with `*`: what they match, and that no text takes long. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startCpuTimer } from '../../support/cpu.ts'
import fc from '../../support/properties.ts'
import { compileRules } from '../../../operations/sites/traffic-rules/compile.ts'
import { wildcard } from '../../../operations/sites/traffic-rules/wildcard.ts'

test('as a regular expression would match', () => {
  const letters = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
  const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })
  fc.assert(
    fc.property(letters, text, (pattern, given) => {
      const expression = new RegExp(`^${pattern.replace(/\*+/g, '.*')}$`)
      assert.equal(wildcard(pattern)(given), expression.test(given), `${pattern} ${given}`)
    }),
    { numRuns: 2_000 },
  )
})

test('nothing but * has a meaning', () => {
  assert.equal(wildcard('/a.b(c)+[d]*')('/a.b(c)+[d]e'), true)
  assert.equal(wildcard('/a.b')('/axb'), false)
})

test('two hundred patterns take a time that grows with the length of the text', () => {
  const rules = Array.from({ length: 200 }, (_, i) => ({
    id: `trf_${i}`,
    kind: i % 2 ? 'page' : 'ip',
    action: 'block',
    value: i % 2 ? `/${'*a'.repeat(9)}*b${i}` : `10.${i}.0.0/16`,
    expires_at: null,
  }))
  const decide = compileRules(rules)
  const facts = {
    ip: '192.0.2.1',
    country: '',
    asn: '',
    networkKind: '',
    region: '',
    hostname: '',
    page: `/${'a'.repeat(2_000)}`,
    referrer: '',
    userAgent: '',
    event: '',
  }
  const took = (page: string) => {
    const times = Array.from({ length: 10 }, () => {
      const cpu = startCpuTimer()
      for (let i = 0; i < 20; i++) assert.equal(decide({ ...facts, page }, 0), undefined)
      return cpu.taken()
    })
    return Math.min(...times)
  }
  const [tenth, whole] = [took(facts.page.slice(0, 200)), took(facts.page)]
  assert.ok(whole < 40 * Math.max(tenth, 0.5), `${whole} ms for a text ten times as long as one of ${tenth} ms`)
})
