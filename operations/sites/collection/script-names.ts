/** Scripts by the names that pages ask for them by. */
import { fail } from '../../../runtime/table/errors.ts'
import { type Tracker, VARIANT } from '../../../tracker/tracker.ts'
import { m } from './messages.ts'

/** Words in the name of Plausible's script, each of which asks for something. Some are always on here, and change nothing. */
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

/** For Plausible's newer snippet, which sets the rest by `plausible.init()`. */
const SITE = /^pa-[\w-]+\.js$/

/**
 * @param name `footfall.js`, or `script.hash.outbound-links.js` with the words in any order
 * @throws Failure `not_found` naming what would do: a script that lacks what it was asked for would lose hits in silence
 */
export function scriptNamed(name: string, { script, vitals, plausible }: Tracker): string {
  if (name === 'footfall.js') return script
  if (name === 'footfall.vitals.js') return vitals
  if (SITE.test(name)) return plausible.replace(VARIANT, 'init')
  const [, asked] = PLAUSIBLE.exec(name) ?? []
  if (asked !== undefined) return plausible.replace(VARIANT, asked.slice(1))
  fail('not_found', m.no_script({ words: words.join(', .') }))
}
