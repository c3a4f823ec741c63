/** The tracker as a module, `footfall/tracker`. Nothing runs on import, so bundlers leave out what a page does not use. */
import type * as Api from '../npm/tracker.d.ts'
import { automated } from './automated.ts'
import { byAttributes } from './footfall-mark.ts'
import { watchInteractions } from './interactions.ts'
import { createPatientPost } from './offline.ts'
import { aboutPeople } from './people.ts'
import type { Call } from './protocol.ts'
import { FILES } from './settings.ts'
import { begin } from './start.ts'

/** Calls before `init`; more are dropped. */
const MAX_EARLY = 50

const early: Call[] = []
let take: ((call: Call) => void) | undefined

const call = (...given: unknown[]) => {
  if (typeof window === 'undefined') return // a server, where nothing may be kept
  if (take) take(given as Call)
  else if (early.length < MAX_EARLY) early.push(given as Call)
}

export const init: typeof Api.init = ({ endpoint = '/api/event', domain, hash, manual, dnt, include, props } = {}) => {
  if (typeof window === 'undefined' || take) return
  const settings = {
    domain,
    endpoint,
    hash: !!hash,
    manual: !!manual,
    clicks: undefined,
    dnt: !!dnt,
    refused: () => automated('footfall'),
    plain: false,
    post: createPatientPost(),
    props,
    covers: include || (() => true),
  }
  begin('footfall', settings, early, aboutPeople(settings), taking => (take = taking))
}

export const pageview: typeof Api.pageview = options => call('pageview', options)
export const track: typeof Api.track = (name, options) => call(name, options)
export const revenue: typeof Api.revenue = (name, revenue, options) => call(name, Object.assign({}, options, { revenue }))
export const identify: typeof Api.identify = (id, traits) => call('identify', id, traits)
export const reset: typeof Api.reset = () => call('reset')
export const consent: typeof Api.consent = isGiven => call('consent', isGiven)

export const links: typeof Api.links = ({ downloads = FILES.split(','), outbound = true } = {}) => {
  if (typeof window !== 'undefined') watchInteractions({ downloads, outbound }, byAttributes, call)
}
