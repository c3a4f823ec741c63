/** A confirmation that differs from the name is refused in the language of the reader. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { m } from '../../operations/people/account/messages.ts'
import { confirmed } from '../../runtime/table/confirmation.ts'
import { Failure } from '../../runtime/table/errors.ts'
import { sayIn } from '../../runtime/texts/say.ts'

test('a confirmation that differs is refused, in whole sentences of each language', async () => {
  const say = await sayIn('de')
  assert.throws(
    () => confirmed('x', ['ada@acme.example'], m.address_of_account()),
    error => {
      assert.ok(error instanceof Failure)
      const message = error.details[0]?.message ?? ''
      assert.equal(String(message), 'confirm must repeat the e-mail address of the account.')
      assert.match(say(message), / muss die E-Mail-Adresse des Kontos wiederholen\.$/)
      return true
    },
  )
})
