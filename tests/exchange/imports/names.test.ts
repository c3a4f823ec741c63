/** Names of other products, and what imports make of them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { deviceDetectorNames } from '../../../operations/exchange/imports/names/device-detector.ts'
import { ga4Names } from '../../../operations/exchange/imports/names/ga4.ts'
import { anyNames, namesBy } from '../../../operations/exchange/imports/names/names.ts'
import type { NameRow, NameTable } from '../../../operations/exchange/imports/names/table.ts'
import { countryIn, regionIn } from '../../../operations/exchange/imports/names/places.ts'
import { shared } from '../../../operations/exchange/imports/names/shared.ts'
import { sourceIn } from '../../../operations/exchange/imports/names/sources.ts'
import { PROGRAMS, umamiNames } from '../../../operations/exchange/imports/names/umami.ts'
import { parseUserAgent } from '../../../operations/sites/collection/enrich/user-agent.ts'
import * as deviceDetector from './device-detector-names.ts'

const tables: Readonly<Record<string, NameTable>> = { deviceDetectorNames, ga4Names, umamiNames }
const ofRows = (rows: readonly NameRow[]) => [...new Set(rows.map(([ours]) => ours.replace(/@.*/, '')))]
const webKit = 'AppleWebKit/537.36 (KHTML, like Gecko)'
const phone = (rest: string) => `Mozilla/5.0 (Linux; Android 10; K) ${webKit} ${rest}`
const windows = (rest: string) => `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webKit} ${rest}`
const iphone = (rest: string) => `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) ${rest}`
const on = (system: string) => `Mozilla/5.0 (${system}) ${webKit} Chrome/120.0.0.0 Safari/537.36`

