/**
 * Renders JSX directly to a string of HTML, without a tree of elements, because the server never changes a page that it has drawn.
 * This is several times faster than `hono/jsx`, whose types it uses (`npm run bench -- pages`).
 *
 * Every child that is not an element is escaped, so text that visitors wrote is shown as text.
 */
import { raw } from 'hono/html'
import type { JSX as HonoJsx } from 'hono/jsx/jsx-runtime'
import type { HtmlEscapedString } from 'hono/utils/html'

export namespace JSX {
  export type Element = HtmlEscapedString
  /** Components may return anything that can be a child. */
  export type ElementType = HonoJsx.ElementType
  export type ElementChildrenAttribute = HonoJsx.ElementChildrenAttribute
  export type IntrinsicElements = HonoJsx.IntrinsicElements
  export type IntrinsicAttributes = HonoJsx.IntrinsicAttributes
}

type Props = Readonly<Record<string, unknown>>
type Component = (props: Props) => unknown

/** Elements without an end tag (HTML §13.1.2). */
const voidElements = new Set('area base br col embed hr img input link meta source track wbr'.split(' '))
/** Attributes that are true if they are present, whatever their value (HTML §2.3.2). */
const booleanAttributes = new Set(
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
  if (value === undefined || value === null || (value === false && booleanAttributes.has(name))) return ''
  if (value === true && booleanAttributes.has(name)) return ` ${name}=""`
  return ` ${name}="${escaped(String(value))}"`
}

/** Renders an element, or calls a component with its properties. */
export function jsx(tag: string | Component, props: Props): HtmlEscapedString {
  if (typeof tag === 'function') {
    const made = tag(props)
    return typeof made === 'object' && made !== null && isHtml(made) ? made : raw(htmlOf(made))
  }
  const html = startOf(tag, props)
  return raw(voidElements.has(tag) ? `${html}/>` : `${html}>${htmlOf(props.children)}</${tag}>`)
}

/** Start tags such as `<td class="number"`, by tag and class. Most elements have no other attribute, and a page has thousands of them. */
const starts = new Map<string, Map<string, string>>()
const maxStarts = 200

function startOf(tag: string, props: Props): string {
  let className = ''
  for (const name in props) {
    if (name === 'children') continue
    const value = props[name]
    if (name !== 'class' || typeof value !== 'string' || value === '') return withAttributes(tag, props)
    className = value
  }
  const ofTag = starts.get(tag) ?? new Map<string, string>()
  const known = ofTag.get(className)
  if (known !== undefined) return known
  const made = withAttributes(tag, props)
  if (ofTag.size < maxStarts) starts.set(tag, ofTag.set(className, made))
  return made
}

function withAttributes(tag: string, props: Props): string {
  let html = `<${tag}`
  for (const name in props) if (name !== 'children') html += attribute(name, props[name])
  return html
}

export const jsxs = jsx

export const Fragment: Component = ({ children }) => children
