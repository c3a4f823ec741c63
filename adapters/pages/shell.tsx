/** The document around every page. */
import type { Content, Looks, PageContent } from '../../runtime/table/page.ts'
import { assetPath } from './assets.ts'
import type { Frame, NavigationGroup } from './frame.ts'
import { m } from './messages.ts'
import { ButtonForm, Form } from '../../runtime/ui/form.tsx'
import { type Reader, wordsOf } from '../../runtime/texts/reader.ts'
import { say } from '../../runtime/texts/say.ts'

export interface Document {
  readonly title: string
  readonly content: Content
  readonly width?: 'narrow' | undefined
  readonly scripts?: readonly string[] | undefined
  readonly styles?: readonly string[] | undefined
  readonly feeds?: PageContent['feeds'] | undefined
  /** Name of the signed-in user; undefined without a session. */
  readonly who?: string | undefined
  /** Navigation and looks, where the page is in a site or workspace. */
  readonly frame?: Frame | undefined
  readonly looks?: Looks | undefined
  /** Theme of the account, if there is no frame that contains it. */
  readonly theme?: string | undefined
  readonly reader: Reader
  /** Seconds after which the page is loaded again, if no script does so. */
  readonly againAfter?: number | undefined
}

export function Shell({
  title,
  content,
  width,
  scripts = [],
  styles = [],
  feeds = [],
  who,
  frame,
  looks,
  theme: own,
  reader,
  againAfter,
}: Document) {
  const theme = looks?.theme ?? frame?.theme ?? own ?? 'system'
  const loaded = [...scripts, ...(frame ? ['page'] : []), ...(looks?.isEmbedded ? ['embed'] : [])]
  return (
    <html
      lang={wordsOf(reader.locale)}
      data-theme={theme === 'system' ? undefined : theme}
      data-still={frame?.isStill ? '' : undefined}
      data-embedded={looks?.isEmbedded ? 'true' : undefined}
      data-background={looks?.isTransparent ? 'transparent' : undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{looks?.brand ? title : `${title} · Footfall`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        {['app', ...styles].map(name => (
          <link rel="stylesheet" href={assetPath(`${name}.css`)} />
        ))}
        {feeds.map(({ type, href }) => (
          <link rel="alternate" type={type} href={href} />
        ))}
        {againAfter !== undefined && (
          <noscript>
            <meta http-equiv="refresh" content={String(againAfter)} />
          </noscript>
        )}
        {loaded.map(name => (
          <script type="module" src={assetPath(`${name}.js`)} />
        ))}
      </head>
      <body class={frame ? 'framed' : width}>
        <a class="skip" href="#main">
          {say(reader, m.skip)}
        </a>
        <header class="top">
          <a class="brand" href={looks?.brand?.href ?? '/'}>
            {looks?.brand?.name ?? 'Footfall'}
          </a>
          {frame && frame.groups.length > 0 && (
            <button type="button" class="plain menu" popovertarget="menu">
              {say(reader, m.menu)}
            </button>
          )}
          {frame?.search && (
            <search class="find">
              <Form method="GET" action={frame.search.href} hidden={frame.search.kept}>
                <input
                  type="search"
                  name={frame.search.name}
                  required
                  maxlength={100}
                  aria-label={frame.search.label}
                  placeholder={frame.search.label}
                  data-key={frame.hasKeys ? 's' : undefined}
                />
              </Form>
            </search>
          )}
          {who !== undefined && (
            <nav class="who" aria-label={say(reader, m.account)}>
              <a href="/account">{who}</a>
              <ButtonForm method="DELETE" action="/session" label={say(reader, m.sign_out)} />
            </nav>
          )}
        </header>
        {frame && <Navigation frame={frame} reader={reader} />}
        <main id="main" tabindex={-1}>
          {content}
        </main>
        {frame?.hasKeys && <Keys reader={reader} />}
      </body>
    </html>
  )
}

/** Navigation next to the page if there is room, otherwise behind a button (`popover`, so without a script). */
function Navigation({ frame: { groups, within }, reader }: { frame: Frame; reader: Reader }) {
  return (
    <nav id="menu" class="side" popover="auto" aria-label={say(reader, m.navigation)}>
      {within && (
        <a class="within" href={within.href}>
          {within.label}
        </a>
      )}
      {groups.map(drawn)}
    </nav>
  )
}

const drawnOnce = new WeakMap<NavigationGroup, Content>()
/** Most groups are the same object on every page (frame.ts), so they are drawn once. */
function drawn(group: NavigationGroup): Content {
  const content = drawnOnce.get(group) ?? <Group {...group} />
  drawnOnce.set(group, content)
  return content
}

function Group({ label, items, isOpen }: NavigationGroup) {
  return (
    <details open={isOpen}>
      <summary>{label}</summary>
      <ul>
        {items.map(({ href, label: text, isHere }) => (
          <li>
            <a href={href} aria-current={isHere ? 'page' : undefined}>
              {text}
            </a>
          </li>
        ))}
      </ul>
    </details>
  )
}

/** List of the page's keys, opened by `?`. The script fills it in from the elements that have a key. */
function Keys({ reader }: { reader: Reader }) {
  return (
    <dialog class="keys" data-key="?" aria-label={say(reader, m.keyboard)}>
      <h2>{say(reader, m.keyboard)}</h2>
      <dl />
      <form method="dialog">
        <button class="plain" type="submit">
          {say(reader, m.close)}
        </button>
      </form>
    </dialog>
  )
}
