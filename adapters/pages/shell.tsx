/** The document around every page. */
import type { Content, Looks, PageContent } from '../../runtime/table/page.ts'
import { assetPath } from './assets.ts'
import type { Frame, NavigationGroup, NavigationItem, WithinSite } from './frame.ts'
import { Icon, Letter, Logo } from '../../runtime/ui/icons/icon.tsx'
import { m } from './messages.ts'
import { themes } from './themes.ts'
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
  /** Navigation and looks, if the page belongs to a site or workspace. */
  readonly frame?: Frame | undefined
  readonly looks?: Looks | undefined
  /** Theme of the account, if there is no frame that contains it. */
  readonly theme?: string | undefined
  readonly reader: Reader
  /** Seconds after which the page is loaded again, if no script does so. */
  readonly againAfter?: number | undefined
  /** Whether the side of the page has only icons. */
  readonly isFolded?: boolean
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
  isFolded = false,
}: Document) {
  const theme = looks?.theme ?? frame?.theme ?? own ?? 'system'
  const loaded = [...scripts, ...(frame ? ['page'] : []), ...(looks?.isEmbedded ? ['embed'] : [])]
  return (
    <html
      lang={wordsOf(reader.locale)}
      data-theme={theme === 'system' ? undefined : theme}
      data-still={frame?.isStill ? '' : undefined}
      data-side={isFolded && frame ? 'folded' : undefined}
      data-embedded={looks?.isEmbedded ? 'true' : undefined}
      data-background={looks?.isTransparent ? 'transparent' : undefined}
    >
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>{looks?.brand ? title : `${title} · Footfall`}</title>
        <link rel="icon" href="/favicon.svg" type="image/svg+xml" />
        <link rel="preload" href={assetPath('inter-latin.woff2')} as="font" type="font/woff2" crossorigin="anonymous" />
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
        {frame ? (
          <Side frame={frame} brand={looks?.brand} who={who} reader={reader} />
        ) : (
          <header class="top">
            <Brand brand={looks?.brand} />
            {who !== undefined && (
              <nav class="who" aria-label={say(reader, m.account)}>
                <a href="/account">{who}</a>
                <ButtonForm method="DELETE" action="/session" label={say(reader, m.sign_out)} />
              </nav>
            )}
          </header>
        )}
        <main id="main" tabindex={-1}>
          {frame?.tabs.map(tabs => (
            <Tabs {...tabs} />
          ))}
          {content}
        </main>
        {frame && frame.groups.length > 0 && <PhoneBar frame={frame} reader={reader} />}
        {frame?.hasKeys && <Keys reader={reader} />}
      </body>
    </html>
  )
}

const Brand = ({ brand }: { brand: Looks['brand'] }) => (
  <a class="brand" href={brand?.href ?? '/'}>
    {!brand && <Logo />}
    {brand?.name ?? 'Footfall'}
  </a>
)

interface SideProps {
  readonly frame: Frame
  readonly brand: Looks['brand']
  readonly who: string | undefined
  readonly reader: Reader
}

/** The side of the page; on phones it is behind a button (`popover`, so without a script). */
function Side({ frame, brand, who, reader }: SideProps) {
  const { groups, within, own, search, hasKeys, theme, help } = frame
  return (
    <header id="menu" class="side" popover="auto">
      <div class="side-top">
        <Brand brand={brand} />
        <button type="button" class="plain fold" hidden aria-label={say(reader, m.fold)} aria-pressed="false">
          <Icon name="fold" />
        </button>
      </div>
      {within && <Site {...within} reader={reader} />}
      {search && (
        <search class="find">
          <Form method="GET" action={search.href} hidden={search.kept}>
            <Icon name="find" />
            <input
              type="search"
              name={search.name}
              required
              maxlength={100}
              aria-label={search.label}
              placeholder={search.label}
              data-key={hasKeys ? '/' : undefined}
            />
            {hasKeys && <kbd>/</kbd>}
          </Form>
        </search>
      )}
      {groups.length > 0 && (
        <nav aria-label={say(reader, m.navigation)}>
          {groups.length > 1 && <div class="scrolls">{groups.slice(0, -1).map(drawn)}</div>}
          {groups.slice(-1).map(drawn)}
        </nav>
      )}
      {who !== undefined && (
        <details class="person">
          <summary>
            <Letter text={who} size="round" />
            <span>{who}</span>
            <Icon name="switch" />
          </summary>
          <div class="card drop">
            <a href="/account">
              <Icon name="people" />
              {say(reader, m.your_account)}
            </a>
            {own.map(({ href, label, icon }) => (
              <a href={href}>
                {icon && <Icon name={icon} />}
                {label}
              </a>
            ))}
            <Form method="PATCH" action="/account" class="themes" hidden={{ _back: frame.here }}>
              <Icon name="theme" />
              {themes.map(({ value, label }) => (
                <button type="submit" name="theme" value={value} class="plain" aria-pressed={value === theme ? 'true' : 'false'}>
                  {say(reader, label)}
                </button>
              ))}
            </Form>
            <a href="/account#locale">
              <Icon name="language" />
              {say(reader, m.language)}
            </a>
            {help !== undefined && (
              <a href={help}>
                <Icon name="ask" />
                {say(reader, m.help)}
              </a>
            )}
            <ButtonForm
              method="DELETE"
              action="/session"
              label={
                <>
                  <Icon name="sign_out" />
                  {say(reader, m.sign_out)}
                </>
              }
            />
          </div>
        </details>
      )}
    </header>
  )
}

