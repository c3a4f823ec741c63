/** How the app looks and behaves for one person: colours, language, zone, where it opens, keys, motion. */
import { Choice } from '../../../../runtime/form.tsx'
import type { Refused } from '../../../../runtime/page.ts'
import type { AccountRow } from '../../../../storage/tables/index.ts'
import { choices } from '../../account/records.ts'

/** Languages by their own names, as people look for theirs. */
const ownName = (locale: string): string => new Intl.DisplayNames([locale], { type: 'language' }).of(locale) ?? locale
const themes: Readonly<Record<string, string>> = { system: 'As the device has them', light: 'Light', dark: 'Dark' }
const landings: Readonly<Record<string, string>> = { sites: 'At all sites', last_site: 'At the site seen last' }
const keys = [
  ['true', 'Keys work; ? lists them'],
  ['false', 'No keys'],
] as const
const motion = [
  ['false', 'As the device says'],
  ['true', 'Nothing moves'],
] as const

export function Looks({ person, refused }: { person: AccountRow; refused: Refused | undefined }) {
  const flag = (value: number): string => String(value === 1)
  return (
    <section class="card" aria-labelledby="looks">
      <h2 id="looks">How it looks</h2>
      <form method="post" action="/account?_method=PATCH">
        <Choice
          name="theme"
          label="Colours"
          value={person.theme}
          options={choices.theme.enum.map((each: string) => [each, themes[each] ?? each])}
          refused={refused}
        />
        <Choice
          name="locale"
          label="Language"
          help="Numbers and dates in all of these; words in English, German, French and Spanish."
          value={person.locale}
          options={choices.locale.enum.map((each: string) => [each, ownName(each)])}
          refused={refused}
        />
        <Choice
          name="timezone"
          label="Time zone"
          value={person.timezone ?? ''}
          options={[['', 'That of each site'], ...zonesWith(person.timezone).map(zone => [zone, zone.replaceAll('_', ' ')] as const)]}
          refused={refused}
        />
        <Choice
          name="default_landing"
          label="Opens"
          value={person.default_landing}
          options={choices.default_landing.enum.map((each: string) => [each, landings[each] ?? each])}
          refused={refused}
        />
        <Choice name="shortcuts_enabled" label="Keyboard" value={flag(person.shortcuts_enabled)} options={keys} refused={refused} />
        <Choice name="reduce_motion" label="Motion" value={flag(person.reduce_motion)} options={motion} refused={refused} />
        <button type="submit">Save</button>
      </form>
    </section>
  )
}

/** With the one that is chosen, should it no longer be listed. */
function zonesWith(chosen: string | null): string[] {
  return [...new Set(['UTC', ...(chosen === null ? [] : [chosen]), ...Intl.supportedValuesOf('timeZone')])]
}
