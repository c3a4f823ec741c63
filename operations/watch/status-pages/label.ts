/** The public name of a check: never its full target, which may reveal more than the page should. */
import type { UptimeCheckRow } from '../../../storage/tables/index.ts'
import { m } from './messages.ts'
import type { Say } from '../../../runtime/texts/say.ts'

type Named = Pick<UptimeCheckRow, 'name' | 'url' | 'host'> & { readonly label: string | null }

/** Returns its label on the page, otherwise its name, otherwise the host it watches. */
export function labelOf({ label, name, url, host }: Named): string {
  return label ?? name ?? (url !== null && URL.canParse(url) ? new URL(url).hostname : (host ?? 'A check'))
}

/** `A, B and 3 more` */
export function listed(names: readonly string[], say: Say): string {
  const [one = '', two, ...rest] = names
  if (two === undefined) return one
  return rest.length === 0 ? say(m.one_and_two, { one, two }) : say(m.one_two_and_count_more, { one, two, count: rest.length })
}
