/**
 * Markdown as safe HTML, for updates of status pages and answers of the assistant. Only the elements listed here are made. Raw
 * HTML is shown as text, pictures become links, and links lead only to the web and to mailboxes.
 */
import type { Token, Tokens } from 'marked'
import type { Child } from 'hono/jsx'
import type { Content } from '../table/page.ts'

/** Deeper nesting is shown as it was written: it is a mistake, or an attack. */
const deepest = 8

export type RenderMarkdown = (text: string) => Content

export interface MarkdownOptions {
  /** Whether links lead somewhere. Without, they are shown as written: names that strangers chose may be in them. */
  readonly hasLinks?: boolean
  /** Leaves numbered lists out, if the page shows them as a table. */
  readonly hasNumberedLists?: boolean
}

/** Characters of a page that are read as Markdown; texts beyond are shown as they were written. */
const mostRead = 100_000

/** For one page. Loaded where it is needed: most of the service renders none. A text has at most 5,000 characters. */
export async function openMarkdown({ hasLinks = true, hasNumberedLists = true }: MarkdownOptions = {}): Promise<RenderMarkdown> {
  const { marked } = await import('marked')
  let read = 0
  const blocksOf = (text: string) => {
    read += text.length
    if (read > mostRead || nested.test(text) || (text.match(emphasis)?.length ?? 0) > mostEmphases) return <p>{text}</p>
    try {
      const tokens = marked.lexer(text, { gfm: true }).filter(token => hasNumberedLists || token.type !== 'list' || !token.ordered)
      return <Blocks tokens={tokens} hasLinks={hasLinks} />
    } catch {
      return <p>{text}</p> // it nests more deeply than the stack reaches
    }
  }
  return text => <div class="prose">{blocksOf(text)}</div>
}

/** Quotes and lists within each other on one line, which nobody means. */
const nested = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){9}/m

/** The lexer looks from each of these as far as the end for its other half. */
const emphasis = /[*_[]+/g
const mostEmphases = 400

interface Props {
  readonly tokens: readonly Token[] | undefined
  readonly hasLinks: boolean
  readonly depth?: number
}
interface TokenProps {
  readonly token: Token
  readonly hasLinks: boolean
  readonly depth: number
}

function Blocks({ tokens = [], hasLinks, depth = 0 }: Props) {
  if (depth > deepest) return <>{tokens.map(({ raw }) => raw).join('')}</>
  return (
    <>
      {tokens.map(token => (
        <Block token={token} hasLinks={hasLinks} depth={depth} />
      ))}
    </>
  )
}

function Block({ token, hasLinks, depth }: TokenProps) {
  const inside = depth + 1
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      return (
        <p>
          <strong>
            <Spans tokens={token.tokens} hasLinks={hasLinks} depth={inside} />
          </strong>
        </p>
      )
    case 'paragraph':
      return (
        <p>
          <Spans tokens={token.tokens} hasLinks={hasLinks} depth={inside} />
        </p>
      )
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens} hasLinks={hasLinks} depth={inside} />
        </blockquote>
      )
    case 'code':
      return (
        <pre>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      )
    case 'table':
      return <pre>{token.raw.trim()}</pre>
    case 'hr':
      return <hr />
    case 'list': {
      const { ordered, items, start } = token as Tokens.List
      const lines = items.map(item => (
        <li>
          <Blocks tokens={item.tokens} hasLinks={hasLinks} depth={inside} />
        </li>
      ))
      return ordered ? <ol start={typeof start === 'number' ? start : undefined}>{lines}</ol> : <ul>{lines}</ul>
    }
    case 'text':
      return 'tokens' in token && token.tokens ? <Spans tokens={token.tokens} hasLinks={hasLinks} depth={inside} /> : plain(token)
    default:
      return <p>{token.raw.trim()}</p>
  }
}

function Spans({ tokens = [], hasLinks, depth = 0 }: Props) {
  if (depth > deepest) return <>{tokens.map(({ raw }) => raw).join('')}</>
  return (
    <>
      {tokens.map(token => (
        <Span token={token} hasLinks={hasLinks} depth={depth} />
      ))}
    </>
  )
}

function Span({ token, hasLinks, depth }: TokenProps) {
  if (!hasLinks && (token.type === 'link' || token.type === 'image')) return <>{token.raw}</>
  const within = 'tokens' in token && token.tokens ? <Spans tokens={token.tokens} hasLinks={hasLinks} depth={depth + 1} /> : plain(token)
  switch (token.type) {
    case 'strong':
      return <strong>{within}</strong>
    case 'em':
      return <em>{within}</em>
    case 'del':
      return <del>{within}</del>
    case 'codespan':
      return <code>{(token as Tokens.Codespan).text}</code>
    case 'br':
      return <br />
    case 'link':
      return <Link href={(token as Tokens.Link).href}>{within}</Link>
    case 'image':
      return <Link href={(token as Tokens.Image).href}>{(token as Tokens.Image).text || (token as Tokens.Image).href}</Link>
    case 'text':
    case 'escape':
      return within
    default:
      return <>{token.raw}</>
  }
}

/** The text as it was written: the lexer leaves entities alone, which browsers would otherwise be shown twice escaped. */
const plain = (token: Token): string => ('text' in token && typeof token.text === 'string' ? token.text : token.raw)

function Link({ href, children }: { href: string; children: Child }) {
  return /^(https?:\/\/[^\s]|mailto:[^\s]+@)/i.test(href) && href.length <= 2_000 ? (
    <a href={href} rel="nofollow noopener noreferrer">
      {children}
    </a>
  ) : (
    children
  )
}
