import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import fc from '../../support/properties.ts'
import { acquisitionOf } from '../../../operations/sites/collection/enrich/acquisition.ts'
import { isBot } from '../../../operations/sites/crawlers/user-agents/bots.ts'
import { CHANNELS } from '../../../operations/sites/collection/enrich/channels.ts'
import { deviceOf } from '../../../operations/sites/collection/enrich/device.ts'
import { openGeo } from '../../../operations/sites/collection/enrich/geo.ts'
import { languageOf } from '../../../operations/sites/collection/enrich/language.ts'
import { SOURCES } from '../../../operations/sites/collection/enrich/source-table.ts'
import { sourceOfHost, sourceOfTag } from '../../../operations/sites/collection/enrich/sources.ts'
import { parseUserAgent } from '../../../operations/sites/collection/enrich/user-agent.ts'
import { parsePlausible } from '../../../operations/sites/collection/formats/plausible.ts'
import { startCpuTimer } from '../../support/cpu.ts'
import { geoDatabase } from '../../support/geo-database.ts'

const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const WEBKIT = 'AppleWebKit/605.1.15 (KHTML, like Gecko)'
const CHROME = `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/124.0.0.0 Safari/537.36`
const IPHONE = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4_1 like Mac OS X) ${WEBKIT}`

/** The acquisition of a visit to `https://example.com/` with that query and referrer. */
function acquired(query: string, referrer: string, hostname = 'example.com') {
  return acquisitionOf({ query: new URLSearchParams(query), referrer, hostname })
}

