/** Forms of a page as a browser sends them: what our own pages draw, not HTML at large. */
export interface DrawnForm {
  /** Path and query. */
  readonly action: string
  /** The fields that an untouched form sends. */
  readonly fields: readonly (readonly [name: string, value: string])[]
  /** Values that each field of choices has. */
  readonly choices: ReadonlyMap<string, readonly string[]>
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'" }
const unescaped = (text: string): string => text.replace(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => entities[name] ?? '')
const attribute = (tag: string, name: string): string | undefined => {
  const [, value] = new RegExp(`\\s${name}="([^"]*)"`).exec(tag) ?? []
  return value === undefined ? undefined : unescaped(value)
}
const has = (tag: string, name: string): boolean => new RegExp(`\\s${name}(=|\\s|/|>|$)`).test(tag)

export const formsIn = (html: string): DrawnForm[] =>
  [...html.matchAll(/<form\b([^>]*)>([^]*?)<\/form>/g)].map(([, tag = '', body = '']) => formOf(tag, body))

function formOf(tag: string, body: string): DrawnForm {
  const fields: [string, string][] = []
  const choices = new Map<string, string[]>()
  for (const [whole, element, attributes = ''] of body.matchAll(
    /<(input|select|textarea)\b([^>]*)>(?:(?<=<select\b[^>]*>)[^]*?<\/select>|(?<=<textarea\b[^>]*>)[^]*?<\/textarea>)?/g,
  )) {
    const name = attribute(attributes, 'name')
    if (name === undefined) continue
    if (element === 'textarea') {
      fields.push([name, unescaped(whole.replace(/^<textarea[^>]*>\n?/, '').replace(/<\/textarea>$/, ''))])
    } else if (element === 'select') {
      const options = [...whole.matchAll(/<option\b([^>]*?)\/?>(?:([^<]*)<\/option>)?/g)].map(([, about = '', text = '']) => ({
        value: attribute(about, 'value') ?? unescaped(text),
        isChosen: has(about, 'selected'),
      }))
      choices.set(
        name,
        options.map(({ value }) => value),
      )
      fields.push([name, (options.find(({ isChosen }) => isChosen) ?? options[0])?.value ?? ''])
    } else {
      const type = attribute(attributes, 'type') ?? 'text'
      const isBox = type === 'checkbox' || type === 'radio'
      if (isBox) choices.set(name, [...(choices.get(name) ?? []), attribute(attributes, 'value') ?? 'on'])
      if (type !== 'file' && type !== 'submit' && (!isBox || has(attributes, 'checked')))
        fields.push([name, attribute(attributes, 'value') ?? (isBox ? 'on' : '')])
    }
  }
  return { action: attribute(tag, 'action') ?? '', fields, choices }
}

/** The same with other values in some of its controls; a box that is not checked sends nothing. */
export const typedInto = ({ fields }: DrawnForm, typed: Readonly<Record<string, string | undefined>>): string => {
  const rest = fields.filter(([name]) => !Object.hasOwn(typed, name))
  const others = Object.entries(typed).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]]))
  return String(new URLSearchParams([...rest.map(each => [...each]), ...others]))
}
