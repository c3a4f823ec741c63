/**
 * The texts of one dictionary of several sites under ids of their own, which never change: ids of further texts are added. An id whose
 * text no site has any more is left without one. (Every `!` is inside bounds.)
 */
import type { Dictionary } from '../dictionary.ts'

export class Union {
  readonly texts: string[] = ['']
  /** The id of all ids that have no text, where these are not the missing value; 0 while there are none. */
  blank = 0
  /** Memory, approximately. */
  bytes = ENTRY
  readonly #ids = new Map<string, number>([['', 0]])
  readonly #maps = new Map<number, Uint32Array>()
  readonly #isMoving: boolean

  /** @param isMoving whether a text may get another id, so that its old one has none */
  constructor(isMoving: boolean) {
    this.#isMoving = isMoving
  }

  /**
   * The id here of each id of a site's dictionary.
   * @param moved called if an id has another text than before, so that columns made with it are wrong
   */
  idsOf(site: number, dictionary: Dictionary, moved: () => void): Uint32Array {
    const known = this.#maps.get(site)
    if (known && known.length === dictionary.length && !this.#isMoving) return known
    const ids = new Uint32Array(dictionary.length)
    for (let id = 1; id < ids.length; id++) {
      const text = dictionary[id] ?? ''
      const isKnown = known !== undefined && id < known.length && text !== '' && !this.#isMoving
      ids[id] = isKnown ? known[id]! : this.#idOf(text)
    }
    this.bytes += ID * (ids.length - (known?.length ?? 0))
    this.#maps.set(site, ids)
    const left = known?.filter((id, place) => ids[place] !== id) ?? []
    if (left.length > 0) this.#forget(left)
    if (this.#isMoving && left.length > 0) moved()
    return ids
  }

  /** The id of a text; 0 if no site has it. */
  find(text: string): number {
    return this.#ids.get(text) ?? 0
  }

  /** Deletes those texts that no site has. */
  #forget(some: Iterable<number>): void {
    const gone = new Set(some)
    gone.delete(this.blank)
    for (const ids of this.#maps.values()) for (const id of ids) gone.delete(id)
    for (const id of gone) {
      this.#ids.delete(this.texts[id] ?? '')
      this.texts[id] = ''
      this.bytes -= ENTRY
    }
  }

  #idOf(text: string): number {
    if (text === '') {
      if (this.#isMoving && this.blank === 0) this.blank = this.texts.push('') - 1
      return this.blank
    }
    const known = this.#ids.get(text)
    if (known !== undefined) return known
    const id = this.texts.push(text) - 1
    this.#ids.set(text, id)
    this.bytes += ENTRY
    return id
  }
}

/** Bytes of an entry of a map, and of an id. The texts belong to the dictionaries of the sites. */
const ENTRY = 64
const ID = 4
