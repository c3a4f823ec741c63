import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withSteps } from '../../operations/reports/funnels/explore.tsx'

const at = (query: string) => {
  const to = withSteps(new URL(`https://x.example/sites/s/funnels/explore?${query}`))
  return to === undefined ? undefined : new URL(to, 'https://x.example').searchParams
}

test('the form of an explored funnel leads to an address with its steps, without empty lines and choices', () => {
  const query = at(
    'step_kind=page&step_what=%2F&step_kind=event&step_what=Signup&step_kind=goal_1&step_what=&step_kind=page&step_what=+&by=&order=strict&period=7d',
  )
  assert.deepEqual(JSON.parse(query?.get('steps') ?? ''), [{ path: '/' }, { event: 'Signup' }, { goal_id: 'goal_1' }])
  assert.deepEqual([query?.get('order'), query?.has('by'), query?.get('period'), query?.has('step_kind')], ['strict', false, '7d', false])
})

test('the form of an explored funnel keeps the only step and the choices that are filled in, and asks for another step', () => {
  const query = at('step_kind=page&step_what=%2F&step_kind=page&step_what=&order=strict&window=2h&by=')
  const begun = { steps: [{ path: '/' }], order: 'strict', window: '2h' }
  assert.deepEqual([query?.has('steps'), query?.has('order'), JSON.parse(query?.get('begun') ?? '')], [false, false, begun])
  assert.equal(at('period=7d'), undefined)
})
