/**
 * What stands at the addresses of Plausible's script, for pages that have its snippet: the same tracking behind
 * `plausible()`, classes instead of attributes, and as much of it as the name of the script asks for.
 */
import { attributesOf, type Mark } from './interactions.ts'
import { attempt } from './listen.ts'
import type { Call, EventOptions, Props } from './protocol.ts'
import { FILES, listed, readSettings } from './settings.ts'
import { ownTag, start } from './start.ts'

/** The words of the script's name, `hash.outbound-links`. The service writes them here: a proxy may call it anything. */
declare const VARIANT: string

const words = VARIANT.split('.')
const has = (word: string) => words.includes(word)

/** `plausible-event-name=Signup+Form plausible-event-plan=pro`; where a class may have no `=` it is `--`. */
const byClasses: Mark = element => {
  const event: Record<string, string> = {}
  const revenue: Record<string, string> = {}
  element.classList.forEach(name => {
    const [, kind, key = '', value = ''] = /^plausible-(event|revenue)-(.+?)(?:=|--)(.+)$/.exec(name) || []
    if (kind) (kind === 'event' ? event : revenue)[key] = value.replace(/\+/g, ' ')
  })
  if (event.name) {
    const { name, ...props } = event
    if (element instanceof HTMLAnchorElement && element.href) props.url = props.url || element.href
    return [name, { props, revenue: revenue.amount ? revenue : undefined }]
  }
  if (!(element instanceof HTMLFormElement)) return
  if (has('form-submissions') || element.classList.contains('plausible-form-submit')) {
    return ['Form: Submission', { props: { path: location.pathname } }]
  }
}

/** What Plausible's script takes beside our own options: `u` is the address, `meta` the properties. */
type Given = EventOptions & Readonly<{ u?: string; meta?: Props }>
const adapted = ([name, options]: Call): Call => {
  const { u, meta, ...rest }: Given = options || {}
  return [name, Object.assign({ url: u, props: meta }, rest)]
}

attempt(() => {
  const tag = ownTag()
  if (!tag) return
  const settings = readSettings(tag, '[^/]*')
  const files = (name: string, otherwise: string) => listed((tag.getAttribute(name) || otherwise).toLowerCase())
  start(
    'plausible',
    Object.assign(settings, {
      hash: settings.hash || has('hash'),
      manual: settings.manual || has('manual'),
      local: has('local'),
      outbound: has('outbound-links'),
      downloads: has('file-downloads') ? files('file-types', FILES).concat(files('add-file-types', '')) : [],
      props: () => attributesOf(tag, 'event-'),
    }),
    byClasses,
    () => {},
    adapted,
  )
})
