/** Which passwords are refused, and which are not. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import list from '../../../operations/people/sign-in/common-passwords.json' with { type: 'json' }
import { guessed } from '../../../operations/people/sign-in/guessable.ts'
import { passwordFaults } from '../../../operations/people/sign-in/password.ts'
import { someOf } from '../../support/full.ts'

const commonest = list.passwords.join(' ').split(' ')

test('the list has the 10,000 commonest passwords, each once', () => {
  assert.ok(commonest.length >= 10_000)
  assert.equal(new Set(commonest).size, commonest.length)
  assert.deepEqual(commonest.slice(0, 6), ['123456', 'password', '12345678', 'qwerty', '123456789', '12345'])
  for (const each of ['letmein', 'trustno1', 'qwertyuiop', 'iloveyou', 'password123', '1q2w3e4r5t'])
    assert.ok(commonest.includes(each), each)
})

test('every common password is refused, also with a year, a counter or an exclamation mark, and in capitals', async () => {
  for (const each of someOf([...commonest], 2_000)) {
    for (const typed of [each, each.toUpperCase()]) if (typed.length >= 10) assert.ok((await passwordFaults(typed)).length > 0, typed)
    if (!/\p{L}/u.test(each) || each.length < 4) continue
    for (const typed of [`${each}2026`, `${each}123!`, `${each}!!`, `1${each}`, each[0]?.toUpperCase() + each.slice(1) + '1!'])
      assert.equal(guessed(typed), 'common', typed)
  }
})

const refused = {
  common: [
    'P@ssw0rd2024',
    'p@$$w0rd!!',
    'pa55word!123',
    'L3tm31n2025!',
    '1l0veyou2024',
    'Tru5tn01!2024',
    'passwordpassword',
    'dragon-dragon!',
    'pass word 123',
    'q.w.e.r.t.y.u.i.o.p',
    '2024Password',
    'Welcome2026!',
    'Football#1234',
    'monkey1234567890',
    'ADMIN123456!',
    'p.a.s.s.w.o.r.d',
  ],
  simple: [
    'abcdefghij',
    'abcdef123456',
    '9876543210987',
    'aaaaaaaaaaaa',
    'xyxyxyxyxyxy',
    'a1a1a1a1a1a1',
    'zyxwvutsrq',
    'Abcabcabc1!',
    'Aaaaaaaaa2026',
  ],
  named: [
    'footfall2024',
    'F00tf4ll!!!!',
    'Footfall123!',
    'ada.lovelace',
    'AdaLovelace1815',
    '4da_l0velace',
    'analytical1',
    'example.com1',
    'acme-footfall-1',
    'Engine-Works',
    'engineworks2026',
    'ada@example.com',
    'shop.example.org',
    'footfallpassword',
  ],
} // prettier-ignore
const names = ['Footfall', 'stats.acme.test', 'ada@example.com', 'Ada Lovelace', 'Engine Works', 'Analytical', 'shop.example.org']

for (const [why, passwords] of Object.entries(refused))
  test(`refuses what is ${why}`, () => {
    for (const typed of passwords) assert.equal(guessed(typed.normalize('NFKC'), names), why, typed)
  })

test('takes any other, of whatever characters', () => {
  for (const typed of [
    'correct horse battery',
    'a sentence nobody else has',
    'mein Kanarienvogel',
    'zwölf Boxkämpfer',
    'xkcd-936-staple',
    '7392058146',
    'tqmvkwhzpl',
    'Ada likes engines a lot',
    'footfall in the rain at noon',
    'monkey eats dragon soup',
    '1f9a3c77e2d04b',
    '密码是很长的一句话没有人知道',
    'hunter gatherer 5000bc',
    'password manager made',
    'k'.repeat(3) + 'orrekt-pferd',
  ]) // prettier-ignore
    assert.equal(guessed(typed, names), undefined, typed)
})

test('a long password takes no longer to look at, whatever is in it', () => {
  for (const typed of ['1'.repeat(99) + 'a' + '2'.repeat(100), '!1'.repeat(100), 'ab'.repeat(100), '0'.repeat(200), '1a'.repeat(100)]) {
    assert.ok(
      ['simple', 'common', undefined].includes(
        guessed(
          typed,
          Array.from({ length: 600 }, (_, i) => `site number ${i}.example`),
        ),
      ),
    )
  }
})
