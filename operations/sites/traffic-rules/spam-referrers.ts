/**
 * Hosts that send false visits so that their name appears in reports. They were collected for this service from
 * public reports of referrer spam; SPAM_REFERRERS_FILE adds a longer list.
 */
import { readFileSync } from 'node:fs'
import { domainToASCII } from 'node:url'

const KNOWN = `
  00author.com 100dollars-seo.com 12masterov.com 1-free-share-buttons.com 2-easy.xyz 4webmasters.org 5forex.ru 7makemoneyonline.com
  acads.net adviceforum.info affordablewebsitesandmobileapps.com anticrawler.org aliexsale.ru allknow.info amanda-porn.ga
  anal-acrobats.hol.es anapa-inns.ru android-style.com artblog.top axcus.top backgroundpictures.net backlinks-fast-top.com
  bestwebsitesawards.com best-seo-offer.com best-seo-solution.com best-seo-software.xyz blackhatworth.com blogtotal.de bluerobot.info
  boltalko.xyz brakehawk.com brothers-smaller.ru burger-imperia.com buttons-for-website.com buttons-for-your-website.com
  buy-cheap-online.info cenokos.ru cenoval.ru chinese-amezon.com cityadspix.com claim-today.xyz cookie-law-enforcement-aa.xyz
  cyprusbuyproperties.com darodar.com dailyrank.net descargar-musica-gratis.net domination.ml dominateforex.ml doska-vsem.ru e-buyeasy.com
  econom.co event-tracking.com eu-cookie-law-enforcement2.xyz feel-planet.com fix-website-errors.com
  floating-share-buttons.com for-marketersy.info forex-procto.ru forsex.info forum20.smailik.org forum69.info free-share-buttons.com
  free-share-buttons.top free-social-buttons.com free-social-buttons7.com free-traffic.xyz fungirlsgame.net get-free-social-traffic.com
  get-free-traffic-now.com get-your-social-buttons.info ghazel.ru gobongo.info googlsucks.com guardlink.org hdmoviecamera.net
  how-to-earn-quick-money.com howtostopreferralspam.eu hulfingtonpost.com humanorightswatch.org hundejo.com hvd-store.com
  ilovevitaly.co ilovevitaly.com ilovevitaly.org ilovevitaly.ru ilovevitaly.xyz iskalko.ru itsm-kazan.ru
  justprofit.xyz kabbalah-red-bracelets.com kambasoft.com keywords-monitoring-success.com keywords-monitoring-your-success.com
  kinoflux.net law-enforcement-bot-ee.xyz law-enforcement-check-three.xyz lomb.co lombia.co lumb.co luxup.ru makemoneyonline.com
  maridan.com.ua mebelcomplekt.ru mebeldekor.com.ua meds-online24.com minegam.com mirobuvi.com.ua
  moyakuhnia.ru monetizationking.net musicprojectfoundation.com nardulan.com nizniynovgorod.dienai.ru
  novosti-hi-tech.ru o-o-6-o-o.com o-o-8-o-o.com o-o-8-o-o.ru online-hit.info onlinetvseries.me onload.pw
  perfection-pretty-girls.com petrovka-online.com photokitchendesign.com pizza-imperia.com porn-w.org pornhub-forum.ga pornhub-ru.com
  pornoforadult.com pornogig.com poshiv.com.ua priceg.com pricheskaonline.ru prodvigator.ua pron.pro psa48.ru
  quality-traffic.com qwesa.ru rank-checker.online rankings-analytics.com ranksonic.com ranksonic.info ranksonic.org rapidgator-porn.ga
  real-time-analytics.com redhotfuck.com reversing.cc rightenergysolutions.com.au sad-torg.com.ua sanjosestartups.com satellite.maps.ilovevitaly.com
  savetubevideo.com screentoolkit.com search-error.com securesmrt-dt.com semalt.com semaltmedia.com seo-2-0.com seo-platform.info
  seo-services-b2b.com seo-smm.kz seoanalyses.com seoexperimenty.ru seopub.net serw.clicksor.com seositewizard.com share-buttons.xyz
  share-buttons-for-free.com sharebutton.io sharebutton.net sharebutton.org sharebutton.to site-auditor.online site1.free-share-buttons.com
  sitevaluation.org slftsdybbg.ru slkrm.ru smailik.org smm-heaven.com snip.tw social-buttons.com
  social-buttons-aaa.xyz social-buttons-ii.xyz social-traffic-1.xyz social-widget.xyz sohoindia.net soaksoak.ru socialbuttons.xyz
  solitaire-game.ru spb-plitka.ru success-seo.com superiends.org supervesti.ru taihouse.ru tattooha.com tedxrj.com
  theguardlan.com top1-seo-service.com top10-way.com topquality.cf torture.ml trafers.com traffic2cash.org traffic2cash.xyz trafficmonetize.org
  trafficmonetizer.org trafficgenius.xyz trion.od.ua tubeline.biz uasb.ru uptimebot.net uptimechecker.com
  urlopener.blogspot.com.au urlopener.com video--production.com video-production.info videos-for-your-business.com viel.su
  viktoria-center.ru vodabur.by vodkoved.ru w3javascript.com web-revenue.xyz webmaster-traffic.com webmonetizer.net website-analyzer.info
  website-errors-scanner.com website-speed-check.site wordpress-crew.net ykecwqlixx.ru
  youporn-forum.ga yourserverisdown.com zastroyka.org zvetki.ru
`
  .trim()
  .split(/\s+/)

export type SpamReferrers = ReadonlySet<string>

/** @param file one host per line; lines that begin with # are comments. @throws Error naming the file if it cannot be read */
export function spamReferrers(file: string): SpamReferrers {
  if (file === '') return new Set(KNOWN)
  const lines = readFileSync(file, 'utf8').split(/\r?\n/)
  const more = lines.map(line => line.trim().toLowerCase()).filter(line => line !== '' && !line.startsWith('#'))
  return new Set([...KNOWN, ...more.map(host => domainToASCII(host) || host)])
}

/** Whether the list contains the host, in lower case, or a parent domain. */
export function isSpamReferrer(list: SpamReferrers, host: string): boolean {
  for (let part = host; part.includes('.'); part = part.slice(part.indexOf('.') + 1)) if (list.has(part)) return true
  return false
}
