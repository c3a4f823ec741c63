/**
 * The little Markdown that answers and updates are written in: paragraphs, lists, headings, bold, emphasis, code. Pictures
 * stay text, and so do links in answers, as names that strangers chose stand in them.
 */
import type { Child } from 'hono/jsx'
import { isAddress } from '../../../runtime/ui/cell.tsx'

type Block = { readonly kind: 'p' | 'h' | 'pre'; readonly lines: string[] } | { readonly kind: 'ul' | 'ol'; readonly lines: string[] }

const listItem = /^\s*(?:([-*+])|(\d{1,3})[.)])\s+(.*)$/

function blocksOf(text: string): Block[] {
  const blocks: Block[] = []
  let now: Block | undefined
  const open = (kind: Block['kind'], line: string) => {
    if (now?.kind === kind) now.lines.push(line)
    else blocks.push((now = { kind, lines: [line] }))
  }
  for (const line of text.split('\n')) {
    const [, bullet, number, item = ''] = listItem.exec(line) ?? []
    const heading = /^#{1,6}\s+(.*)$/.exec(line)?.[1]
    if (line.trim() === '') now = undefined
    else if (bullet !== undefined) open('ul', item)
    else if (number !== undefined) open('ol', item)
    else if (heading !== undefined) {
      blocks.push({ kind: 'h', lines: [heading] })
      now = undefined
    } else open(/^\s*\|/.test(line) ? 'pre' : 'p', line)
  }
  return blocks
}

const link = /\[([^[\]\n]{1,500})\]\(([^\s()]{1,2000})\)/
const inline = /\\([\\`*_[\]<>~|#&!])|`([^`\n]+)`|\*\*([^*\n]+(?:\*(?!\*)[^*\n]+)*)\*\*|(?<![\w*])\*([^*\n]+)\*(?![\w*])/g

/** A line with what is bold, emphasised or code in it. */
function Line({ text, withLinks = false }: { text: string; withLinks?: boolean }) {
  const [whole, label = '', href = ''] = withLinks ? (link.exec(text) ?? []) : []
  if (whole !== undefined) {
    const [before = '', after = ''] = [text.slice(0, text.indexOf(whole)), text.slice(text.indexOf(whole) + whole.length)]
    return (
      <>
        <Line text={before} />
        {isAddress(href) ? (
          <a href={href} rel="noopener noreferrer nofollow">
            {label}
          </a>
        ) : (
          whole
        )}
        <Line text={after} withLinks />
      </>
    )
  }
  const parts: Child[] = []
  let at = 0
  for (const found of text.matchAll(inline)) {
    parts.push(text.slice(at, found.index))
    const [whole, escaped, code, bold, emphasis] = found
    if (escaped !== undefined) parts.push(escaped)
    else if (code !== undefined) parts.push(<code>{code}</code>)
    else if (bold !== undefined) parts.push(<b>{<Line text={bold} />}</b>)
    else if (emphasis !== undefined) parts.push(<em>{<Line text={emphasis} />}</em>)
    at = found.index + whole.length
  }
  parts.push(text.slice(at))
  return <>{parts}</>
}

interface MarkdownProps {
  readonly text: string
  /** Kinds of blocks that are shown otherwise. */
  readonly without?: readonly Block['kind'][]
  /** Links to the web lead there. */
  readonly withLinks?: boolean
}

export function Markdown({ text, without = [], withLinks = false }: MarkdownProps) {
  return (
    <>
      {blocksOf(text)
        .filter(({ kind }) => !without.includes(kind))
        .map(({ kind, lines }) => {
          if (kind === 'pre') return <pre>{lines.join('\n')}</pre>
          if (kind === 'h')
            return (
              <p>
                <b>
                  <Line text={lines.join(' ')} withLinks={withLinks} />
                </b>
              </p>
            )
          if (kind === 'p')
            return (
              <p>
                <Line text={lines.join(' ')} withLinks={withLinks} />
              </p>
            )
          const items = lines.map(line => (
            <li>
              <Line text={line} withLinks={withLinks} />
            </li>
          ))
          return kind === 'ul' ? <ul>{items}</ul> : <ol>{items}</ol>
        })}
    </>
  )
}
