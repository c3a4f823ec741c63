/** Which wording goes with a number. */

const known = new Map<string, Intl.PluralRules>()

/** Whether it is said as one is: French says none so, too. */
export function isSaidAsOne(count: number, locale: string): boolean {
  const rules = known.get(locale) ?? new Intl.PluralRules(locale)
  known.set(locale, rules)
  return rules.select(count) === 'one'
}