describe('Umami: every name is the name of a collected hit with the same user agent', () => {
  const names = namesBy(umamiNames)
  /** All browsers of detect-browser 5.3, each with a user agent that it recognizes as this browser. */
  const browsers: ReadonlyArray<readonly [theirs: string, userAgent: string]> = [
    ['aol', windows('Chrome/59.0.3071.115 Safari/537.36 AOLShield/59.0.3071.115')],
    ['edge', windows('Chrome/64.0.3282.140 Safari/537.36 Edge/18.17763')],
    ['edge-ios', iphone('Version/17.0 EdgiOS/120.0.2210.126 Mobile/15E148 Safari/604.1')],
    ['yandexbrowser', windows('Chrome/120.0.0.0 YaBrowser/24.1.0 Safari/537.36')],
    ['kakaotalk', phone('Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36;KAKAOTALK 2410440')],
    ['samsung', phone('SamsungBrowser/23.0 Chrome/115.0.0.0 Mobile Safari/537.36')],
    ['silk', phone('Silk/118.3.1 like Chrome/118.0.5993.155 Safari/537.36')],
    ['miui', phone('Version/4.0 Chrome/100.0.4896.127 Mobile Safari/537.36 XiaoMi/MiuiBrowser/13.28.0')],
    ['beaker', windows('BeakerBrowser/1.0.0 Chrome/83.0 Electron/9.0.0 Safari/537.36')],
    ['edge-chromium', windows('Chrome/120.0.0.0 Safari/537.36 Edg/120.0.2210.91')],
    ['chrome', windows('Chrome/120.0.0.0 Safari/537.36')],
    ['chromium-webview', `Mozilla/5.0 (Linux; Android 10; K; wv) ${webKit} Version/4.0 Chrome/120.0.0.0 Mobile Safari/537.36`],
    ['crios', iphone('CriOS/120.0.6099.119 Mobile/15E148 Safari/604.1')],
    ['firefox', 'Mozilla/5.0 (X11; Linux x86_64; rv:121.0) Gecko/20100101 Firefox/121.0'],
    ['fxios', iphone('FxiOS/121.0 Mobile/15E148 Safari/605.1.15')],
    ['opera-mini', 'Opera/9.80 (Android; Opera Mini/36.2/191.249; U; en) Presto/2.12.423 Version/12.16'],
    ['opera', windows('Chrome/120.0.0.0 Safari/537.36 OPR/106.0.0.0')],
    ['pie', 'Mozilla/4.0 (compatible; MSIE 6.0; Windows CE; IEMobile 7.11)'],
    ['netfront', 'Mozilla/4.08 (PDA; NF35WMPRO/1.0) NetFront/3.5'],
    ['ie', 'Mozilla/5.0 (Windows NT 10.0; WOW64; Trident/7.0; rv:11.0) like Gecko'],
    ['bb10', 'Mozilla/5.0 (BB10; Touch) AppleWebKit/537.10+ (KHTML, like Gecko) Version/10.0.9.2372 Mobile Safari/537.10+'],
    [
      'android',
      'Mozilla/5.0 (Linux; U; Android 4.0.3; de-de; Nexus S) AppleWebKit/534.30 (KHTML, like Gecko) Version/4.0 Mobile Safari/534.30',
    ],
    ['ios', iphone('Version/17.4 Mobile/15E148 Safari/604.1')],
    ['safari', 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.2 Safari/605.1.15'],
    ['facebook', iphone('Mobile/15E148 [FBAN/FBIOS;FBAV/443.0.0.23.229;FBBV/540000000;]')],
    ['instagram', iphone('Mobile/15E148 Instagram 312.0.1.19.124 (iPhone14,5; iOS 17_4)')],
    ['ios-webview', iphone('Mobile/15E148')],
  ]
  for (const [theirs, userAgent] of browsers)
    test(`browser ${theirs}`, () => assert.equal(names.browser(theirs, '').name, parseUserAgent(userAgent).browser))
  test('the remaining browsers are programs, whose hits are dropped', () => {
    assert.deepEqual([...PROGRAMS].sort(), ['curl', 'phantomjs', 'searchbot'])
    assert.equal(new Set([...browsers.map(([theirs]) => theirs), ...PROGRAMS]).size, 30)
  })

  /** All systems of detect-browser 5.3. */
  const systems: ReadonlyArray<readonly [theirs: string, userAgent: string, isVersionUnknown?: true]> = [
    ['iOS', iphone('Version/17.4 Mobile/15E148 Safari/604.1'), true],
    ['Android OS', phone('Chrome/120.0.0.0 Mobile Safari/537.36'), true],
    ['BlackBerry OS', on('BB10; Touch'), true],
    ['Windows Mobile', 'Mozilla/5.0 (compatible; MSIE 10.0; Windows Phone 8.0; Trident/6.0; IEMobile/10.0)', true],
    ['Amazon OS', on('Linux; U; en-US'), true],
    ['Windows 95', 'Mozilla/4.0 (compatible; MSIE 5.0; Windows 95)'],
    ['Windows 98', 'Mozilla/4.0 (compatible; MSIE 5.5; Windows 98)'],
    ['Windows 2000', on('Windows NT 5.0')],
    ['Windows XP', on('Windows NT 5.1')],
    ['Windows Server 2003', on('Windows NT 5.2')],
    ['Windows Vista', on('Windows NT 6.0')],
    ['Windows 7', on('Windows NT 6.1')],
    ['Windows 8', on('Windows NT 6.2')],
    ['Windows 8.1', on('Windows NT 6.3')],
    ['Windows 10', on('Windows NT 10.0; Win64; x64')],
    ['Windows CE', 'Mozilla/4.0 (compatible; MSIE 6.0; Windows CE; IEMobile 7.11)'],
    ['Open BSD', on('X11; OpenBSD amd64'), true],
    ['Sun OS', on('X11; SunOS i86pc'), true],
    ['Linux', on('X11; Linux x86_64'), true],
    ['Mac OS', on('Macintosh; Intel Mac OS X 10_15_7'), true],
    ['QNX', on('QNX x86pc'), true],
    ['BeOS', on('BeOS; U'), true],
    ['OS/2', on('OS/2; Warp 4.5'), true],
    ['Chrome OS', on('X11; CrOS x86_64 14541.0.0'), true],
  ]
  for (const [theirs, userAgent, isVersionUnknown] of systems)
    test(`system ${theirs}`, () => {
      const { os, os_version } = parseUserAgent(userAgent)
      assert.deepEqual(names.system(theirs, ''), { name: os, version: isVersionUnknown ? '' : os_version })
    })
  test('the remaining systems are old versions of Windows', () => {
    assert.deepEqual(names.system('Windows 3.11', ''), { name: 'Windows', version: '3.11' })
    assert.deepEqual(names.system('Windows ME', ''), { name: 'Windows', version: 'ME' })
    assert.equal(systems.length + 2, 26)
  })
  test('kinds of devices', () => {
    const rows = { laptop: 'desktop', smarttv: 'tv', xr: 'wearable' }
    for (const [theirs, ours] of Object.entries(rows)) assert.equal(names.device(theirs), ours)
    for (const same of ['desktop', 'mobile', 'tablet', 'console', 'wearable', 'embedded']) assert.equal(names.device(same), same)
  })
})

describe('Plausible and Matomo: every name of device-detector', () => {
  const names = namesBy(deviceDetectorNames)
  const parts: ReadonlyArray<readonly [string, ReadonlyArray<readonly [string, string]>, (name: string) => string | undefined]> = [
    ['browsers', deviceDetector.browsers, name => names.browser(name, '').name],
    ['systems', deviceDetector.systems, name => names.system(name, '').name],
    ['devices', deviceDetector.devices, name => names.device(name)],
  ]
  for (const [part, rows, ours] of parts)
    test(part, () => {
      for (const [expected, theirs] of rows) for (const name of theirs.split(' | ')) assert.equal(ours(name), expected, name)
    })
  test('a value that collected hits cannot distinguish stays as it is', () => {
    for (const name of deviceDetector.keptBrowsers) assert.equal(names.browser(name, '').name, name)
    for (const name of deviceDetector.keptSystems) assert.equal(names.system(name, '').name, name)
  })
  test('the lists are complete', () => {
    const count = (rows: ReadonlyArray<readonly [string, string]>) => rows.flatMap(([, theirs]) => theirs.split(' | ')).length
    assert.equal(count(deviceDetector.browsers) + deviceDetector.keptBrowsers.length, 728)
    assert.equal(count(deviceDetector.systems) + deviceDetector.keptSystems.length, 210)
    assert.equal(count(deviceDetector.devices), 14)
  })
  test('versions are cut like the versions of collected hits; a system that becomes another loses its version', () => {
    assert.deepEqual(names.browser('Samsung Browser', '23.0'), { name: 'Samsung Internet', version: '23' })
    assert.deepEqual(names.browser('Comet', '1.2.3'), { name: 'Comet', version: '1' })
    assert.deepEqual(names.system('GNU/Linux', ''), { name: 'Linux', version: '' })
    assert.deepEqual(names.system('Mac', '10.15.7'), { name: 'macOS', version: '10.15' })
    assert.deepEqual(names.system('iPadOS', '16.4.1'), { name: 'iOS', version: '16.4' })
    assert.deepEqual(names.system('Fire OS', '7'), { name: 'Android', version: '' })
  })
})

describe('Google Analytics 4: names as its reports and its export show them', () => {
  const names = namesBy(ga4Names)
  const browsers = {
    'Amazon Silk': 'Silk',
    'Android Browser': 'Android Browser',
    'Android Runtime': 'Android Browser',
    'Android Webview': 'Chrome WebView',
    BlackBerry: 'BlackBerry',
    Chrome: 'Chrome',
    'Coc Coc': 'Coc Coc',
    Edge: 'Edge',
    Firefox: 'Firefox',
    'IE with Chrome Frame': 'Internet Explorer',
    'Internet Explorer': 'Internet Explorer',
    Iron: 'Iron',
    Maxthon: 'Maxthon',
    Mozilla: 'Mozilla',
    'Mozilla Compatible Agent': 'WebKit',
    MQQBrowser: 'QQBrowser',
    MRCHROME: 'Chrome',
    'Nintendo Browser': 'Nintendo Browser',
    'Nokia Browser': 'NokiaBrowser',
    Opera: 'Opera',
    'Opera Mini': 'Opera Mini',
    PaleMoon: 'PaleMoon',
    Puffin: 'Puffin',
    Safari: 'Safari',
    'Safari (in-app)': 'WebKit',
    'Samsung Internet': 'Samsung Internet',
    SeaMonkey: 'SeaMonkey',
    'UC Browser': 'UCBrowser',
    'User-Agent:Opera': 'Opera',
    Vivaldi: 'Vivaldi',
    'Whale Browser': 'Whale',
    YaBrowser: 'Yandex Browser',
    '<Other>': '',
    '(not set)': '',
    '(data deleted)': '',
  }
  for (const [theirs, ours] of Object.entries(browsers)) test(`browser ${theirs}`, () => assert.equal(names.browser(theirs, '').name, ours))

  const systems: ReadonlyArray<readonly [name: string, version: string, ours: string, ourVersion: string]> = [
    ['Windows', 'Windows 10', 'Windows', '10'],
    ['Windows', '11', 'Windows', '11'],
    ['Macintosh', 'Intel 10.15', 'macOS', '10.15'],
    ['Macintosh', 'Macintosh Intel 11.1', 'macOS', '11.1'],
    ['iOS', '17.3.1', 'iOS', '17.3'],
    ['iOS', 'iOS 15.1', 'iOS', '15.1'],
    ['Android', 'Android 12', 'Android', '12'],
    ['Chrome OS', '14541.0.0', 'ChromeOS', '14541.0'],
    ['Linux', '(not set)', 'Linux', ''],
    ['Tizen', '6.0', 'Tizen', '6.0'],
    ['Firefox OS', '', 'Firefox OS', ''],
    ['Web0S', '', 'webOS', ''],
    ['PlayStation 4', '', 'PlayStation', ''],
    ['Nintendo Switch', '', 'Nintendo', ''],
    ['Xbox', '', 'Xbox', ''],
    ['<Other>', '<Other>', '', ''],
    ['Web', '10', '', ''],
  ]
  for (const [name, version, ours, ourVersion] of systems)
    test(`system ${name} ${version}`, () => assert.deepEqual(names.system(name, version), { name: ours, version: ourVersion }))
  test('kinds of devices', () => {
    assert.deepEqual(['desktop', 'mobile', 'tablet', 'smart tv', '(not set)'].map(names.device), [
      'desktop',
      'mobile',
      'tablet',
      'tv',
      undefined,
    ])
  })
})

describe('every table', () => {
  const liveBrowsers = ofRows(shared.browsers)
  const liveSystems = ofRows(shared.systems)
  for (const [table, rows] of Object.entries(tables)) {
    test(`${table} leads only to names that collected hits have`, () => {
      assert.deepEqual(
        ofRows(rows.browsers).filter(name => !liveBrowsers.includes(name)),
        [],
      )
      assert.deepEqual(
        ofRows(rows.systems).filter(name => name !== '' && !liveSystems.includes(name)), // '' is an unknown one
        [],
      )
    })
    test(`${table} keeps the names of collected hits, unless the product means something else`, () => {
      const names = namesBy(rows)
      const others = new Set(rows.systems.flatMap(([, theirs]) => theirs.split(' | ')))
      for (const name of liveBrowsers) assert.deepEqual(names.browser(name, '12'), { name, version: '12' })
      for (const name of liveSystems.filter(each => !others.has(each.toLowerCase())))
        assert.deepEqual(names.system(name, '12.3'), { name, version: '12.3' })
    })
  }
  test('a version inside a name is kept, and a number that belongs to a name', () => {
    assert.deepEqual(anyNames.system('Windows 11', ''), { name: 'Windows', version: '11' })
    assert.deepEqual(anyNames.system('Mac OS X 10.15.7', ''), { name: 'macOS', version: '10.15' })
    assert.deepEqual(anyNames.system('Plan 9', ''), { name: 'Plan 9', version: '' })
    assert.deepEqual(anyNames.browser('Mobile Safari 17.4', ''), { name: 'Safari', version: '17' })
    assert.deepEqual(anyNames.browser('Browser 2000', ''), { name: 'Browser 2000', version: '' })
  })
})

test('countries by code and by English name are codes; withdrawn codes, unions and tests are none', () => {
  const rows = {
    de: 'DE',
    GB: 'GB',
    uk: 'GB',
    'United Kingdom': 'GB',
    France: 'FR',
    Russia: 'RU',
    Serbia: 'RS',
    Benin: 'BJ',
    'Burkina Faso': 'BF',
    'Congo - Kinshasa': 'CD',
    Türkiye: 'TR',
    Turkey: 'TR',
    'Myanmar (Burma)': 'MM',
    'Côte d’Ivoire': 'CI',
    "Cote d'Ivoire": 'CI',
    'Hong Kong': 'HK',
    'The Bahamas': 'BS',
    'Trinidad & Tobago': 'TT',
    'Bosnia and Herzegovina': 'BA',
    'St. Lucia': 'LC',
    Kosovo: 'XK',
    ZZ: '',
    XX: '',
    A1: '',
    EU: '',
    '(not set)': '',
    Atlantis: '',
    '': '',
  }
  for (const [theirs, ours] of Object.entries(rows)) assert.equal(countryIn(theirs), ours, theirs)
})

test('regions by code and by English name are codes; others stay as they are', () => {
  const rows: ReadonlyArray<readonly [country: string, theirs: string, ours: string]> = [
    ['US', 'California', 'US-CA'],
    ['US', 'TX', 'US-TX'],
    ['US', 'us-tx', 'US-TX'],
    ['US', 'District of Columbia', 'US-DC'],
    ['GB', 'England', 'GB-ENG'],
    ['DE', 'Bavaria', 'DE-BY'],
    ['FR', 'Ile-de-France', 'FR-IDF'],
    ['ES', 'Community of Madrid', 'ES-MD'],
    ['BR', 'State of Sao Paulo', 'BR-SP'],
    ['SE', 'Stockholm County', 'SE-AB'],
    ['IE', 'County Dublin', 'IE-D'],
    ['PL', 'Masovian Voivodeship', 'PL-14'],
    ['NL', 'Limburg', 'NL-LI'],
    ['DE', 'Atlantis', 'Atlantis'],
    ['', 'California', 'California'],
    ['US', '(not set)', ''],
  ]
  for (const [country, theirs, ours] of rows) assert.equal(regionIn(country, theirs), ours, theirs)
})

test('sources by name, host and tag have one name', () => {
  const rows = {
    google: 'Google',
    'www.google.com': 'Google',
    'm.facebook.com': 'Facebook',
    fb: 'Facebook',
    'news.ycombinator.com': 'Hacker News',
    'www.example.org': 'example.org',
    'Our newsletter': 'Our newsletter',
  }
  for (const [theirs, ours] of Object.entries(rows)) {
    assert.equal(sourceIn(theirs), ours)
    assert.equal(sourceIn(ours), ours)
  }
})
