/** Texts in ICU MessageFormat (unicode-org.github.io/icu/userguide/format_parse/messages), parsed once each. */
import { IntlMessageFormat } from 'intl-messageformat'

const parsed = new Map<string, Map<string, IntlMessageFormat>>()

function formatOf(locale: string, text: string): IntlMessageFormat {
  const texts = parsed.get(locale) ?? new Map<string, IntlMessageFormat>()
  parsed.set(locale, texts)
  let format = texts.get(text)
  if (!format) texts.set(text, (format = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true })))
  return format
}

/** Whether a text has no parameters and no quoted braces, so that it is what it says. */
const isPlain = (text: string): boolean => !text.includes('{')

/**
 * @param values by name; a parameter without a value is shown as `{name}`, so that a faulty translation shows and nothing fails
 * @throws nothing
 */
export function formatText(locale: string, text: string, values: Readonly<Record<string, string | number>>): string {
  if (isPlain(text)) return text
  try {
    return String(formatOf(locale, text).format(values))
  } catch {
    return text.replace(/\{(\w+)[^{}]*\}/g, (blank, name: string) => (Object.hasOwn(values, name) ? String(values[name]) : blank))
  }
}

/** Formats a text with values such as elements of a page. @returns texts and values in turn */
export function formatParts<V>(locale: string, text: string, values: Readonly<Record<string, V | string | number>>): (V | string)[] {
  if (isPlain(text)) return [text]
  const made: unknown = formatOf(locale, text).format(values as Record<string, string>) // other values stay as they are
  return (Array.isArray(made) ? made : [made]) as (V | string)[]
}

/** Names of the parameters of an ICU text, in their order. @throws SyntaxError if it is not one */
export function parametersOf(text: string): string[] {
  if (isPlain(text)) return []
  const names = new Set<string>()
  const visit = (nodes: readonly unknown[]): void => {
    for (const node of nodes as readonly { type: number; value?: string; options?: Record<string, { value: unknown[] }> }[]) {
      if (node.type !== literal && node.type !== pound && node.value !== undefined) names.add(node.value)
      for (const option of Object.values(node.options ?? {})) visit(option.value)
    }
  }
  visit(formatOf('en', text).getAst())
  return [...names]
}
/** Types of nodes in the tree of the parser. */
const [literal, pound] = [0, 7]
