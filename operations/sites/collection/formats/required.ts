/** The two required fields of a hit, in either format. */
import { LIMITS } from '../hit.ts'
import { addressOf, type Address, type FragmentRule } from './address.ts'
import { addFault, type Faults } from './faults.ts'
import { text } from './text.ts'

export function nameOf(sent: unknown, faults: Faults): string {
  const name = text(sent, Infinity)
  if (name.length > LIMITS.name) addFault(faults, 'name', `must be at most ${LIMITS.name} characters`)
  return name
}

interface PageOf {
  readonly sent: unknown
  readonly fragment: FragmentRule
  readonly base: string | undefined
  readonly faults: Faults
}

/** Reads the address of the sent URL; `base` completes a bare path. */
export function pageOf({ sent, fragment, base, faults }: PageOf): Address | null {
  const url = text(sent, Infinity)
  const address = url === '' || url.length > LIMITS.url ? null : addressOf(url, fragment, base)
  if (!address) addFault(faults, 'url', urlFault(url))
  return address
}

function urlFault(url: string): string {
  if (url === '') return 'is required'
  if (url.length > LIMITS.url) return `must be at most ${LIMITS.url} characters`
  return /^data:/i.test(url) ? 'must not be a data: URL' : 'must be the URL of a page'
}
