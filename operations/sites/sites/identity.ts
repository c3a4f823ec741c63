/** Whether a site identifies persons, and what it keeps of them. Off unless the site declares it (docs/privacy.md). */
import { createHmac } from 'node:crypto'
import { Type } from '@sinclair/typebox'
import { failWith, type Fault } from '../../../runtime/table/errors.ts'
import type { SecretBox } from '../../../runtime/settings/secret-box.ts'
import { help, OneOf, type Static } from '../../../runtime/table/schema.ts'
import type { Db } from '../../../storage/store.ts'
import type { SiteRow } from '../../../storage/tables/index.ts'
import { m } from './messages.ts'

export const TRAIT_TYPES = ['text', 'number', 'boolean'] as const
const MAX_TRAITS = 20
const KEY_BYTES = 32

const Trait = Type.Object(
  {
    name: Type.String({
      minLength: 1,
      maxLength: 60,
      pattern: '^[A-Za-z_][A-Za-z0-9_.-]*$',
      description: 'Name of the trait as the site sends it, for example `plan`.',
    }),
    type: OneOf(TRAIT_TYPES, { description: 'Type of its values; others are not kept.' }),
  },
  { additionalProperties: false },
)

export const identityFields = {
  identity: OneOf(['off', 'declared'], {
    description:
      'Whether hits may name the person who sent them. `off`: ids are ignored. `declared`: the site sends ids of persons who have agreed, or whom it may identify.',
    [help]:
      'Off, Footfall ignores ids. Declared, it keeps a keyed hash of the ids that your pages send, to recognise a person on several days.',
  }),
  identity_names: Type.Boolean({
    description: 'Whether the ids themselves are kept, in addition to their keyed hash. Set to false, kept ids are deleted.',
    [help]: 'Keeps the ids themselves, so that the list of people shows them. Switched off, kept ids are deleted.',
  }),
  identity_traits: Type.Array(Trait, {
    maxItems: MAX_TRAITS,
    description: 'Traits of persons that are kept. All other traits are ignored; traits that are removed here are deleted.',
  }),
}

export type IdentityTrait = Static<typeof Trait>
type Row = Pick<SiteRow, 'identity' | 'identity_names' | 'identity_traits'>

export const traitsOf = ({ identity_traits }: Pick<SiteRow, 'identity_traits'>): IdentityTrait[] => JSON.parse(identity_traits)

export const identityOf = (row: Row) => ({
  identity: row.identity === 'declared' ? ('declared' as const) : ('off' as const),
  identity_names: row.identity_names === 1,
  identity_traits: traitsOf(row),
})

/** @throws Failure 422 for two traits of one name */
export function refuseSameTraits(traits: readonly IdentityTrait[] | undefined): void {
  const names = traits?.map(({ name }) => name) ?? []
  failWith(
    names.flatMap((name, i): Fault[] =>
      names.indexOf(name) === i ? [] : [{ pointer: `/identity_traits/${i}/name`, code: 'mismatch', message: m.same_trait({ name }) }],
    ),
  )
}

/** A new key of a site, sealed. */
export const newIdentityKey = (box: SecretBox, db: Db, siteId: string, random: (n: number) => Buffer): Promise<string> =>
  box.seal(db, random(KEY_BYTES).toString('base64'), siteId)

/** @returns null if it cannot be opened any more */
export async function openIdentityKey(
  box: SecretBox,
  db: Db,
  { id, identity_key: sealed }: Pick<SiteRow, 'id' | 'identity_key'>,
): Promise<Buffer | null> {
  const key = sealed === null ? null : await box.unseal(db, sealed, id)
  return key === null ? null : Buffer.from(key, 'base64')
}

/** 128 bits, from which the id cannot be found without the key of the site. */
export const personHash = (key: Buffer, id: string): string => createHmac('sha256', key).update(id).digest('base64url').slice(0, 22)