/** The site of the page. Its menu has the other sites, which a script loads when it is opened, and a search for them. */
function Site({ href, label, note, switch: other, reader }: WithinSite & { reader: Reader }) {
  const named = (
    <>
      <Letter text={label} size="large" />
      <span>
        <b dir="auto">{label}</b>
        {note !== undefined && <small>{note}</small>}
      </span>
      {other && <Icon name="switch" />}
    </>
  )
  if (!other) {
    return (
      <a class="within" href={href}>
        {named}
      </a>
    )
  }
  const to = new URLSearchParams({ switch: other.to })
  return (
    <details class="switcher">
      <summary class="within">
        {named}
        <span class="unseen">{say(reader, m.switch_site)}</span>
      </summary>
      <div class="card drop">
        <search>
          <Form method="GET" action={other.list} hidden={{ switch: other.to }}>
            <input
              type="search"
              name="search"
              maxlength={200}
              autocomplete="off"
              aria-label={say(reader, m.find_site)}
              placeholder={say(reader, m.find_site)}
            />
          </Form>
        </search>
        <div class="others" data-list={`${other.list}?${to}`} aria-live="polite" />
        <p>
          <a href={other.list}>
            <Icon name="sites" />
            {say(reader, m.all_sites)}
          </a>
          {other.create !== undefined && (
            <a href={other.create}>
              <Icon name="add" />
              {say(reader, m.new_site)}
            </a>
          )}
        </p>
      </div>
    </details>
  )
}

const drawnOnce = new WeakMap<NavigationGroup, Content>()
/** Groups that are the same object on every page are drawn once. */
function drawn(group: NavigationGroup): Content {
  const content = drawnOnce.get(group) ?? <Group {...group} />
  drawnOnce.set(group, content)
  return content
}

function Group({ label, items }: NavigationGroup) {
  return (
    <>
      {label !== '' && <h2>{label}</h2>}
      <ul>
        {items.map(item => (
          <li>
            <NavigationLink {...item} />
          </li>
        ))}
      </ul>
    </>
  )
}

const NavigationLink = ({ href, label, icon, isHere, now }: NavigationItem) => (
  <a
    href={href}
    aria-current={isHere ? 'page' : undefined}
    data-now={now && (isHere ? '' : now.count)}
    aria-description={now?.words}
    title={now?.words}
  >
    {icon && <Icon name={icon} />}
    <span>{label}</span>
  </a>
)

function Tabs({ label, items }: NavigationGroup) {
  return (
    <nav class="tab-bar" aria-label={label}>
      {items.map(({ href, label: name, isHere }) => (
        <a href={href} aria-current={isHere ? 'page' : undefined}>
          {name}
        </a>
      ))}
    </nav>
  )
}

const PHONE_ENTRIES = 4
/** The first entries of the navigation and its button, at the bottom of phones. */
function PhoneBar({ frame: { groups }, reader }: { frame: Frame; reader: Reader }) {
  const [first] = groups
  return (
    <nav class="phone-bar" aria-label={say(reader, m.menu)}>
      {first?.items.slice(0, PHONE_ENTRIES).map(item => (
        <NavigationLink {...item} />
      ))}
      <button type="button" popovertarget="menu">
        <Icon name="menu" />
        <span>{say(reader, m.more)}</span>
      </button>
    </nav>
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
