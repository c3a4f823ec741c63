/**
 * Passwords that are guessed first: common ones, names that belong to the person or the workspace, and simple variations of
 * both (NIST SP 800-63B-4 §3.1.1.2; OWASP ASVS 5.0, 6.2.4 and 6.2.11). Otherwise only the length counts.
 */
import list from './common-passwords.json' with { type: 'json' }

export type Guess = 'common' | 'simple' | 'named'

let commonest: ReadonlySet<string> | undefined
/** Built when a person first chooses a password. */
const isCommon = (text: string): boolean => (commonest ??= new Set(list.passwords.join(' ').split(' '))).has(text)

/** Affixes that belong to a variation: years, counters, exclamation marks. */
const maxAffixLength = 6
/** The longest affix that is looked up, for example `1234567890`. Every prefix length is tried with every suffix length. */
const maxRunLength = 16
/** The shortest text that is searched for in a password; shorter ones match too often. */
const minCoreLength = 4

/**
 * @param password in the stored form: NFKC
 * @param names names that others know: an address, the name of a workspace
 * @returns why it is easy to guess, or undefined
 */
export function guessed(password: string, names: readonly string[] = []): Guess | undefined {
  const text = password.toLowerCase()
  const joined = text.replaceAll(/[\s._-]+/g, '')
  const forms = joined === text ? [text] : [text, joined]
  const cores = forms.flatMap(coresOf)
  if (forms.some(isCommon) || cores.some(isCommonCore)) return 'common'
  if (forms.some(isSimple) || cores.some(isSimpleCore)) return 'simple'
  const known = words(names)
  return forms.some(form => isNamed(form, known)) ? 'named' : undefined
}

/** Returns the text without simple affixes, in each of its readings. */
function coresOf(text: string): string[] {
  const [before = ''] = /^[^\p{L}]*/u.exec(text) ?? []
  const [after = ''] = before.length === text.length ? [] : (/[^\p{L}]*$/u.exec(text) ?? [])
  const cores = new Set<string>()
  for (let start = 0; start <= Math.min(before.length, maxRunLength); start++) {
    if (!isPlainAffix(text.slice(0, start))) continue
    for (let end = 0; end <= Math.min(after.length, maxRunLength); end++) {
      if (isPlainAffix(text.slice(text.length - end))) for (const read of readings(text.slice(start, text.length - end))) cores.add(read)
    }
  }
  return [...cores]
}

const isPlainAffix = (affix: string): boolean => affix.length <= maxAffixLength || isCommon(affix) || isSimple(affix)

/** A core without letters is not a varied word: ten uncommon digits are accepted. */
const isCommonCore = (core: string): boolean =>
  [core, unitOf(core)].some(word => word.length >= minCoreLength && /\p{L}/u.test(word) && isCommon(word))

const isSimpleCore = (core: string): boolean => core.length > maxAffixLength && isSimple(core)

/** Signs, and the letters that they replace. */
const leet: ReadonlyMap<string, string> = new Map(
  '0o 1i 2z 3e 4a 5s 6g 7t 8b 9g @a $s !i |l +t €e (c £l'.split(' ').map(([sign = '', letter = '']) => [sign, letter]),
)
const leetSign = /[0-9@$!|+€(£]/g

/** Returns the text itself, and with its digits and signs read as similar letters: `1` is an `i` or an `l`. */
function readings(text: string): string[] {
  const read = text.replaceAll(leetSign, sign => leet.get(sign) ?? sign)
  return text === read ? [text] : [text, read, text.replaceAll(/[1!]/g, 'l').replaceAll(leetSign, sign => leet.get(sign) ?? sign)]
}

/** The shortest text that this one repeats; for example, `abc` for `abcabc`. */
function unitOf(text: string): string {
  const length = text === '' ? 0 : (text + text).indexOf(text, 1)
  return text.slice(0, length)
}

/** Whether it has few different characters, or few runs of consecutive ones: `abcdef123456`, `aaaaabbbbb`, `xyxyxyxyxy`. */
function isSimple(text: string): boolean {
  if (new Set(text).size < 4 || unitOf(text).length < minCoreLength) return true
  let runs = 0
  let step: number | undefined
  for (let at = 1; at < text.length; at++) {
    const next = text.charCodeAt(at) - text.charCodeAt(at - 1)
    const follows = Math.abs(next) <= 1 || (text[at - 1] === '9' && text[at] === '0')
    if (!follows || (step !== undefined && next !== step && next !== -9)) {
      runs++
      step = follows ? next : undefined
    } else step ??= next
  }
  return runs + 1 <= text.length / 4
}

/** Returns names and their words, the longest first. Words of two letters match too often. */
function words(names: readonly string[]): string[] {
  const all = names.flatMap(name => [name, ...name.split(/[^\p{L}\p{N}]+/u), name.replaceAll(/[^\p{L}\p{N}]+/gu, '')])
  const lowered = all.map(word => word.normalize('NFKC').toLowerCase()).filter(word => word.length > 2)
  return [...new Set(lowered)].sort((a, b) => b.length - a.length)
}

/** Whether little remains of it without these words. */
function isNamed(text: string, known: readonly string[]): boolean {
  const trimmed = text.replaceAll(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
  const [before = '', after = ''] = trimmed === '' ? [] : text.split(trimmed)
  const bare = isPlainAffix(before) && isPlainAffix(after) ? readings(trimmed) : []
  return [...readings(text), ...bare].some(read => {
    const rest = known.reduce((left, word) => left.replaceAll(word, ''), read)
    if (rest.length === read.length) return false
    const plain = rest.replaceAll(/[\s._@-]+/g, '')
    return plain.length < minCoreLength || isCommon(plain) || (!/\p{L}/u.test(plain) && isPlainAffix(plain))
  })
}