describe('source and channel of a visit', () => {
  const rows: ReadonlyArray<readonly [query: string, referrer: string, source: string, channel: string]> = [
    // nothing usable
    ['', '', '', 'Direct'],
    ['', 'garbage', '', 'Direct'],
    ['', 'https://', '', 'Direct'],
    ['', 'https://exa mple.com/', '', 'Direct'],
    ['', 'about:client', '', 'Direct'],
    ['', 'javascript:alert(1)', '', 'Direct'],
    ['', 'chrome-extension://abcdef/popup.html', '', 'Direct'],
    ['', 'file:///home/me/index.html', '', 'Direct'],
    ['utm_source=(direct)&utm_medium=(none)', '', '', 'Direct'],
    // the site itself
    ['', 'https://example.com/other', '', 'Direct'],
    ['', 'https://www.example.com/other', '', 'Direct'],
    ['', 'http://EXAMPLE.com:8080/', '', 'Direct'],
    ['', 'https://shop.example.com/', 'shop.example.com', 'Referral'],
    ['', 'https://notexample.com/', 'notexample.com', 'Referral'],
    // search
    ['', 'https://www.google.com/', 'Google', 'Organic Search'],
    ['', 'https://google.co.uk/search?q=x', 'Google', 'Organic Search'],
    ['', 'https://www.google.com./', 'Google', 'Organic Search'],
    ['', 'https://images.google.de/', 'Google', 'Organic Search'],
    ['', 'android-app://com.google.android.googlequicksearchbox/https/www.google.com', 'Google', 'Organic Search'],
    ['', 'https://google.com.evil.example/', 'google.com.evil.example', 'Referral'],
    ['', 'https://notgoogle.com/', 'notgoogle.com', 'Referral'],
    ['', 'https://www.bing.com/search', 'Bing', 'Organic Search'],
    ['', 'https://duckduckgo.com/', 'DuckDuckGo', 'Organic Search'],
    ['', 'https://r.search.yahoo.com/x', 'Yahoo', 'Organic Search'],
    ['', 'https://yandex.ru/clck', 'Yandex', 'Organic Search'],
    ['', 'https://search.brave.com/', 'Brave Search', 'Organic Search'],
    ['utm_medium=organic&utm_source=myindex', '', 'myindex', 'Organic Search'],
    // the rest of Google
    ['', 'https://mail.google.com/mail/u/0/', 'Gmail', 'Email'],
    ['', 'android-app://com.google.android.gm/', 'Gmail', 'Email'],
    ['', 'https://docs.google.com/document/d/1', 'Google Docs', 'Referral'],
    ['', 'https://gemini.google.com/', 'Gemini', 'AI Assistants'],
    ['', 'https://news.google.com/', 'Google News', 'Organic Search'],
    // advertisements
    ['gclid=abc', 'https://www.google.com/', 'Google', 'Paid Search'],
    ['gclid=abc', '', 'Google', 'Paid Search'],
    ['gclid=abc&utm_source=google&utm_medium=whatever', '', 'Google', 'Paid Search'],
    ['wbraid=abc', 'https://www.google.com/', 'Google', 'Paid Search'],
    ['gclid=abc', 'https://www.youtube.com/', 'YouTube', 'Paid Video'],
    ['gclid=abc', 'https://www.reddit.com/r/x', 'Reddit', 'Organic Social'],
    ['dclid=abc', 'https://googleads.g.doubleclick.net/', 'Google Display Network', 'Display'],
    ['msclkid=abc', 'https://www.bing.com/', 'Bing', 'Paid Search'],
    ['msclkid=abc', 'https://duckduckgo.com/', 'DuckDuckGo', 'Paid Search'],
    ['yclid=1', 'https://yandex.ru/', 'Yandex', 'Paid Search'],
    ['ttclid=1', '', 'TikTok', 'Paid Social'],
    ['ScCid=1', '', 'Snapchat', 'Paid Social'],
    ['fbclid=abc', 'https://l.facebook.com/', 'Facebook', 'Organic Social'],
    ['fbclid=abc', '', 'Facebook', 'Organic Social'],
    ['utm_source=adwords', '', 'Google', 'Paid Search'],
    ['utm_source=google-ads', '', 'Google', 'Paid Search'],
    ['utm_source=facebook_ads', '', 'Facebook', 'Paid Social'],
    ['utm_source=google&utm_medium=cpc', '', 'Google', 'Paid Search'],
    ['utm_source=Google&utm_medium=CPC', '', 'Google', 'Paid Search'],
    ['utm_source=ig&utm_medium=paid_social', '', 'Instagram', 'Paid Social'],
    ['utm_source=yt&utm_medium=ppc', '', 'YouTube', 'Paid Video'],
    ['utm_source=amazon&utm_medium=cpc', '', 'Amazon', 'Paid Shopping'],
    ['utm_source=google&utm_medium=cpc&utm_campaign=Spring+Shopping', '', 'Google', 'Paid Shopping'],
    ['utm_source=google&utm_medium=cpc&utm_campaign=e-shop', '', 'Google', 'Paid Shopping'],
    ['utm_source=google&utm_medium=cpc&utm_campaign=photoshop', '', 'Google', 'Paid Search'],
    ['utm_source=criteo&utm_medium=retargeting', '', 'criteo', 'Paid Other'],
    ['utm_source=partner&utm_medium=banner', '', 'partner', 'Display'],
    ['utm_source=partner&utm_medium=cpm', '', 'partner', 'Display'],
    ['utm_source=google&utm_medium=cpc&utm_campaign=cross-network', '', 'Google', 'Cross-network'],
    // social
    ['', 'https://t.co/AbC', 'Twitter', 'Organic Social'],
    ['', 'https://x.com/someone/status/1', 'Twitter', 'Organic Social'],
    ['', 'https://m.facebook.com/', 'Facebook', 'Organic Social'],
    ['', 'https://lm.facebook.com/l.php?u=x', 'Facebook', 'Organic Social'],
    ['', 'https://out.reddit.com/x', 'Reddit', 'Organic Social'],
    ['', 'https://de.pinterest.com/pin/1', 'Pinterest', 'Organic Social'],
    ['', 'https://www.pinterest.co.uk/pin/1', 'Pinterest', 'Organic Social'],
    ['', 'https://news.ycombinator.com/item?id=1', 'Hacker News', 'Organic Social'],
    ['', 'https://lnkd.in/x', 'LinkedIn', 'Organic Social'],
    ['', 'android-app://com.linkedin.android', 'LinkedIn', 'Organic Social'],
    ['', 'android-app://com.Slack/', 'Slack', 'Organic Social'],
    ['', 'https://go.bsky.app/redirect?u=x', 'Bluesky', 'Organic Social'],
    ['utm_source=fb', '', 'Facebook', 'Organic Social'],
    ['utm_source=linked-in', '', 'LinkedIn', 'Organic Social'],
    ['utm_source=newsletter-twitter', '', 'Twitter', 'Organic Social'],
    ['utm_source=me&utm_medium=social', '', 'me', 'Organic Social'],
    // video, shopping, assistants, e-mail
    ['', 'https://youtu.be/x', 'YouTube', 'Organic Video'],
    ['utm_source=conf&utm_medium=video-talk', '', 'conf', 'Organic Video'],
    ['', 'https://www.amazon.co.jp/dp/1', 'Amazon', 'Organic Shopping'],
    ['', 'https://chatgpt.com/', 'ChatGPT', 'AI Assistants'],
    ['utm_source=chatgpt.com', '', 'ChatGPT', 'AI Assistants'],
    ['', 'https://www.perplexity.ai/search/x', 'Perplexity', 'AI Assistants'],
    ['', 'https://copilot.microsoft.com/', 'Copilot', 'AI Assistants'],
    ['', 'https://claude.ai/chat/1', 'Claude', 'AI Assistants'],
    ['utm_source=someone&utm_medium=ai-assistant', '', 'someone', 'AI Assistants'],
    ['', 'https://outlook.live.com/', 'Outlook', 'Email'],
    ['', 'https://eur01.safelinks.protection.outlook.com/', 'Outlook', 'Email'],
    ['', 'https://mail.yahoo.co.jp/', 'Yahoo Mail', 'Email'],
    ['utm_source=newsletter', '', 'newsletter', 'Email'],
    ['utm_source=may-issue&utm_medium=E-Mail', 'https://www.google.com/', 'may-issue', 'Email'],
    // the small ones
    ['utm_source=blogger&utm_medium=affiliate', '', 'Blogger', 'Organic Social'],
    ['utm_source=partner&utm_medium=affiliate', '', 'partner', 'Affiliates'],
    ['utm_source=pod&utm_medium=audio', '', 'pod', 'Audio'],
    ['utm_source=sms', '', 'sms', 'SMS'],
    ['utm_source=x1&utm_medium=sms', '', 'x1', 'SMS'],
    ['utm_source=app&utm_medium=web-push', '', 'app', 'Mobile Push'],
    ['utm_source=firebase', '', 'firebase', 'Mobile Push'],
    // other sites
    ['', 'https://github.com/x/y', 'GitHub', 'Referral'],
    ['', 'https://blog.example.org/post?x=1', 'blog.example.org', 'Referral'],
    ['', 'android-app://org.example.reader/', 'org.example.reader', 'Referral'],
    ['', 'https://bücher.example/', 'xn--bcher-kva.example', 'Referral'],
    ['', 'http://192.0.2.7/x', '192.0.2.7', 'Referral'],
    ['', 'http://[2001:db8::1]/x', '[2001:db8::1]', 'Referral'],
    ['utm_medium=referral', '', '', 'Referral'],
    // which parameter names the source
    ['ref=producthunt', 'https://www.google.com/', 'Product Hunt', 'Organic Social'],
    ['source=partner', '', 'partner', 'Referral'],
    ['utm_source=a&source=b&ref=c', '', 'a', 'Referral'],
    ['utm_source=&source=&ref=c', '', 'c', 'Referral'],
    ['utm_source=-', '', '-', 'Referral'],
    ['utm_source=ads', '', 'ads', 'Referral'],
    ['utm_source=shop', '', 'shop', 'Referral'],
    ['utm_source=constructor', '', 'constructor', 'Referral'],
    ['utm_source=%00%07', '', '', 'Direct'],
    ['ref=https://www.producthunt.com/posts/x', '', 'Product Hunt', 'Organic Social'],
    ['ref=https%3A%2F%2Fblog.example.org%2Flist%3Fa', 'https://www.google.com/', 'blog.example.org', 'Referral'],
    ['ref=HTTPS://WWW.Blog.example.org', '', 'blog.example.org', 'Referral'],
    ['ref=https://www.example.com/', '', '', 'Direct'],
    ['ref=https://', '', 'https://', 'Referral'],
    ['ref=//blog.example.org/list', '', 'blog.example.org', 'Referral'],
    ['ref=www.Blog.example.org', '', 'blog.example.org', 'Referral'],
    ['ref=news.ycombinator.com/item', '', 'Hacker News', 'Organic Social'],
    ['ref=user:key@blog.example.org/', '', 'user:key@blog.example.org/', 'Referral'],
    ['ref=https://user:key@blog.example.org/', '', 'blog.example.org', 'Referral'],
    ['ref=android-app://com.slack', '', 'Slack', 'Organic Social'],
    ['ref=//www.example.com/', '', '', 'Direct'],
    ['ref=B\u00dcCHER.example', '', 'xn--bcher-kva.example', 'Referral'],
    ['utm_source=news.v2/july', '', 'news.v2/july', 'Referral'],
    ['utm_source=google/cpc', '', 'google/cpc', 'Referral'],
    ['utm_source=//', '', '//', 'Referral'],
    ['utm_source=www.', '', 'www.', 'Referral'],
    ['utm_source=http://m.facebook.com', '', 'Facebook', 'Organic Social'],
    // apps, by the host that they send
    ['', 'android-app://m.facebook.com/', 'Facebook', 'Organic Social'],
    ['', 'android-app://org.example.reader/https/www.google.de/search', 'Google', 'Organic Search'],
    ['', 'android-app://org.example.reader/https/www.blog.example.org/post', 'blog.example.org', 'Referral'],
    ['', 'android-app://org.example.reader/https/www.example.com/', '', 'Direct'],
    ['', 'android-app://com.linkedin.android/https/www.google.com', 'LinkedIn', 'Organic Social'],
    ['', 'android-app://org.example.reader/https//', 'org.example.reader', 'Referral'],
    ['', 'android-app://org.example.reader/reader/list', 'org.example.reader', 'Referral'],
    // newer parameters
    ['igsh=abc', '', 'Instagram', 'Organic Social'],
    ['gad_source=1', '', 'Google', 'Paid Search'],
    ['gad_source=1', 'https://www.google.com/', 'Google', 'Paid Search'],
    ['gad_campaignid=7', '', 'Google', 'Paid Search'],
    ['', 'https://www.googleadservices.com/pagead/aclk?sa=L', 'Google', 'Paid Search'],
  ]
  for (const [query, referrer, source, channel] of rows) {
    test(`?${query} from ${referrer || 'nowhere'} is ${source || 'no source'}, ${channel}`, () => {
      const visit = acquired(query, referrer)
      assert.deepEqual([visit.source, visit.channel], [source, channel])
    })
  }

  test('every channel has a row above', () => {
    assert.equal(CHANNELS.length, 19)
    assert.deepEqual(new Set(rows.map(([, , , channel]) => channel)), new Set(CHANNELS))
  })

  test('www. is ignored on either side', () => {
    assert.equal(acquired('', 'https://example.com/', 'www.example.com').channel, 'Direct')
    assert.equal(acquired('', 'https://xn--mnchen-3ya.example/', 'münchen.example').channel, 'Direct')
  })
})

