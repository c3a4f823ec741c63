/** The pages of a shared or public site: its reports, without an account and without a cookie. */
import type { CallingServices, HandlerServices } from '../../../runtime/table/services.ts'
import { isRefusal } from '../../../runtime/table/answer.ts'
import { hashCredential } from '../../../runtime/call/credentials.ts'
import { Failure } from '../../../runtime/table/errors.ts'
import { Faults, OperationForm } from '../../../runtime/ui/form.tsx'
import { isObject } from '../../../runtime/values/json.ts'
import { type Content, type GuestPage, type Looks, type PageContent, type PageRequest, page } from '../../../runtime/table/page.ts'
import { isWellFormed } from '../../../runtime/call/tokens.ts'
import type { SharedLinkRow } from '../../../storage/tables/sharing.ts'
import { type LiveSite, site as sites } from '../../sites/sites/records.ts'
import { share, tokenPrefix } from './authenticator.ts'
import { findLink, shared_links_open } from './open-link.ts'
import { dashboardOf, originsOf, themes } from './records.ts'
import { common } from '../../../runtime/texts/common.ts'
import { oneSentence } from '../../../runtime/ui/one-sentence.tsx'
import { m } from './messages.ts'
import { type Say, sayParts } from '../../../runtime/texts/say.ts'

/** Parameters of the URL for its appearance, and the token that opens it. */
const own = ['key', 'embed', 'theme', 'background'] as const

interface Showing {
  readonly site: LiveSite
  readonly base: string
  readonly linkId: string | null
  /** The dashboard that it shows, if it exists. */
  readonly dashboard: { readonly id: string; readonly name: string } | undefined
  readonly theme: string
  readonly ancestors: readonly string[]
  readonly isListed: boolean
  /** The operation that opens it, by its id. */
  readonly opens: { readonly id: string; readonly path: Readonly<Record<string, string>> }
}

function looksOf({ query }: PageRequest, { theme, ancestors, isListed }: Pick<Showing, 'theme' | 'ancestors' | 'isListed'>): Looks {
  const asked = themes.find(each => each === (query.get('theme') ?? theme)) ?? 'system'
  const isTransparent = query.get('background') === 'transparent'
  return {
    // A transparent page has one scheme, whatever the visitor prefers.
    theme: isTransparent && asked === 'system' ? 'light' : asked,
    isEmbedded: query.get('embed') === '1',
    isTransparent,
    ancestors,
    isListed: isListed && !query.has('key'),
  }
}

/** The token in the address, while it opens this link or site. */
async function shownKey(
  { query, now }: PageRequest,
  { store, config }: HandlerServices,
  { linkId, site }: Showing,
): Promise<string | undefined> {
  const key = query.get('key') ?? ''
  if (!isWellFormed(key, tokenPrefix)) return undefined
  const found = await share.find(store.read, hashCredential(key), { now, config })
  return found?.site_id === site.id && (found.link?.id ?? null) === linkId ? key : undefined
}

/** A token for this visit. @throws Failure as opening does */
async function openedKey(request: PageRequest, app: CallingServices, { opens }: Showing): Promise<string> {
  const answer = await app.callOperation({
    operation: opens.id,
    header: request.header,
    ip: request.ip,
    id: '',
    path: opens.path,
    input: async () => ({}),
  })
  if (isRefusal(answer)) throw new Failure(answer.body.error.code, answer.body.error.message)
  const { data } = isObject(answer.body) ? answer.body : {}
  return isObject(data) && typeof data.token === 'string' ? data.token : ''
}

function guestOf(request: PageRequest, showing: Showing, token: string): GuestPage {
  const { site, base, dashboard } = showing
  const looks = Object.fromEntries(own.flatMap(name => (request.query.has(name) ? [[name, request.query.get(name) ?? '']] : [])))
  return {
    guest: {
      token,
      site: { id: site.id, name: site.name, timezone: site.timezone, currency: site.currency },
      base,
      beside: dashboard
        ? [{ path: `/workspaces/${site.workspace_id}/dashboards/${dashboard.id}`, as: 'dashboard', label: dashboard.name }]
        : [],
      rest: request.path.rest ?? '',
      kept: { ...looks, key: token },
      looks: looksOf(request, showing),
    },
  }
}

