/**
 * Markdown as safe HTML, for updates of status pages, answers of the assistant and pages of the manual. Only the elements listed here are made. Raw
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
  /** Set for a page of our own: it has headings with ids, tables, and links to other pages. Other texts are as long as a message. */
  readonly document?: DocumentOptions
}

export interface DocumentOptions {
  /** Address of a link as the page writes it; undefined if it leads nowhere here. */
  hrefOf(link: string): string | undefined
}

/** Characters of a page that are read as Markdown; texts beyond are shown as they were written. */
const maxRead = 100_000

/** For one page. Loaded where it is needed: most of the service renders none. A text has at most 5,000 characters. */
export async function openMarkdown({ hasLinks = true, hasNumberedLists = true, document }: MarkdownOptions = {}): Promise<RenderMarkdown> {
  const { marked } = await import('marked')
  const as: Rendering = { hasLinks, document }
  let read = 0
  const blocksOf = (text: string) => {
    read += text.length
    const isStrange = !document && (read > maxRead || nested.test(text) || (text.match(emphasis)?.length ?? 0) > maxEmphases)
    if (isStrange) return <p>{text}</p>
    try {
      const tokens = marked.lexer(text, { gfm: true }).filter(token => hasNumberedLists || token.type !== 'list' || !token.ordered)
      return <Blocks tokens={tokens} as={as} />
    } catch {
      return <p>{text}</p> // it nests more deeply than the stack reaches
    }
  }
  return text => <div class="prose">{blocksOf(text)}</div>
}

/** Quotes and lists within each other on one line, which no author means. */
const nested = /^(?:[ \t]*(?:[>*+-]|\d{1,9}[.)])){9}/m

/** The lexer looks from each of these as far as the end for its other half. */
const emphasis = /[*_[]+/g
const maxEmphases = 400

interface Rendering {
  readonly hasLinks: boolean
  readonly document: DocumentOptions | undefined
}
interface Props {
  readonly tokens: readonly Token[] | undefined
  readonly as: Rendering
  readonly depth?: number
}
interface TokenProps {
  readonly token: Token
  readonly as: Rendering
  readonly depth: number
}

function Blocks({ tokens = [], as, depth = 0 }: Props) {
  if (depth > deepest) return <>{tokens.map(({ raw }) => raw).join('')}</>
  return (
    <>
      {tokens.map(token => (
        <Block token={token} as={as} depth={depth} />
      ))}
    </>
  )
}

function Block({ token, as, depth }: TokenProps) {
  const inside = depth + 1
  switch (token.type) {
    case 'space':
    case 'def':
      return null
    case 'heading':
      if (as.document) return <Heading token={token} as={as} depth={inside} />
      return (
        <p>
          <strong>
            <Spans tokens={token.tokens} as={as} depth={inside} />
          </strong>
        </p>
      )
    case 'paragraph':
      return (
        <p>
          <Spans tokens={token.tokens} as={as} depth={inside} />
        </p>
      )
    case 'blockquote':
      return (
        <blockquote>
          <Blocks tokens={token.tokens} as={as} depth={inside} />
        </blockquote>
      )
    case 'code':
      return (
        <pre>
          <code>{(token as Tokens.Code).text}</code>
        </pre>
      )
    case 'table':
      if (as.document) return <Table token={token} as={as} depth={inside} />
      return <pre>{token.raw.trim()}</pre>
    case 'hr':
      return <hr />
    case 'list': {
      const { ordered, items, start } = token as Tokens.List
      const lines = items.map(item => (
        <li>
          <Blocks tokens={item.tokens} as={as} depth={inside} />
        </li>
      ))
      return ordered ? <ol start={typeof start === 'number' ? start : undefined}>{lines}</ol> : <ul>{lines}</ul>
    }
    case 'text':
      return 'tokens' in token && token.tokens ? <Spans tokens={token.tokens} as={as} depth={inside} /> : plain(token)
    default:
      return <p>{token.raw.trim()}</p>
  }
}

function Spans({ tokens = [], as, depth = 0 }: Props) {
  if (depth > deepest) return <>{tokens.map(({ raw }) => raw).join('')}</>
  return (
    <>
      {tokens.map(token => (
        <Span token={token} as={as} depth={depth} />
      ))}
    </>
  )
}

function Span({ token, as, depth }: TokenProps) {
  if (!as.hasLinks && (token.type === 'link' || token.type === 'image')) return <>{token.raw}</>
  const within = 'tokens' in token && token.tokens ? <Spans tokens={token.tokens} as={as} depth={depth + 1} /> : plain(token)
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
      return (
        <Link href={(token as Tokens.Link).href} as={as}>
          {within}
        </Link>
      )
    case 'image':
      if (as.document) return <>{(token as Tokens.Image).text}</>
      return (
        <Link href={(token as Tokens.Image).href} as={as}>
          {(token as Tokens.Image).text || (token as Tokens.Image).href}
        </Link>
      )
    case 'text':
    case 'escape':
      return within
    default:
      return <>{token.raw}</>
  }
}

/** The text as it was written: the lexer leaves entities alone, which browsers would otherwise be shown twice escaped. */
const plain = (token: Token): string => ('text' in token && typeof token.text === 'string' ? token.text : token.raw)

/** The id of a heading, as GitHub makes it, so that links within the manual work in both places. */
export const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-')

function Heading({ token, as, depth }: TokenProps) {
  const { depth: level, text } = token as Tokens.Heading
  const inner = <Spans tokens={token.type === 'heading' ? token.tokens : undefined} as={as} depth={depth} />
  if (level === 1) return <h1>{inner}</h1>
  const id = anchorOf(text.replace(/`/g, ''))
  return level === 2 ? <h2 id={id}>{inner}</h2> : <h3 id={id}>{inner}</h3>
}

function Table({ token, as, depth }: TokenProps) {
  const { header, rows } = token as Tokens.Table
  const cells = (row: readonly Tokens.TableCell[]) => row.map(({ tokens }) => <Spans tokens={tokens} as={as} depth={depth} />)
  const label = header.map(({ text }) => text).join(', ')
  return (
    <section class="scroll" tabindex={0} aria-label={label === '' ? undefined : label}>
      <table>
        {header.some(({ text }) => text !== '') && (
          <thead>
            <tr>
              {cells(header).map(cell => (
                <th scope="col">{cell}</th>
              ))}
            </tr>
          </thead>
        )}
        <tbody>
          {rows.map(row => (
            <tr>
              {cells(row).map(cell => (
                <td>{cell}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Link({ href, as: { document }, children }: { href: string; as: Rendering; children: Child }) {
  const own = document?.hrefOf(href)
  if (own !== undefined) return <a href={own}>{children}</a>
  return /^(https?:\/\/[^\s]|mailto:[^\s]+@)/i.test(href) && href.length <= 2_000 ? (
    <a href={href} rel="nofollow noopener noreferrer">
      {children}
    </a>
  ) : (
    children
  )
}
