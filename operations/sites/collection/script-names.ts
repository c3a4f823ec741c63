/** Finds the script for a requested file name. */
import { fail } from '../../../runtime/table/errors.ts'
import { type Tracker, VARIANT } from '../../../tracker/tracker.ts'
import { m } from './messages.ts'

/** Words in the names of Plausible's script. Each requests a feature; features that are always on here have no effect. */
const words = Object.freeze([
  'compat',
  'exclusions',
  'file-downloads',
  'form-submissions',
  'hash',
  'local',
  'manual',
  'outbound-links',
  'pageleave',
  'pageview-props',
  'revenue',
  'tagged-events',
])
const PLAUSIBLE = new RegExp(`^(?:script|plausible)((?:\\.(?:${words.join('|')}))*)\\.js$`)

/** Name for Plausible's newer snippet, which sets features in `plausible.init()`. */
const SITE = /^pa-[\w-]+\.js$/

/**
 * @param name `footfall.js`, or `script.hash.outbound-links.js` with the words in any order
 * @throws Failure `not_found` with the available names: a script without a requested feature would lose hits silently
 */
export function scriptNamed(name: string, { script, vitals, plausible }: Tracker): string {
  if (name === 'footfall.js') return script
  if (name === 'footfall.vitals.js') return vitals
  if (SITE.test(name)) return plausible.replace(VARIANT, 'init')
  const [, asked] = PLAUSIBLE.exec(name) ?? []
  if (asked !== undefined) return plausible.replace(VARIANT, asked.slice(1))
  fail('not_found', m.no_script({ words: words.join(', .') }))
}
