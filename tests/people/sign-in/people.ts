/** A person with an account and a password, in a workspace. */
import { hash } from '@node-rs/argon2'
import { makeLink } from '../../../operations/people/links/index.ts'
import { makeId } from '../../../runtime/values/ids.ts'
import type { Role } from '../../../runtime/table/permissions.ts'
import type { TestService, World } from '../../support/world.ts'
import { openBrowser, type TestBrowser } from './browser.ts'
import { randomBytes } from '../../support/chance.ts'

export const password = 'a sentence nobody else has'
const cheap = { memoryCost: 1_024, timeCost: 1, parallelism: 1 }

export interface Person {
  readonly accountId: string
  readonly memberId: string
  readonly email: string
  readonly token: string
}

export async function personIn(service: TestService, world: World, role: Role = 'admin'): Promise<Person> {
  const person = await world.join(role)
  await service.store.write
    .insertInto('passwords')
    .values({ account_id: person.accountId, hash: await hash(password, cheap), changed_at: service.clock.now })
    .execute()
  return person
}

export async function signedIn(service: TestService, { email }: Pick<Person, 'email'>, typed = password): Promise<TestBrowser> {
  const browser = openBrowser(service)
  const { status, text } = await browser.call('POST', '/session.json', { email, password: typed })
  if (status !== 201) throw new Error(text)
  return browser
}

export function linkFor({ store, clock }: TestService, accountId: string, kind: 'set_up' | 'reset' = 'set_up'): Promise<string> {
  const making = {
    db: store.write,
    now: clock.now,
    random: randomBytes,
    newId: (of: Parameters<typeof makeId>[0]) => makeId(of, clock.now, randomBytes(14)),
  }
  return makeLink(making, { kind, accountId })
}
