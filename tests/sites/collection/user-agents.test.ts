/** User agents that isbot or the parser misread, one for each kind; the rows of user-agent-table.ts correct them. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { isBot } from '../../../operations/sites/crawlers/user-agents/bots.ts'
import { parseUserAgent } from '../../../operations/sites/collection/enrich/user-agent.ts'
import { CORRECTIONS } from '../../../operations/sites/crawlers/user-agents/user-agent-table.ts'
import { fixturesIn } from '../../../scripts/user-agents/fixtures.ts'
import { measure, report } from '../../../scripts/user-agents/measure.ts'
import { startCpuTimer } from '../../support/cpu.ts'

const BLINK = 'AppleWebKit/537.36 (KHTML, like Gecko)'
/** A browser on Android, on a device of that model. */
const android = (model: string, mobile = ' Mobile') =>
  `Mozilla/5.0 (Linux; Android 11; ${model}) ${BLINK} Chrome/124.0.0.0${mobile} Safari/537.36`
const large = (model: string) => android(model, '')

describe('a person is not taken for a bot', () => {
  const people = [
    ...[
      'Spider 8',
      'Discovery X1',
      'GM Discovery II',
      'M bot 54',
      'Radar Deluxe 3',
      'Capture+',
      'XBot Junior',
      'ECHO JAVA',
      'CG|EON Blaze',
    ].map(model => android(model)),
    android('Some Google TV Build/RTM7.230903.079; wv'),
    `Mozilla/5.0 (Linux; Android 12; LGE-AN10; wv) ${BLINK} Chrome/86.0 XWEB/3211 Mobile Safari/537.36 MicroMessenger/8.0 Process/tools WeChat/arm64`,
    `Mozilla/5.0 (Linux armv7l) ${BLINK} Chrome/84.0 Safari/537.36 OPR/46.0 OMI/4.21.4.112.Catcher4.70 VIDAA/5.0(Hisense;SmartTV;)`,
    `Mozilla/5.0 (Linux; Android 6.0.1; R9s; wv) ${BLINK} Version/4.0 Chrome/68.0 Mobile Safari/537.36 AWP/2.0 SogouMSE,SogouMobileBrowser/5.28.8`,
    'Gazette/2.1.0 (org.example.gazette; build:5; Android 11; Model: SM-A505FN) okhttp/4.9.1',
    'Opera/9.80 (Linux mips; U; HbbTV/1.1.1 (; Example; A1; 1.0; 1.0; ); CE-HTML/1.0; en) Presto/2.10.250 Version/11.60',
    'iPhone16Pro',
    `${android('V2238A Build/TP1A')} UCBS/3.22 AlipayDefined(nt:WIFI,ws:412|0|2.625) AliApp(AP/10.5.96) AlipayClient/10.5.96 Language/zh-Hans`,
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 SmartNews/24.10.0',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 Grab/5.290.0',
  ]
  for (const userAgent of people) test(userAgent, () => assert.equal(isBot(userAgent), false))
})