describe('stored acquisition values', () => {
  test('tags as they were written, and the name of the click id, never its value', () => {
    const query = 'utm_source=Google&utm_medium=CPC&utm_campaign=May&utm_content=a%00b&utm_term=%20x%20&gclid=SECRET'
    const visit = acquired(query, 'https://www.google.com/')
    assert.deepEqual(visit, {
      source: 'Google',
      referrer: 'google.com',
      channel: 'Paid Search',
      utm_source: 'Google',
      utm_medium: 'CPC',
      utm_campaign: 'May',
      utm_content: 'ab',
      utm_term: 'x',
      click_id: 'gclid',
    })
    assert.ok(!JSON.stringify(visit).includes('SECRET'))
  })

  const referrers: ReadonlyArray<readonly [string, string]> = [
    ['https://www.blog.example.org/a/b/?token=1#c', 'blog.example.org/a/b'],
    ['https://blog.example.org/', 'blog.example.org'],
    ['https://me:pw@blog.example.org:8443/a', 'blog.example.org/a'],
    ['https://blog.example.org/caf%C3%A9', 'blog.example.org/café'],
    ['android-app://com.google.android.gm/', 'com.google.android.gm'],
    ['https://example.com/a', ''],
    ['nonsense', ''],
  ]
  for (const [sent, kept] of referrers) {
    test(`referrer ${sent} is ${kept || 'none'}`, () => assert.equal(acquired('', sent).referrer, kept))
  }

  test('a referrer is kept in addition to a tag', () => {
    assert.equal(acquired('utm_source=x9', 'https://blog.example.org/a').referrer, 'blog.example.org/a')
  })

  test('the first click id in the order of networks', () => {
    assert.equal(acquired('fbclid=1&gclid=2', '').click_id, 'gclid')
    assert.equal(acquired('igshid=2', '').click_id, 'igshid')
    assert.equal(acquired('ScCid=2', '').click_id, 'scclid')
    assert.equal(acquired('gclidx=2', '').click_id, '')
  })

  test('nothing in a query or referrer makes it throw', () => {
    const oddities = fc.constantFrom('android-app://', 'https://.', 'https://..com', 'http://%00/')
    const junk = fc.oneof(fc.string({ unit: 'binary' }), fc.webUrl(), oddities)
    const tags = fc.dictionary(fc.constantFrom('utm_source', 'utm_medium', 'ref', 'utm_campaign', 'gclid'), junk)
    fc.assert(
      fc.property(tags, junk, junk, (query, referrer, hostname) => {
        const visit = acquired(new URLSearchParams(query).toString(), referrer, hostname)
        assert.ok(CHANNELS.includes(visit.channel))
        assert.ok(Buffer.byteLength(visit.referrer) <= 1024 && Buffer.byteLength(visit.source) <= 1024)
      }),
      { numRuns: 1_000 },
    )
  })
})