async function dashboardShown({ store }: HandlerServices, link: SharedLinkRow): Promise<Showing['dashboard']> {
  const id = dashboardOf(link)
  if (id === null) return undefined
  return store.read.selectFrom('dashboards').select(['id', 'name']).where('id', '=', id).executeTakeFirst()
}

/** A visitor may be a member who sees the reports without the link. */
function gone(say: Say, { query }: PageRequest): PageContent {
  const sign_in = <a href="/">{say(common.sign_in)}</a>
  return oneSentence(
    404,
    say(common.there_is_nothing_here),
    (
      <>
        {say(m.ask_for_a_new_link)} {query.get('embed') !== '1' && sayParts(say, m.or_sign_in, { sign_in })}
      </>
    ) as Content,
  )
}

async function showLink(request: PageRequest, app: CallingServices): Promise<PageContent | GuestPage> {
  const { path, query, refused, now, say } = request
  const slug = path.slug ?? ''
  const found = await findLink(app.store.read, slug, now)
  if (!found) return gone(say, request)
  const { link, site } = found
  const showing: Showing = {
    site,
    base: `/share/${slug}`,
    linkId: link.id,
    dashboard: await dashboardShown(app, link),
    theme: link.theme,
    ancestors: originsOf(link),
    isListed: false,
    opens: { id: 'shared_links_open', path: { slug } },
  }
  const key = await shownKey(request, app, showing)
  if (key !== undefined) return guestOf(request, showing, key)
  if (link.password_hash === null) return guestOf(request, showing, await openedKey(request, app, showing))
  const kept = new URLSearchParams([...query].filter(([name]) => name !== 'key'))
  const looks = looksOf(request, showing)
  return {
    title: site.name,
    width: 'narrow',
    looks,
    content: (
      <section class="card">
        <h1>{site.name}</h1>
        <p>{say(m.reports_require_a_password, { name: link.name })}</p>
        <Faults refused={refused} fields={['password']} />
        <OperationForm
          of={shared_links_open}
          action={showing.base}
          hidden={{ _slug: slug, _query: refused?.values.get('_query') ?? kept.toString() }}
          refused={refused}
        >
          {({ field }) => (
            <>
              {field('password', {
                label: say(common.password),
                type: 'password',
                autocomplete: 'current-password',
                autofocus: !looks.isEmbedded,
              })}
              <button type="submit">{say(m.show)}</button>
            </>
          )}
        </OperationForm>
      </section>
    ),
  }
}

async function showPublic(request: PageRequest, app: CallingServices): Promise<PageContent | GuestPage> {
  const id = request.path.site_id ?? ''
  const found = /^\w{1,64}$/.test(id) ? await sites.find(app.store.read, id) : undefined
  if (!found || !('workspaceId' in found) || found.row.public !== 1) return gone(request.say, request)
  const showing: Showing = {
    site: found.row,
    base: `/public/${id}`,
    linkId: null,
    dashboard: undefined,
    theme: 'system',
    ancestors: [],
    isListed: true,
    opens: { id: 'public_sites_open', path: { site_id: id } },
  }
  return guestOf(request, showing, (await shownKey(request, app, showing)) ?? (await openedKey(request, app, showing)))
}

export const shared_link_page = page({
  route: 'GET /share/{slug}',
  summary: 'A shared link',
  access: 'public',
  show: showLink,
})

export const shared_report_page = page({
  route: 'GET /share/{slug}/{rest+}',
  summary: 'A report of a shared link',
  access: 'public',
  show: showLink,
})

export const public_site_page = page({
  route: 'GET /public/{site_id}',
  summary: 'A public site',
  access: 'public',
  isListed: true,
  show: showPublic,
})

export const public_report_page = page({
  route: 'GET /public/{site_id}/{rest+}',
  summary: 'A report of a public site',
  access: 'public',
  show: showPublic,
})
