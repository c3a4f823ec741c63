import type { HandlerServices } from '../../../runtime/table/services.ts'
import { type EndpointAnswer, type EndpointRequest, endpoint } from '../../../runtime/table/endpoint.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { statusForm, summaryForm } from './atlassian.ts'
import { feedOf } from './feed.ts'
import { pageAtHost, pageBySlug, readStatus, type Shown } from './status.ts'
import { findSubscription, unsubscribe } from './subscription.ts'

/** Readers query every minute or so, so a proxy may serve one response to several of them. */
const cacheHeaders = { 'Cache-Control': 'public, max-age=15' }

async function shownAt({ path }: EndpointRequest, { store, now }: HandlerServices): Promise<Shown> {
  const page = (await pageBySlug(store.read, path.slug ?? '')) ?? fail('not_found')
  return readStatus(store.read, page, now())
}

const json = (value: unknown): EndpointAnswer => ({
  status: 200,
  headers: { ...cacheHeaders, 'Content-Type': 'application/json; charset=utf-8' },
  body: JSON.stringify(value),
})

export const status_summary = endpoint({
  route: 'GET /status/{slug}/api/v2/summary',
  summary: 'A status page in the format of Atlassian Statuspage',
  access: 'public',
  crossOrigin: { headers: [] },
  hosted: { path: '/api/v2/summary', find: pageAtHost },
  handle: async (request, app) => json(summaryForm(await shownAt(request, app), app.config)),
})

export const status_short = endpoint({
  route: 'GET /status/{slug}/api/v2/status',
  summary: 'The overall state of a status page in the format of Atlassian Statuspage',
  access: 'public',
  crossOrigin: { headers: [] },
  hosted: { path: '/api/v2/status', find: pageAtHost },
  handle: async (request, app) => json(statusForm(await shownAt(request, app), app.config)),
})

export const status_feed = endpoint({
  route: 'GET /status/{slug}/feed.atom',
  summary: 'Incidents and maintenance of a status page as an Atom feed',
  access: 'public',
  hosted: { path: '/feed.atom', find: pageAtHost },
  async handle(request, app) {
    const headers = { ...cacheHeaders, 'Content-Type': 'application/atom+xml; charset=utf-8' }
    return { status: 200, headers, body: await feedOf(await shownAt(request, app), app.config) }
  },
})

/**
 * RFC 8058: mail programs post to this endpoint and expect no redirect. The button of the page posts to it, too, with a
 * field that marks it. Repeated requests and unknown tokens get the same response.
 */
export const status_unsubscribe = endpoint({
  route: 'POST /status/subscriptions/{token}',
  summary: 'End a subscription to a status page',
  access: 'public',
  maxBytes: 4_096,
  async handle({ path, text }, { store, now, use }): Promise<EndpointAnswer> {
    const token = path.token ?? ''
    const found = await findSubscription(use, { db: store.read, token, now: now() })
    if (found) await store.transaction(trx => unsubscribe(trx, found.subscriber))
    const isForm = new URLSearchParams(await text()).has('_page')
    return isForm
      ? { status: 303, headers: { Location: '/status/subscriptions/ended', 'Cache-Control': 'no-store' } }
      : { status: 200, headers: { 'Content-Type': 'text/plain; charset=utf-8', 'Cache-Control': 'no-store' }, body: 'Unsubscribed.\n' }
  },
})
