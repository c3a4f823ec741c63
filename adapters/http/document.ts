/** Complete HTML documents, whose content security policy lists each style by its hash (CSP Level 3 §6.7.3). */
import { createHash } from 'node:crypto'

export interface StyledDocument {
  readonly html: string
  /** Hashes of the style elements, as `style-src` lists them. */
  readonly styles: readonly string[]
}

/**
 * Moves style attributes into a style element at the end of the head: a policy that allows the attributes would allow any
 * other style, too.
 */
export function withStylesByHash(html: string): StyledDocument {
  const rules = new Map<string, number>()
  const moved = html.replace(/<[a-z][^<>]*>/gi, tag =>
    tag.replace(/\sstyle="([^"{}]*)"/i, (_, style: string) => {
      const number = rules.get(style) ?? rules.size
      rules.set(style, number)
      return ` data-s="${number}"`
    }),
  )
  const css = [...rules].map(([style, number]) => `[data-s="${number}"]{${plain(style)}}`).join('')
  const whole = css === '' || css.includes('<') ? moved : moved.replace('</head>', () => `<style>${css}</style></head>`)
  const texts = [...whole.matchAll(/<style>([^<]*)<\/style>/g)].map(([, text = '']) => text)
  return { html: whole, styles: texts.map(styleSource) }
}

/** The entities that hono/jsx writes in attributes. */
const characters: Readonly<Record<string, string>> = { '&quot;': '"', '&#39;': "'", '&amp;': '&', '&lt;': '<', '&gt;': '>' }
const plain = (attribute: string): string => attribute.replace(/&(?:quot|#39|amp|lt|gt);/g, entity => characters[entity] ?? entity)

/** The source expression of a style in a policy. */
export const styleSource = (text: string): string => `'sha256-${createHash('sha256').update(text).digest('base64')}'`