describe('the table of sources', () => {
  const rows = SOURCES.flatMap(([kind, sources]) =>
    sources.map(([name, hosts, spellings = '']) => ({
      kind,
      name,
      hosts: hosts.split(' '),
      spellings: spellings.split(' ').filter(spelling => spelling !== ''),
    })),
  )

  test('knows well over 150 sources, each once', () => {
    assert.ok(rows.length > 250, `${rows.length}`)
    assert.equal(new Set(rows.map(({ name }) => name)).size, rows.length)
  })
  test('lists no host and no spelling twice', () => {
    const spellings = rows.flatMap(({ spellings }) => spellings).filter(spelling => spelling !== '-')
    for (const all of [rows.flatMap(({ hosts }) => hosts), spellings]) {
      assert.deepEqual(
        all.filter((one, at) => all.indexOf(one) !== at),
        [],
      )
    }
  })
  test('is written in the form it is looked up by', () => {
    for (const { name, kind, hosts, spellings } of rows) {
      for (const host of hosts) {
        assert.match(host, /^[a-z0-9_-]+(\.[a-z0-9_-]+)*(\.\*)?$/)
        const found = sourceOfHost(host.replace(/\*$/, 'com'))
        assert.deepEqual([found?.name, found?.kind], [name, kind], host)
      }
      for (const spelling of spellings) assert.match(spelling, /^(-|[a-z0-9!]+)$/)
      if (!spellings.includes('-')) assert.equal(sourceOfTag(name)?.name, name)
    }
  })
  test('names nothing that every object has', () => {
    for (const name of ['__proto__', 'constructor', 'toString', '', '.', '*', 'com']) {
      assert.equal(sourceOfTag(name), undefined)
      assert.equal(sourceOfHost(name), undefined)
    }
  })
})

