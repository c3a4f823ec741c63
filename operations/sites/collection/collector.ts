/**
 * Processes hits from the wire to the store, or to a reason for dropping them. The service has one collector, which
 * owns the store of hits and the geo database.
 */
import { maySee } from '../../../runtime/table/caller.ts'
import { fail } from '../../../runtime/table/errors.ts'
import { resource } from '../../../runtime/settings/resource.ts'
import { eachInTurns } from '../../../storage/system/event-loop.ts'
import { after, type Awaitable, settled } from '../../../storage/values/awaitable.ts'
import { openHitStore } from '../../../storage/hits/hit-store.ts'
import type { BatchMark } from '../../../storage/values/storage-unavailable.ts'
import type { NewHit, Refusal, RevenueFault } from '../../../storage/hits/new-hit.ts'
import { admission, type Admission } from './admission.ts'
import { enriched, type Origin } from './enrich/enriched.ts'
import { openGeo, type Place } from './enrich/geo.ts'
import { CRAWLER_RANGES_FILE, crawlerCounter, crawlerNames, verifier } from '../crawlers/index.ts'
import { matchCounter, SPAM_REFERRERS_FILE, spamReferrers } from '../traffic-rules/index.ts'
import { withPageParameters } from './formats/page-parameters.ts'
import type { SentHit } from './hit.ts'
import type { Sender } from './sender.ts'
import { type KnownSite, knownSites } from './known-sites.ts'
import { limitsIn } from './limits.ts'
import { identified, type IdentityFault } from './person.ts'
import { secretBox } from '../../../runtime/settings/secret-box.ts'
import { later, type Network, type NetworkOf, openNetworks } from './networks/networks.ts'
import { ASN_DATABASE, GEOIP_DATABASE, HITS_SPOOL } from './settings.ts'
import { type dropReasons, m } from './messages.ts'
import type { Arrived } from './spool/arrived.ts'
import { openSpool, type Spool } from './spool/spool.ts'

type Visit = { readonly day: number; readonly id: number } | null
export type Received =
  | {
      readonly site: KnownSite
      readonly visit: Visit
      readonly revenueFault: RevenueFault | null
      readonly identityFault: IdentityFault | null
    }
  /** The hit only identifies its visitor, which is ignored. */
  | { readonly ignored: IdentityFault }
  /** The hit is on the disk until the database is back. */
  | { readonly waits: true }
  | { readonly dropped: DropReason }

export type DropReason = keyof typeof dropReasons

export interface Collector {
  /** Resolves once every hit is durable. @throws Failure `permission_denied`, `unavailable` */
  receive(hits: readonly SentHit[], sender: Sender): Awaitable<Received[]>
  /** Returns the place of an IP address, as for hits. */
  placeOf(ip: string): Promise<Place>
  /** Returns the network of an IP address, as for hits. */
  networkOf(ip: string): Promise<Network>
  /** Hits that wait for the database. */
  readonly spool: Pick<Spool, 'start' | 'startWithoutDatabase' | 'outlastsDatabase' | 'isHolding' | 'state'>
  /** Decides whether a hit is dropped; counts nothing. */
  readonly keptOut: Admission
  close(): Promise<void>
}

type CrawlerOf = Awaited<ReturnType<typeof crawlerNames>>
interface Opened {
  readonly placeOf: (ip: string) => Place
  readonly networkOf: NetworkOf
  readonly crawlerOf: CrawlerOf
}

interface HitOf {
  readonly sent: SentHit
  /** When it arrived, epoch ms. */
  readonly at: number
  readonly site: KnownSite | undefined
  readonly sender: Sender
  readonly placeOf: (ip: string) => Place
  readonly networkOf: NetworkOf
  readonly crawlerOf: CrawlerOf
}

interface CountCrawler {
  readonly sent: SentHit
  readonly at: number
  readonly site: KnownSite
  readonly origin: Origin
  readonly crawler: ReturnType<CrawlerOf>
}

interface StoreWanted extends Omit<Arrived, 'sender' | 'batch'> {
  readonly sites: ReadonlyArray<KnownSite | undefined>
  readonly sender: Sender
}

