/** `--filter 'country is DE'` as a condition of the API: `["country", "is", "DE"]`. */

const signs: Readonly<Record<string, string>> = { '=': 'is', '!=': 'is_not', '>': 'gt', '<': 'lt', '~': 'contains', '!~': 'not_contains' }
const operators = 'is not|is|any of|none of|contains|not contains|starts with|not regex|regex|gt|lt|between'
/** The key of a property may have spaces; it ends at the first operator. */
const condition = new RegExp(
  `^\\s*(property:.*?\\S|\\S+?)\\s*(?:\\s(${operators.replaceAll(' ', '[ _]')})\\s|(!=|!~|[=<>~]))\\s*(.*?)\\s*$`,
  's',
)
const lists: ReadonlySet<string> = new Set(['any_of', 'none_of', 'between'])
const numbers: ReadonlySet<string> = new Set(['gt', 'lt'])

export const filterHelp = `'country is DE', 'source any of Google,Bing', 'page starts with /blog', 'country != DE'; several apply together`

/** @returns undefined if the text is not a condition */
export function filterOf(text: string): [string, string, unknown] | undefined {
  const [, dimension = '', word = '', sign = '', value = ''] = condition.exec(text) ?? []
  const operator = signs[sign] ?? word.replaceAll(' ', '_')
  if (dimension === '' || operator === '') return undefined
  return [dimension, operator, valueOf(operator, value)]
}

function valueOf(operator: string, text: string): unknown {
  const numeric = (part: string) => (/^-?\d+(\.\d+)?$/.test(part) ? Number(part) : part)
  if (numbers.has(operator)) return numeric(text)
  if (!lists.has(operator)) return text
  const parts = text.split(',').map(part => part.trim())
  return operator === 'between' ? parts.map(numeric) : parts
}
