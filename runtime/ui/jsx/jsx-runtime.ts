/**
 * Makes HTML of JSX, as a text at once. Pages are drawn on the server and never changed there, so no tree is kept: that is
 * several times faster than `hono/jsx`, whose types these are (`npm run bench -- pages`).
 *
 * Everything that is no element is escaped: text of others is shown as text.
 */
import { raw } from 'hono/html'
import type { JSX as HonoJsx } from 'hono/jsx/jsx-runtime'
import type { HtmlEscapedString } from 'hono/utils/html'

export namespace JSX {
  export type Element = HtmlEscapedString
  /** Components may answer anything that can be a child. */
  export type ElementType = HonoJsx.ElementType
  export type ElementChildrenAttribute = HonoJsx.ElementChildrenAttribute
  export type IntrinsicElements = HonoJsx.IntrinsicElements
  export type IntrinsicAttributes = HonoJsx.IntrinsicAttributes
}

type Props = Readonly<Record<string, unknown>>
type Component = (props: Props) => unknown

/** HTML §13.1.2: these have no end. */
const empty = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** HTML §2.3.2: there or not, whatever they say. */
const flags = new Set(
  'allowfullscreen async autofocus checked controls default defer disabled download formnovalidate hidden inert loop multiple muted nomodule novalidate open readonly required reversed selected'.split(
    ' ',
  ),
)
const marks = /[&<>'"]/
const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', "'": '&#39;', '"': '&quot;' }
const escaped = (text: string): string => (marks.test(text) ? text.replace(/[&<>'"]/g, mark => entities[mark] ?? mark) : text)

/** A `String` object, which nothing that was sent to us as JSON can be. */
const isHtml = (value: object): value is HtmlEscapedString => value instanceof String && 'isEscaped' in value && value.isEscaped === true

function htmlOf(child: unknown): string {
  switch (typeof child) {
    case 'string':
      return escaped(child)
    case 'number':
    case 'bigint':
      return String(child)
    case 'object': {
      if (child === null) return ''
      if (isHtml(child)) return child.toString()
      if (Array.isArray(child)) {
        let text = ''
        for (const each of child) text += htmlOf(each)
        return text
      }
    }
  }
  if (child === undefined || typeof child === 'boolean') return ''
  throw new TypeError(`JSX shows no ${typeof child}: pages are made at once`)
}

function attribute(name: string, value: unknown): string {
  if (value === undefined || value === null || (value === false && flags.has(name))) return ''
  if (value === true && flags.has(name)) return ` ${name}=""`
  return ` ${name}="${escaped(String(value))}"`
}

/** An element, or what a component makes of its properties. */
export function jsx(tag: string | Component, props: Props): HtmlEscapedString {
  if (typeof tag === 'function') {
    const made = tag(props)
    return typeof made === 'object' && made !== null && isHtml(made) ? made : raw(htmlOf(made))
  }
  const html = startOf(tag, props)
  return raw(empty.has(tag) ? `${html}/>` : `${html}>${htmlOf(props.children)}</${tag}>`)
}

/** `<td class="number"` by its tag and class. Most elements have nothing more, and a page is put together of thousands. */
const starts = new Map<string, Map<string, string>>()
const maxStarts = 200

function startOf(tag: string, props: Props): string {
  let look = ''
  for (const name in props) {
    if (name === 'children') continue
    const value = props[name]
    if (name !== 'class' || typeof value !== 'string' || value === '') return withAttributes(tag, props)
    look = value
  }
  const ofTag = starts.get(tag) ?? new Map<string, string>()
  const known = ofTag.get(look)
  if (known !== undefined) return known
  const made = withAttributes(tag, props)
  if (ofTag.size < maxStarts) starts.set(tag, ofTag.set(look, made))
  return made
}

function withAttributes(tag: string, props: Props): string {
  let html = `<${tag}`
  for (const name in props) if (name !== 'children') html += attribute(name, props[name])
  return html
}

export const jsxs = jsx

export const Fragment: Component = ({ children }) => children
