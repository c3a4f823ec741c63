/** Internationalized domain names (RFC 5890): hosts are stored in ASCII form, `xn--bcher-kva.example`, and shown in letters. */
import { domainToUnicode } from 'node:url'

/** Scripts whose letters may be in one label of a name together (UTS #39 §5.2, without the combinations with Latin). */
const SCRIPTS: readonly RegExp[] = [
  /^[\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]+$/u,
  /^[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Common}\p{Script=Inherited}]+$/u,
  /^[\p{Script=Han}\p{Script=Hangul}\p{Script=Common}\p{Script=Inherited}]+$/u,
  ...['Arabic', 'Armenian', 'Bengali', 'Cyrillic', 'Devanagari', 'Ethiopic', 'Georgian', 'Greek', 'Gujarati', 'Gurmukhi', 'Hebrew'].map(of),
  ...['Kannada', 'Khmer', 'Lao', 'Malayalam', 'Myanmar', 'Sinhala', 'Tamil', 'Telugu', 'Thai', 'Tibetan'].map(of),
]
/** Labels of these letters only look like Latin ones: `аррӏе` is not `apple`. */
const LOOKS_LATIN = /^[асԁеһіјӏорԛѕԝхуъьґϳοαρνικυ\d-]+$/u

function of(script: string): RegExp {
  return new RegExp(`^[\\p{Script=${script}}\\p{Script=Common}\\p{Script=Inherited}]+$`, 'u')
}

/** The text with its host in letters, also if that may mislead: filters are compared with this form. */
export function inLetters(text: string): string {
  const [host = '', ...path] = text.split('/')
  const letters = text.includes('xn--') ? domainToUnicode(host) : ''
  return letters === '' ? text : [letters, ...path].join('/')
}

/** Tests the text as it is and, if its host differs in letters, in letters. */
export const inEitherForm =
  (passes: (text: string) => boolean) =>
  (text: string): boolean => {
    if (passes(text)) return true
    const letters = inLetters(text)
    return letters !== text && passes(letters)
  }

/** The text with its host in letters, unless a label mixes scripts or looks like a Latin one. */
export function safeLetters(text: string): string {
  const letters = inLetters(text)
  if (letters === text) return text
  const labels = (letters.split('/')[0] ?? '').split('.')
  const isSafe = labels.every(label => !/[^ -~]/.test(label) || (!LOOKS_LATIN.test(label) && SCRIPTS.some(script => script.test(label))))
  return isSafe ? letters : text
}
