/** How the app looks and behaves for one person: colours, language, zone, where it opens, keys, motion. */
import { Choice, DrawnFrom } from '../../../../runtime/ui/form.tsx'
import { phrases, type Say } from '../../../../runtime/texts/index.ts'
import type { Refused } from '../../../../runtime/table/page.ts'
import type { Static } from '../../../../runtime/table/schema.ts'
import { timeZones } from '../../../../runtime/ui/time-zones.ts'
import { type Account, choices } from '../../account/records.ts'

let localeOptions: readonly (readonly [locale: string, name: string])[] | undefined
/** Languages by their own names, as people look for theirs. Finding the names takes longer than the page, so they are kept. */
const locales = () =>
  (localeOptions ??= choices.locale.enum.map((each: string) => [
    each,
    new Intl.DisplayNames([each], { type: 'language' }).of(each) ?? each,
  ]))
const themes: Readonly<Record<string, string>> = phrases({ system: 'As the device has them', light: 'Light', dark: 'Dark' })
const landings: Readonly<Record<string, string>> = phrases({ sites: 'At all sites', last_site: 'At the site seen last' })
const keys = phrases({ true: 'Keys work; ? lists them', false: 'No keys' })
const looks = ['theme', 'locale', 'timezone', 'default_landing', 'shortcuts_enabled', 'reduce_motion']
const motion = phrases({ false: 'As the device says', true: 'Nothing moves' })

export function Looks({ person, refused, say }: { person: Static<typeof Account>; refused: Refused | undefined; say: Say }) {
  const saidOf = (texts: Readonly<Record<string, string>>) => Object.entries(texts).map(([value, text]) => [value, say(text)] as const)
  return (
    <section class="card" aria-labelledby="looks">
      <h2 id="looks">{say('How it looks')}</h2>
      <form method="post" action="/account?_method=PATCH">
        <DrawnFrom record={person} fields={looks} refused={refused} />
        <Choice
          name="theme"
          label={say('Colours')}
          value={person.theme}
          options={choices.theme.enum.map((each: string) => [each, say(themes[each] ?? each)])}
          refused={refused}
        />
        <Choice
          name="locale"
          label={say('Language')}
          help={say('Numbers and dates in all of these; words in English, German, French and Spanish.')}
          value={person.locale}
          options={locales()}
          refused={refused}
        />
        <Choice
          name="timezone"
          label={say('Time zone')}
          value={person.timezone ?? ''}
          blank={say('That of each site')}
          options={timeZones()}
          refused={refused}
        />
        <Choice
          name="default_landing"
          label={say('Opens')}
          value={person.default_landing}
          options={choices.default_landing.enum.map((each: string) => [each, say(landings[each] ?? each)])}
          refused={refused}
        />
        <Choice
          name="shortcuts_enabled"
          label={say('Keyboard')}
          value={String(person.shortcuts_enabled)}
          options={saidOf(keys)}
          refused={refused}
        />
        <Choice
          name="reduce_motion"
          label={say('Motion')}
          value={String(person.reduce_motion)}
          options={saidOf(motion)}
          refused={refused}
        />
        <button type="submit">{say('Save')}</button>
      </form>
    </section>
  )
}