describe('a program is taken for a bot', () => {
  const bots = [
    `Mozilla/5.0 ${BLINK.replace(')', '; compatible; Amzn-User/0.2)')} Chrome/119.0 Safari/537.36`,
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/60.0.3122.113 Safari/537.36 Assetnote/1.1.0`,
    `${android('K')} Site24x7`,
    `Mozilla/5.0 (Linux; Android 8.0; Pixel 2; DuplexWeb-Google/1.1) ${BLINK} Chrome/74.0 Mobile Safari/537.36`,
    `${android('Nexus 5X Build/MMB29P')} (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`,
    'okhttp/4.12.0',
    'Dart/3.4 (dart:io)',
    'NextCloud-News/1.0',
    android('en-us; Catchpoint'),
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${BLINK} Chrome/116.0.0.0 Safari/537.36 ThousandEyes-Dragonfly-x1`,
    'Mozilla/5.0 (<?php echo 1 ?>)',
    'WhatsApp/2.23.20.0 A',
  ]
  for (const userAgent of bots) test(userAgent, () => assert.equal(isBot(userAgent), true))
})

describe('a browser and a system have one spelling, however the user agent writes them', () => {
  const rows: ReadonlyArray<readonly [browser: string, os: string, userAgent: string]> = [
    ['Firefox', 'KaiOS', 'Mozilla/5.0 (Mobile; Example_3G; rv:48.0) Gecko/48.0 Firefox/48.0 KAIOS/2.5.1.1'],
    ['', 'webOS', 'Mozilla/5.0 (Web0S; Linux/SmartTV) LG Browser/7.00.00(LGE; WEBOS1; 00.00.00; 1); webOS.TV-2014'],
    ['', 'Android', 'com.example.app/5.3.32(Linux; U; android 4.0.3; ro_RO; Example Build/IML74K) gzip'],
    ['Chrome', 'Android', `Mozilla/5.0 (Linux; Android 11; K) ${BLINK} chrome/83.0.4103.116 Mobile Safari/537.36`],
    ['Internet Explorer', 'Windows Phone', 'Mozilla/5.0 (compatible; MSIE 9.0; Windows Phone OS 7.5; Trident/5.0; IEMobile/9.0)'],
  ]
  for (const [browser, os, userAgent] of rows)
    test(userAgent, () => {
      const found = parseUserAgent(userAgent)
      assert.deepEqual([found.browser, found.os], [browser, os])
    })
})

describe('the device', () => {
  const rows: ReadonlyArray<readonly [device: string, userAgent: string]> = [
    ['tv', `Mozilla/5.0 (Web0S; Linux/SmartTV) ${BLINK} Chrome/79.0 Safari/537.36 HbbTV/1.5.1 (+DRM; LGE; 55NANO; WEBOS6.0;)`],
    ['tv', `${large('43F550U Build/RP1A; wv')} TV`],
    ['tv', large('32LEX-7999/TS2C')],
    ['tv', android('TF-LED50S99T2SU Build/RP1A; wv')],
    ['tv', large('X96 mini')],
    ['tv', `Mozilla/5.0 (Linux; Android 9; AFTKA) ${BLINK} Silk/118.3 like Chrome/118.0 Safari/537.36`],
    ['console', 'Mozilla/5.0 (PlayStation 5/SmartTV) AppleWebKit/605.1.15 (KHTML, like Gecko)'],
    ['tablet', android('Example Tab 10')],
    ['tablet', large('KTX-9')],
    ['tablet', `${large('H38 Pro')} YaSearchBrowser/24.42/apad Mobile Safari/537.36`],
    ['mobile', android('A103XM')],
    ['mobile', android('K')],
    ['mobile', 'Dalvik/2.1.0 (Linux; U; Android 11; V2053 Build/RP1A.200720.012)'],
    ['mobile', 'dv(iPh14,8);pr(UCBrowser/16.3.9.2293);ov(17_4);ss(428x926);bt(UC);pm(0);bv(0);nm(0);im(0);nt(2);'],
    ['desktop', large('Acer Chromebook R11')],
    ['wearable', `Mozilla/5.0 (Linux; Android 12; Quest 3) ${BLINK} OculusBrowser/33.0 Chrome/124.0 VR Safari/537.36`],
  ]
  for (const [device, userAgent] of rows) test(`of ${userAgent} is ${device}`, () => assert.equal(parseUserAgent(userAgent).device, device))
})

describe('the table of corrections', () => {
  test('has a source for each row, and no row twice', () => {
    assert.ok(CORRECTIONS.every(([, , source]) => source.length > 5))
    assert.equal(new Set(CORRECTIONS.map(([, expression]) => expression)).size, CORRECTIONS.length)
  })
  test('reads hostile user agents quickly', () => {
    const parts = [
      'Android 1; ',
      'Linux; ',
      '; A',
      'tab',
      'LED',
      'a_',
      'dv(iPh1',
      'Android 1; aa-aa; ',
      'Windows NT ',
      'TV ',
      '(',
      'FBAN/',
      'AAAA-',
      'Instagram 1 ',
    ]
    const cpu = startCpuTimer(500)
    for (const part of parts) {
      for (const before of ['', 'Mozilla/5.0 (Linux; Android 1; ', 'http ']) {
        parseUserAgent((before + part.repeat(500)).slice(0, 500))
        isBot((before + part.repeat(500)).slice(0, 500))
      }
    }
    assert.ok(cpu.taken() < 500, `${cpu.taken()} ms`)
  })
})

test('the measurement reads fixtures in every style of quoting, and counts what is right', () => {
  const yaml = `---
-
  user_agent: Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)
  bot:
    name: Googlebot
-
  user_agent: "${large('X96 mini')}"
  os:
    name: Android
  client:
    type: browser
    name: Chrome
  device:
    type: tv
    brand: ""
-
  user_agent: '${android("It''s a phone")}'
  client:
    type: browser
  device:
    type: tablet
-
  user_agent: castget 1.2.4
  client:
    type: feed reader
  device:
    type: ""
`
  const fixtures = fixturesIn(yaml)
  assert.deepEqual(
    fixtures.map(({ isBot: bot, client, device }) => [bot, client, device]),
    [
      [true, '', ''],
      [false, 'browser', 'tv'],
      [false, 'browser', 'tablet'],
      [false, 'feed reader', ''],
    ],
  )
  assert.equal(fixtures[2]?.userAgent, android("It's a phone"))
  const shown = report(measure(fixtures), true)
  assert.match(shown, /bots dropped +1 of +1 {2}100\.00 %/)
  assert.match(shown, /people kept +2 of +2 {2}100\.00 %/)
  assert.match(shown, /device +1 of +2 {2}50\.00 %/)
  assert.match(shown, /mobile: Mozilla\/5\.0 .*It's a phone/)
})
