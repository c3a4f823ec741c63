/**
 * The keys that secrets are sealed with: the keys of `SECRET_KEY`, newest first, and the one that the installation generated
 * before `SECRET_KEY` was set. The first of them seals; all of them open.
 */
import { createHash, hkdfSync } from 'node:crypto'
import { instanceKey, instanceKeyIfThere } from '../../storage/installation/instance-key.ts'
import type { Db, Store } from '../../storage/store.ts'

export interface Key {
  /** Identifies the key in sealed texts: eight characters. */
  readonly id: string
  readonly bytes: Buffer
  /** Whether the installation generated it. */
  readonly isOwn: boolean
  /** Whether it is a whole list, which was a single key with commas before there were lists. */
  readonly isList: boolean
}

export interface Keys {
  /** The key that seals. Without `SECRET_KEY` it is generated at its first use. @param db the open transaction, if there is one */
  current(db: Db): Promise<Key>
  /** Every key that is here, the current one first. Generates none if `SECRET_KEY` is set. */
  all(db: Db): Promise<readonly Key[]>
}

/** Fewest characters of a key. */
const minLength = 32

/**
 * The keys in the value of `SECRET_KEY`, a comma list. A single key may contain commas, as it could before there were lists:
 * then the whole text is a key, too.
 * @returns undefined if one is too short
 */
export function keysIn(text: string): readonly string[] | undefined {
  if (text === '') return []
  if (text.length < minLength) return undefined
  const parts = text.split(',').map(part => part.trim())
  if (parts.length === 1 || parts.some(part => part.length < minLength)) return [text]
  return [...new Set([...parts, text])]
}

export function openKeys(store: Store, secretKey: string, random: (size: number) => Buffer): Keys {
  const given = givenKeys(secretKey)
  const [newest] = given
  let own: Key | undefined
  return {
    current: async db => newest ?? (own ??= keyOf(await instanceKey(store, db, random), true)),
    async all(db) {
      if (!own) {
        const material = newest ? await instanceKeyIfThere(store, random) : await instanceKey(store, db, random)
        own = material && keyOf(material, true)
      }
      return own ? [...given, own] : given
    },
  }
}

/** The keys that are here, without generating one: none if nothing was ever sealed. */
export async function keysHere(store: Store, secretKey: string, random: (size: number) => Buffer): Promise<readonly Key[]> {
  const own = await instanceKeyIfThere(store, random)
  return own ? [...givenKeys(secretKey), keyOf(own, true)] : givenKeys(secretKey)
}

function givenKeys(secretKey: string): Key[] {
  const texts = keysIn(secretKey) ?? []
  return texts.map(text => ({ ...keyOf(Buffer.from(text), false), isList: texts.length > 1 && text === secretKey }))
}

function keyOf(material: Buffer, isOwn: boolean): Key {
  const bytes = Buffer.from(hkdfSync('sha256', material, '', 'footfall secrets', 32))
  return { id: createHash('sha256').update(bytes).digest('base64url').slice(0, 8), bytes, isOwn, isList: false }
}
