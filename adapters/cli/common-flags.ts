/** Flags of every command, which may be anywhere in the line. It imports nothing: each start of `footfall` reads it. */

export const common = {
  json: { takes: undefined, about: 'print the answer as JSON' },
  csv: { takes: undefined, about: 'print the table of the answer as CSV' },
  jq: { takes: 'filter', about: 'print the results of a jq filter, one a line: .data[].domain, .meta.total' },
  all: { takes: undefined, about: 'every page of a list' },
  help: { takes: undefined, about: 'show the arguments of the command' },
  server: { takes: 'url', about: 'address of the installation; else FOOTFALL_SERVER, or the profile’s' },
  token: { takes: 'token', about: 'API token, "-" to read it from standard input; else FOOTFALL_TOKEN, or the profile’s' },
  profile: { takes: 'name', about: 'profile to use; else FOOTFALL_PROFILE, or the current one' },
} as const satisfies Readonly<Record<string, { takes: string | undefined; about: string }>>
export type CommonFlag = keyof typeof common
export type Common = Partial<Record<CommonFlag, string>>

export const isCommon = (flag: string): flag is CommonFlag => Object.hasOwn(common, flag)

/** How many words such a flag takes at this place: 0 if none is there. */
function lengthAt(words: readonly string[], at: number): 0 | 1 | 2 {
  const word = words[at] ?? ''
  if (word === '-h') return 1
  const [, flag = '', attached] = /^--([^=]+)(=[^]*)?$/.exec(word) ?? []
  if (!isCommon(flag)) return 0
  return attached !== undefined || common[flag].takes === undefined ? 1 : 2
}

/** Places of the words before the first flag of the command itself, without common flags and their values. */
export function plainWords(words: readonly string[]): number[] {
  const places: number[] = []
  for (let at = 0; at < words.length; at++) {
    const length = lengthAt(words, at)
    if (length > 0) at += length - 1
    else if (words[at]?.startsWith('-')) break
    else places.push(at)
  }
  return places
}

/** `--json sites list` → `sites list --json`. A line without a command stays as it is. */
export function withFlagsLast(words: readonly string[]): readonly string[] {
  const [first = 0] = plainWords(words)
  return first === 0 ? words : [...words.slice(first), ...words.slice(0, first)]
}
