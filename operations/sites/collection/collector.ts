/**
 * From a hit as it was sent to a hit that is kept, or to the reason why not. One for the whole service: it owns the
 * store of hits and the geo database.
 */
import { maySee, type Caller } from '../../../runtime/caller.ts'
import { fail } from '../../../runtime/errors.ts'
import { resource } from '../../../runtime/resource.ts'
import { openHitStore } from '../../../storage/hits/hit-store.ts'
import type { NewHit, Outcome } from '../../../storage/hits/new-hit.ts'
import { isBot } from './enrich/bots.ts'
import { enriched } from './enrich/enriched.ts'
import { openGeo, type Place } from './enrich/geo.ts'
import type { SentHit } from './hit.ts'
import { type KnownSite, knownSites } from './known-sites.ts'
import { limitsIn } from './limits.ts'
import { isOtherCurrency, priced } from './money.ts'
import { GEOIP_DATABASE } from './settings.ts'

/** Who sent it, as the request shows. */
export interface Sender {
  readonly ip: string
  readonly userAgent: string
  readonly acceptLanguage: string
  /** Set where the request carries a token: only then the hit's own claims count. */
  readonly caller: Caller | undefined
}

export type Received =
  | { readonly site: KnownSite; readonly visit: { readonly day: number; readonly id: number } | null }
  | { readonly dropped: DropReason }

/** Why a hit was not kept. Each is counted for its site; `collection_drops` shows the counts. */
export const dropReasons = {
  bot: 'The user agent is a bot, a crawler or a program',
  unknown_site: 'No site here has this domain or id',
  no_visit: 'An engagement signal that follows no visit within 30 minutes',
  too_old: 'The day of the hit closed more than 48 hours ago',
  in_future: 'The hit is dated more than five minutes ahead',
  invalid: 'The hit names a moment no calendar has',
  other_currency: 'Kept, but without its revenue: the currency is not the site’s',
} as const
export type DropReason = keyof typeof dropReasons

export interface Collector {
  /** Answers once every hit is durable. @throws Failure `permission_denied`, `unavailable` */
  receive(hits: readonly SentHit[], sender: Sender): Promise<Received[]>
  close(): Promise<void>
}

export const collector = resource<Collector>({
  name: 'collector',
  open({ store, config, log, now, random }) {
    const hits = openHitStore(store, { now, randomBytes: random, limits: limitsIn(config), onInvalid: err => log.warn({ err }, 'a hit could not be stored') })
    const geo = openGeo(config.of(GEOIP_DATABASE) || undefined)
    const sitesOf = knownSites(store)

    function prepare(sent: SentHit, site: KnownSite | undefined, sender: Sender, placeOf: (ip: string) => Place): Prepared {
      if (!site) return { dropped: 'unknown_site' }
      if (sender.caller && !(maySee(sender.caller, site.workspaceId, site.id) && sender.caller.permissions.has('sites.manage'))) {
        fail('permission_denied', 'Sending hits from a server needs a token of the site’s workspace with sites.manage.')
      }
      const claimed = sender.caller ? sent.claimed : nothingClaimed
      const userAgent = claimed.userAgent ?? sender.userAgent
      if (isBot(userAgent)) return { dropped: 'bot', site }
      const paid = priced(sent, site.currencies)
      const origin = { ip: claimed.ip ?? sender.ip, userAgent, acceptLanguage: sender.acceptLanguage }
      const hit = enriched(paid, site, origin, claimed.at ?? now(), placeOf)
      return { site, hit, moneyless: isOtherCurrency(paid, site) }
    }

    return {
      async receive(sent, sender) {
        if (hits.full()) fail('unavailable', 'Hits come in faster than they can be stored; send this one again.', [], { 'Retry-After': '1' })
        const [siteOf, placeOf] = await Promise.all([sitesOf(sent.map(({ site }) => site)), geo])
        const prepared = sent.map(hit => prepare(hit, siteOf(hit.site), sender, placeOf))
        const kept = prepared.flatMap(each => ('hit' in each ? [each.hit] : []))
        const outcomes = kept.length > 0 ? await hits.append(kept) : []
        let next = 0
        return prepared.map((each): Received => {
          const count = (reason: DropReason) => hits.countDrop(each.site?.number ?? 0, each.site?.timezone ?? 'UTC', reason)
          if (!('hit' in each)) {
            count(each.dropped)
            return { dropped: each.dropped }
          }
          if (each.moneyless) count('other_currency')
          const outcome: Outcome | undefined = outcomes[next++]
          return outcome?.stored ? { site: each.site, visit: outcome.visit } : { dropped: outcome?.reason ?? 'invalid' }
        })
      },
      close: () => hits.close(),
    }
  },
  close: collector => collector.close(),
})

/** `moneyless`: its revenue cannot be added to the site's. */
type Prepared =
  | { readonly site: KnownSite; readonly hit: NewHit; readonly moneyless: boolean }
  | { readonly dropped: DropReason; readonly site?: KnownSite }

const nothingClaimed: SentHit['claimed'] = { ip: null, userAgent: null, at: null }
