/** Whom a hit identifies, by the settings of its site: an id becomes a keyed hash before anything is stored. */
import type { PersonOfHit, Trait } from '../../../storage/hits/new-hit.ts'
import { type IdentityTrait, personHash } from '../sites/index.ts'
import { text } from './formats/text.ts'
import type { SentHit } from './hit.ts'

/** Why an id that came with a hit is ignored; nothing of it is stored. */
export type IdentityFault = 'identity_off' | 'no_consent' | 'invalid_user'

/** Settings of a site about persons; its hits need them. */
export interface KnownIdentity {
  readonly key: Buffer
  readonly keepsNames: boolean
  readonly traits: readonly IdentityTrait[]
}

const MAX_TRAIT_LENGTH = 300

export function identified(user: SentHit['user'], identity: KnownIdentity | null): PersonOfHit | IdentityFault | null {
  if (user === null || typeof user === 'string') return user
  if (!identity) return 'identity_off'
  return {
    hash: personHash(identity.key, user.id),
    name: identity.keepsNames ? user.id : null,
    traits: Object.fromEntries(
      identity.traits.flatMap(({ name, type }) => {
        const value = Object.hasOwn(user.traits, name) ? valueOf(user.traits[name], type) : null
        return value === null ? [] : [[name, value]]
      }),
    ),
  }
}

function valueOf(sent: unknown, type: IdentityTrait['type']): Trait | null {
  if (type === 'text') return typeof sent === 'string' ? text(sent, MAX_TRAIT_LENGTH) : null
  if (type === 'number') return typeof sent === 'number' && Number.isFinite(sent) ? sent : null
  return typeof sent === 'boolean' ? sent : null
}