describe('bots', () => {
  const bots = [
    '',
    '   ',
    'curl/8.5.0',
    'python-requests/2.31',
    CHROME.replace('Chrome', 'HeadlessChrome'),
    `${CHROME} Puppeteer`,
    `${CHROME} GTmetrix`,
    'Mozilla/5.0 (linux) AppleWebKit/537.36 (KHTML, like Gecko) jsdom/20.0.3',
    'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Claude-User/1.0; +Claude-User@anthropic.com)',
    'Mozilla/5.0+(compatible; UptimeRobot/2.0; http://www.uptimerobot.com/)',
  ]
  for (const userAgent of bots) test(`${userAgent || 'none'} is one`, () => assert.equal(isBot(userAgent), true))

  const people = [
    CHROME,
    `${CHROME} Edg/124.0.0.0`,
    `${IPHONE} Version/17.4.1 Mobile/15E148 Safari/604.1`,
    `${IPHONE} GSA/312.0.626 Mobile/15E148 Safari/604.1`,
    `${IPHONE} Mobile/15E148 [FBAN/FBIOS;FBAV/459.0.0.30.109;FBBV/593165170;FBDV/iPhone14,5]`,
    'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko',
    'Mozilla/5.0 (Linux; Android 9; CUBOT X19) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99.0 Mobile Safari/537.36',
    `${CHROME} Electron/28.0.0`,
  ]
  for (const userAgent of people) test(`${userAgent} is not`, () => assert.equal(isBot(userAgent), false))
})

