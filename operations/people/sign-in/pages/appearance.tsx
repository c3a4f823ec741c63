/** How the app looks and behaves for one person: colours, language, zone, where it opens, keys, motion. */
import type { PlainMessage } from '../../../../runtime/texts/message.ts'
import { OperationForm } from '../../../../runtime/ui/form.tsx'
import type { Refused } from '../../../../runtime/table/page.ts'
import type { Static } from '../../../../runtime/table/schema.ts'
import { timeZones } from '../../../../runtime/ui/time-zones.ts'
import { account_update } from '../../account/index.ts'
import { type Account, choices } from '../../account/records.ts'
import { m } from '../messages.ts'
import type { Say } from '../../../../runtime/texts/say.ts'

let localeOptions: readonly (readonly [locale: string, name: string])[] | undefined
/** Languages by their own names, as people look for theirs. Finding the names takes longer than the page, so they are kept. */
const locales = () =>
  (localeOptions ??= choices.locale.enum.map((each: string) => [
    each,
    new Intl.DisplayNames([each], { type: 'language' }).of(each) ?? each,
  ]))
const themes: Readonly<Record<string, PlainMessage>> = {
  system: m.as_on_the_device,
  light: m.light,
  dark: m.dark,
}
const landings: Readonly<Record<string, PlainMessage>> = {
  sites: m.at_all_sites,
  last_site: m.at_the_site_seen_last,
}
const keys = { true: m.keys_work_lists_them, false: m.no_keys }
const looks = ['theme', 'locale', 'timezone', 'default_landing', 'shortcuts_enabled', 'reduce_motion'] as const
const motion = { false: m.as_the_device_says, true: m.nothing_moves }

export function Looks({ person, refused, say }: { person: Static<typeof Account>; refused: Refused | undefined; say: Say }) {
  const saidOf = (texts: Readonly<Record<string, PlainMessage>>) =>
    Object.entries(texts).map(([value, text]) => [value, say(text)] as const)
  return (
    <section class="card" aria-labelledby="looks">
      <h2 id="looks">{say(m.how_it_looks)}</h2>
      <OperationForm of={account_update} refused={refused}>
        {({ field, drawnFrom }) => (
          <>
            {drawnFrom(person, looks)}
            {field('theme', {
              label: say(m.colours),
              value: person.theme,
              options: choices.theme.enum.map((each: string) => [each, say(themes[each] ?? each)]),
            })}
            {field('locale', {
              label: say(m.language),
              help: say(m.numbers_and_dates_in_all_of),
              value: person.locale,
              options: locales(),
            })}
            {field('timezone', {
              label: say(m.time_zone),
              value: person.timezone ?? '',
              blank: say(m.that_of_each_site),
              options: timeZones(),
            })}
            {field('default_landing', {
              label: say(m.opens),
              value: person.default_landing,
              options: choices.default_landing.enum.map((each: string) => [each, say(landings[each] ?? each)]),
            })}
            {field('shortcuts_enabled', {
              label: say(m.keyboard),
              value: String(person.shortcuts_enabled),
              options: saidOf(keys),
            })}
            {field('reduce_motion', {
              label: say(m.motion),
              value: String(person.reduce_motion),
              options: saidOf(motion),
            })}
            <button type="submit">{say(m.save)}</button>
          </>
        )}
      </OperationForm>
    </section>
  )
}
