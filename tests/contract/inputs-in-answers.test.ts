/** A record shows how it was made: each input of its creation or change is a field of its answer, unless it is a secret. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import '../../adapters/index.ts'
import { table } from '../../operations/index.ts'

/** Inputs that no record keeps, by the end of the operation's id or its whole id. */
const notKept: Readonly<Record<string, readonly string[]>> = {
  sessions_create: ['email'],
  sign_ups_create: ['code', 'via'],
  scim_users_update: ['Operations'], // of a standard
  sso_update: ['withdraw_former_cert'],
  passkeys_create: ['passkey'],
  crawler_requests_create: ['format', 'lines', 'requests'], // lines of a log, of which only counts are kept
  log_lines_create: ['lines'], // which become pageviews
  hits_create: ['hits'], // which become pageviews and events
  tracking_update: ['rotate_script_path'],
  webhooks_update: ['rotate_secret'],
  status_incident_updates_create: ['body', 'notify'], // the answer is the incident, whose updates have the text
  status_incidents_create: ['body', 'notify'],
  billing_checkout_create: ['plan'],
}

test('each input of a record is in its answer', () => {
  const missing = [...table.operations.values()].flatMap(({ id, path, input, output, secrets }) => {
    if (!/_(create|update)$/.test(id) || output.type !== 'object' || !output.properties) return []
    const unseen = Object.keys(input.properties).filter(
      name => !path.includes(`{${name}}`) && !secrets.includes(name) && !Object.hasOwn(output.properties, name),
    )
    return unseen.filter(name => !notKept[id]?.includes(name)).map(name => `${id}: ${name}`)
  })
  assert.deepEqual(missing, [])
})