describe('user agents', () => {
  const rows: ReadonlyArray<readonly [string, string]> = [
    ['Chrome 124 Windows 10 desktop', CHROME],
    ['Edge 124 Windows 10 desktop', `${CHROME} Edg/124.0.0.0`],
    ['Safari 17 iOS 17.4 mobile', `${IPHONE} Version/17.4.1 Mobile/15E148 Safari/604.1`],
    ['Chrome 124 iOS 17.4 mobile', `${IPHONE} CriOS/124.0.6367.88 Mobile/15E148 Safari/604.1`],
    ['Google App 312 iOS 17.4 mobile', `${IPHONE} GSA/312.0.626 Mobile/15E148 Safari/604.1`],
    ['Safari 16 iOS 16.6 tablet', `Mozilla/5.0 (iPad; CPU OS 16_6 like Mac OS X) ${WEBKIT} Version/16.6 Mobile/15E148 Safari/604.1`],
    ['Safari 17 macOS 10.15 desktop', `Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) ${WEBKIT} Version/17.4 Safari/605.1.15`],
    ['Chrome 124 Android 10 mobile', `Mozilla/5.0 (Linux; Android 10; K) ${BLINK} Chrome/124.0.0.0 Mobile Safari/537.36`],
    ['Chrome 124 ChromeOS 14541.0 desktop', `Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${BLINK} Chrome/124.0.0.0 Safari/537.36`],
    ['Firefox 125 Ubuntu  desktop', 'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0'],
    ['Safari  Tizen 6.0 tv', `Mozilla/5.0 (SMART-TV; LINUX; Tizen 6.0) ${BLINK} 76.0.3809.146/6.0 TV Safari/537.36`],
    ['Safari 15 PlayStation 5 console', `Mozilla/5.0 (PlayStation; PlayStation 5/8.00) ${WEBKIT} Version/15.4 Safari/605.1.15`],
    ['Internet Explorer 11 Windows 10 desktop', 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko'],
    ['Firefox 52 Windows XP desktop', 'Mozilla/5.0 (Windows NT 5.1; rv:52.0) Gecko/20100101 Firefox/52.0'],
    ['    ', 'something else entirely'],
    ['    ', ''],
  ]
  for (const [expected, userAgent] of rows) {
    test(expected.trim() || `nothing of "${userAgent}"`, () => {
      const { browser, browser_version, os, os_version, device } = parseUserAgent(userAgent)
      assert.equal([browser, browser_version, os, os_version, device].join(' '), expected)
    })
  }

  test('are remembered, and only by their first 500 characters', () => {
    assert.equal(parseUserAgent(CHROME), parseUserAgent(CHROME))
    const long = CHROME.padEnd(500, ' x')
    assert.equal(parseUserAgent(long), parseUserAgent(`${long} Edg/124.0`))
  })
  test('of any kind are read quickly', () => {
    const cpu = startCpuTimer(500)
    for (const part of ['(', 'Mozilla/5.0 ', 'Android;', ' '.repeat(3), 'a/1.', '\u00e9', 'Safari/5 ']) {
      parseUserAgent(part.repeat(4_000))
      isBot(part.repeat(4_000))
    }
    assert.ok(cpu.taken() < 500)
  })

  const unknown = parseUserAgent('')
  const known = parseUserAgent(CHROME)
  test('the viewport only speaks where they do not', () => {
    const widths = [320, 576, 991, 992, null]
    assert.deepEqual(
      widths.map(width => deviceOf(unknown, width)),
      ['mobile', 'tablet', 'tablet', 'desktop', ''],
    )
    assert.equal(deviceOf(known, 320), 'desktop')
  })
})

describe('languages', () => {
  const rows: ReadonlyArray<readonly [string, string, string]> = [
    ['de-DE', 'en', 'de'],
    ['EN', '', 'en'],
    ['pt_BR', '', 'pt'],
    ['zh-Hant-TW', '', 'zh'],
    ['gsw-CH', '', 'gsw'],
    ['iw', '', 'he'],
    ['', 'fr-CH, fr;q=0.9, en;q=0.8, *;q=0.5', 'fr'],
    ['', 'en;q=0.3, da ; q=0.7', 'da'],
    ['', '*', ''],
    ['', 'en;q=0', ''],
    ['', 'en;q=x, de;q=0.1', 'de'],
    ['C', '', ''],
    ['POSIX', 'sv', 'sv'],
    ['<script>', '', ''],
    ['', '', ''],
  ]
  for (const [language, header, expected] of rows) {
    test(`"${language}" and "${header}" are "${expected}"`, () => assert.equal(languageOf(language, header), expected))
  }
})

describe('places', () => {
  test('the bundled database knows countries', async () => {
    const placeOf = await openGeo()
    assert.deepEqual(placeOf('8.8.8.8'), { country: 'US', region: '', city: '' })
    assert.equal(placeOf('2a02:2e0::1').country, 'DE')
    assert.equal(placeOf('::ffff:8.8.8.8').country, 'US')
    const nowhere = ['', 'localhost', '127.0.0.1', '10.0.0.1', '::1', 'fe80::1%eth0', '999.1.1.1', '8.8.8', '__proto__']
    for (const ip of nowhere) {
      assert.deepEqual(placeOf(ip), { country: '', region: '', city: '' }, ip)
    }
  })

  test('costs little memory', async () => {
    const before = process.memoryUsage()
    const placeOf = await openGeo()
    for (let n = 0; n < 50_000; n++) placeOf(`${(n % 223) + 1}.${n % 251}.${n % 13}.1`)
    const after = process.memoryUsage()
    assert.ok(after.arrayBuffers - before.arrayBuffers < 12e6)
  })

  test("an operator's city database is read in either manner", async () => {
    const directory = await mkdtemp(join(tmpdir(), 'geo-'))
    try {
      const geolite = {
        country: { iso_code: 'DE' },
        subdivisions: [{ iso_code: 'BE', names: { en: 'Land Berlin' } }],
        city: { names: { en: 'Berlin', de: 'Berlin' } },
      }
      const lite = {
        country: { iso_code: 'DE' },
        subdivisions: [{ names: { en: 'Bavaria' } }],
        city: { names: { en: 'Munich' } },
      }
      const flat = { country_code: 'FR', state1: 'Bretagne', city: 'Rennes' }
      const rows = [
        [geolite, { country: 'DE', region: 'DE-BE', city: 'Berlin' }],
        [lite, { country: 'DE', region: 'Bavaria', city: 'Munich' }],
        [flat, { country: 'FR', region: 'Bretagne', city: 'Rennes' }],
        [{ city: { names: { en: 'Nowhere' } } }, { country: '', region: '', city: '' }],
      ] as const
      for (const [record, expected] of rows) {
        const file = join(directory, 'own.mmdb')
        await writeFile(file, geoDatabase(record))
        const placeOf = await openGeo(file)
        assert.deepEqual(placeOf('203.0.113.7'), expected)
      }
    } finally {
      await rm(directory, { recursive: true })
    }
  })

  test('a file that is missing, or no database, is named', async () => {
    await assert.rejects(openGeo('/nonexistent/own.mmdb'), /geo database \/nonexistent\/own\.mmdb: /)
    await assert.rejects(openGeo(import.meta.filename), /geo database .*enrich\.test\.ts: /)
  })
})

test('parsing and enriching a hit of a known browser takes microseconds', async () => {
  const placeOf = await openGeo()
  const body = JSON.stringify({
    n: 'pageview',
    v: 36,
    d: 'example.com',
    r: 'https://www.google.com/',
    w: 1280,
    sc: '1920x1080',
    l: 'de-DE',
    t: 'A post',
    u: 'https://www.example.com/blog/post?utm_source=newsletter&utm_medium=email',
  })
  function hit(n: number): void {
    const parsed = parsePlausible(JSON.parse(body))
    assert.ok('hits' in parsed)
    for (const sent of parsed.hits) {
      isBot(CHROME)
      deviceOf(parseUserAgent(CHROME), sent.width)
      languageOf(sent.language, 'de-DE,de;q=0.9')
      placeOf(`${(n % 223) + 1}.${n % 251}.3.4`)
      acquisitionOf(sent)
    }
  }
  const batch = () => {
    const cpu = startCpuTimer(80)
    for (let n = 0; n < 2_000; n++) hit(n)
    return cpu.taken() / 2
  }
  const fastest = Math.min(...Array.from({ length: 12 }, batch))
  // 10 µs on an idle core; the bound allows for a busy one.
  assert.ok(fastest < 40, `${fastest.toFixed(1)} µs`)
})