export const collector = resource<Collector>({
  name: 'collector',
  open({ store, config, log, now, random, use }) {
    const hitStore = openHitStore(store, {
      now,
      randomBytes: random,
      limits: limitsIn(config),
      isMarking: config.of(HITS_SPOOL) !== 'off',
      onInvalid: err => log.warn({ err }, 'a hit could not be stored'),
    })
    // Opened with the first hit: they take 10 MB and a tenth of the CPU time of a start.
    const geo = later(() => openGeo(config.of(GEOIP_DATABASE) || undefined))
    const networks = later(() => openNetworks(config.of(ASN_DATABASE) || undefined))
    const sites = knownSites(store, use(secretBox), now)
    const keptOut = admission(spamReferrers(config.of(SPAM_REFERRERS_FILE)))
    const verify = verifier(config.of(CRAWLER_RANGES_FILE))
    const crawlers = crawlerCounter(store, err => log.warn({ err }, 'some crawlers could not be counted'))
    const matches = matchCounter(store, now, err => log.warn({ err }, 'matches of traffic rules could not be counted yet'))

    /** Checks one hit (known site, allowed sender, no bot) and enriches it. */
    function hitOf({ sent: received, at, site, sender, placeOf, networkOf, crawlerOf }: HitOf): NewHit | DropReason | Ignored {
      if (!site) return 'unknown_site'
      const sent = withPageParameters(received, site.pageParameters)
      refuseStranger(sender, site)
      if (sent.refused) return sent.refused
      const claimed = sender.caller ? sent.claimed : nothingClaimed
      const userAgent = claimed.userAgent ?? sender.userAgent
      const origin = {
        ip: claimed.ip ?? sender.ip,
        userAgent,
        acceptLanguage: sender.acceptLanguage,
        isServer: sender.caller !== undefined,
        isOwnAddress: sender.caller !== undefined && claimed.ip === null,
        hints: sender.caller === undefined ? sender.hints : '',
      }
      const out = keptOut(sent, { traffic: site.traffic, origin, placeOf, networkOf, now: at })
      if (out?.rule !== undefined) matches.count(out.rule)
      if (out?.reason === 'bot') countCrawler({ sent, at, site, origin, crawler: crawlerOf(userAgent) })
      if (out) return out.reason
      const user = identified(sent.user, site.identity)
      if (sent.kind === 'identify' && typeof user === 'string') return { ignored: user }
      return {
        ...enriched({ sent, site, sender: origin, at: claimed.at ?? at, placeOf, networkOf }),
        ...(typeof user === 'object' && user && { user }),
      }
    }

    /** Counts a bot that runs our script: it is not a visit, but a crawler request. */
    function countCrawler({ sent, at, site: { id: siteId, timezone: zone }, origin: { ip }, crawler }: CountCrawler): void {
      if (!crawler || sent.kind !== 'pageview') return
      crawlers.count({ siteId, zone, at, crawler, verdict: verify(crawler.list, ip), path: sent.page, answer: null })
    }

    /** Counts hits dropped here; the store counts its own refusals. */
    function dropped(reason: DropReason, site: KnownSite | undefined): Received {
      hitStore.countDrop(site?.number ?? 0, site?.timezone ?? 'UTC', reason)
      return { dropped: reason }
    }

    function refused(reason: Refusal, named: SentHit['site']): Received {
      if (reason === 'unknown_site') sites.forget(named) // the site was deleted within the last second, and another may have its domain
      return { dropped: reason }
    }

    /** The resources, once they are open. Only hits that arrive before that wait. */
    let opened: Opened | undefined
    const opening = later(() =>
      Promise.all([geo(), networks(), crawlerNames()]).then(
        ([placeOf, networkOf, crawlerOf]) => (opened = { placeOf, networkOf, crawlerOf }),
      ),
    )

    /** Stores the hits that are kept. @param sites of each hit */
    function storeWanted({ sent, at, sites, sender }: StoreWanted, opened: Opened) {
      const hits = eachInTurns(sent, (each, i) => hitOf({ sent: each, at, site: sites[i], sender, ...opened }))
      return after(hits, hits => storeKept(hits, { sent, sites }))
    }

    function storeKept(hits: readonly ReturnType<typeof hitOf>[], { sent, sites }: Pick<StoreWanted, 'sent' | 'sites'>) {
      const wanted = hits.filter(isKept)
      return after(wanted.length > 0 ? hitStore.append(wanted) : [], outcomes => {
        let next = 0
        return hits.map((hit, i): Received => {
          const site = sites[i]
          if (typeof hit === 'string') return dropped(hit, site)
          if (!isKept(hit)) return hit
          const [outcome, named] = [outcomes[next++], sent[i]?.site]
          if (!site || !outcome || !named) return { dropped: 'invalid' }
          if (!outcome.stored) return refused(outcome.reason, named)
          const user = identified(sent[i]?.user ?? null, site.identity)
          return {
            site,
            visit: outcome.visit,
            revenueFault: hit.revenueFault ?? null,
            identityFault: typeof user === 'string' ? user : null,
          }
        })
      })
    }

    const spool = openSpool({ store, config, log, now, random, use }, async (arrived, writeMore) => {
      const [opened, found] = [await opening(), await sites.find(arrived.flatMap(({ sent }) => sent.map(({ site }) => site)))]
      const held = arrived.flatMap(({ at, sent, sender }) =>
        sent.map(each => ({ at, sent: each, sender: { ...sender, caller: undefined } })),
      )
      const hits = await eachInTurns(held, (each, i) => ({ site: found[i], hit: hitOf({ ...each, site: found[i], ...opened }) }))
      await hitStore.appendWith(
        hits.flatMap(({ hit }) => (isKept(hit) ? hit : [])),
        writeMore,
      )
      for (const { site, hit } of hits) if (typeof hit === 'string') dropped(hit, site)
    })

    async function hold(sent: readonly SentHit[], { caller: _, ...sender }: Sender, batch?: BatchMark): Promise<Received[]> {
      await spool.hold({ at: now(), sent, sender, batch })
      return sent.map(() => ({ waits: true }))
    }

    function receive(sent: readonly SentHit[], sender: Sender): Awaitable<Received[]> {
      if (hitStore.full()) fail('unavailable', m.too_fast(), { headers: { 'Retry-After': '1' } })
      return after(opened ?? opening(), opened =>
        after(sites.find(sent.map(({ site }) => site)), found => storeWanted({ sent, at: now(), sites: found, sender }, opened)),
      )
    }

    return {
      receive(sent, sender) {
        // A token cannot be checked without the database; servers send again.
        if (sender.caller || !(spool.isOpenForMoves() || spool.isHolding())) return receive(sent, sender)
        if (spool.isHolding() || (spool.isOpen() && hitStore.full())) return hold(sent, sender)
        return settled(
          () => receive(sent, sender),
          received => received,
          thrown => {
            if (!spool.takes(thrown)) throw thrown
            return hold(sent, sender, thrown.batch)
          },
        )
      },
      spool,
      placeOf: async ip => (await geo())(ip),
      networkOf: async ip => (await networks())(ip),
      keptOut,
      async close() {
        await spool.close()
        await hitStore.close()
        await matches.write()
        await crawlers.write()
      },
    }
  },
  close: collector => collector.close(),
})

type Ignored = Extract<Received, { ignored: unknown }>
const isKept = (hit: NewHit | DropReason | Ignored): hit is NewHit => typeof hit === 'object' && !('ignored' in hit)

const nothingClaimed: SentHit['claimed'] = { ip: null, userAgent: null, at: null }

/** Without a token, anyone may send; a token must be valid for the site. @throws Failure `permission_denied` */
function refuseStranger({ caller }: Sender, site: KnownSite): void {
  if (!caller || (maySee(caller, site.workspaceId, site.id) && caller.permissions.has('sites.manage'))) return
  fail('permission_denied', m.no_token_of_site())
}
