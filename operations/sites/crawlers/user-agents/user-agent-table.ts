/**
 * Our corrections of isbot 5.2 and ua-parser-js 1.0, one row each:
 *
 *   verdict · expression, ignoring case · source
 *
 * - `bot`: a program that isbot does not recognize.
 * - `person`: text in the user agents of people that isbot takes for a bot. isbot does not see this text.
 * - a device: replaces the parser's device. If several match, the first device of the table applies.
 *
 * The source `fixtures` means the fixtures of device-detector 6.5.1. They name the product of every user agent (docs/collecting.md). User
 * agents are hostile input: repetitions have a bound or exclude the text that follows them. Longer than most files, because it is a list.
 */
import type { Device } from '../../../../storage/engine/vocabulary/devices.ts'

export type Verdict = 'bot' | 'person' | Device
export type Correction = readonly [verdict: Verdict, expression: string, source: string]

/** Precedes the model in the user agent of an Android browser. */
const MODEL = String.raw`Andr[o0]id [\d.]{1,9}; ?(?:[a-z]{2}(?:[-_]\w{2,4}){0,2} ?; ?)?(?:HarmonyOS; )?`
/** Part of the model. */
const NAME = '(?:(?! Build)[^;)]){0,24}'
/** Follows the model, in a browser without the token `Mobile`. */
const LARGE = String.raw`(?!.{0,400} Mobile\b)`
/** Diagonals of television sets, in inches. Their models begin with it. */
const INCHES = '(?:19|2[02478]|3[2-9]|4[0-9]|5[0158]|6[05]|7[057]|8[2356])'

const CHROME = 'https://developer.chrome.com/docs/privacy-security/user-agent'
const FIRE_TV = 'https://developer.amazon.com/docs/fire-tv/user-agent-strings.html'
const FIRE_TABLET = 'https://developer.amazon.com/docs/fire-tablets/ft-user-agent-strings.html'
const HBBTV = 'ETSI TS 102 796, §7.3.2.4'

export const CORRECTIONS: readonly Correction[] = Object.freeze([
  [
    'bot',
    `alertsite|browserless|gtmetrix|htmlunit|jsdom|nightmare|pa11y|puppeteer|screenshot|sitespeed|slimerjs`,
    'default user agents of these programs',
  ],
  ['bot', String.raw`testcafe|webdriver|zombie\.js`, 'default user agents of these programs'],
  ['bot', 'cloud mapping experiment|ktxn', 'logs of servers'],
  ['bot', 'amzn-user/', 'https://developer.amazon.com/amazonbot'],
  ['bot', 'amazon-kendra', 'https://docs.aws.amazon.com/kendra/latest/dg/data-source-web-crawler.html'],
  ['bot', 'site24x7', 'https://www.site24x7.com'],
  ['bot', 'assetnote/', 'https://www.assetnote.io'],
  [
    'bot',
    String.raw`\b(?:catchpoint|checkly|thousandeyes|grafana-k6)\b`,
    'https://www.catchpoint.com and others: programs that watch sites',
  ],
  ['bot', String.raw`\bYLT Chrome/`, 'https://yellowlab.tools'],
  [
    'bot',
    String.raw`^dart/[\d.]+ \(dart:io\)$`,
    'https://api.dart.dev/dart-io/HttpClient/userAgent.html: like okhttp, without the name of an app',
  ],
  ['bot', '360JK |yunjiankong', 'https://jk.cloud.360.cn'],
  ['bot', String.raw`miniature\.io/`, 'https://miniature.io'],
  ['bot', String.raw` HLB/1\.`, 'fixtures, bots.yml'],
  ['bot', '(?:duplexweb|storebot)-google', 'https://developers.google.com/search/docs/crawling-indexing/google-special-case-crawlers'],
  ['bot', 'laravel reaver', 'fixtures, bots.yml: looks for .env files'],
  ['bot', String.raw`<\?|\?>|geckoversion|firefoxversion`, 'fixtures, bots.yml: code, and placeholders that a program did not fill in'],

  [
    'person',
    String.raw`\bLinux;[^()]{0,20}Android[^();]{0,20};(?: ?[a-z]{2}[-_]\w{2,4} ?;)?[^();/]{0,80}(?:\bBuild/[^();]{0,80})?`,
    `${CHROME}: the model, for example Spider 8, Discovery, Google TV`,
  ],
  ['person', String.raw`(?<=\b(?:Android|iOS)[^()]{0,140}\) )okhttp/[\d.]+`, 'https://square.github.io/okhttp: HTTP client of apps'],
  ['person', String.raw`\bdv\(iPh\d.{0,300};$|^pf\(\d+\);la\(.{0,300};$`, 'https://www.ucweb.com: UC Browser on iOS'],
  ['person', String.raw`^i(?:Phone|Pad|Pod)\w{0,20}$`, 'fixtures, smartphone.yml: apps that send the name of the device'],
  ['person', String.raw`^(?:Amazon;AFT|smarttv_AFT|sony_tv;)\S+$|^spotify_[\w-]+$`, `${FIRE_TV}; fixtures, tv.yml`],
  [
    'person',
    String.raw`\bcom\.google\.(?:android|ios|Google)[\w.]*[/\w.]*|Google(?:TV|Podcasts| Earth)/?|Build/CUBOT|Google/1\.0\.0(?= AppleWebKit)`,
    'fixtures, mobile_apps.yml: apps of Google',
  ],
  [
    'person',
    String.raw`GoogleHypersonic|GooglePlayStore|Hybrid\(\)|GmmClient:google_ios`,
    'fixtures, mobile_apps.yml: apps of Google, Roblox',
  ],
  ['person', String.raw`\b(?:CE-HTML|NETTV|Freesat|BDP\w{1,9})/1\.0;`, `${HBBTV}; CTA-2014`],
  ['person', String.raw`\b(?:Bada|webOS|REX|S\d{4}|VODAFONE)/1\.0;`, 'fixtures, smartphone.yml and feature_phone.yml'],
  ['person', String.raw`\bSogou(?:MSE|MobileBrowser|Search Android)|sogousz`, 'https://ie.sogou.com: Sogou Browser'],
  ['person', String.raw`\.Catcher[\d.]+`, 'fixtures, tv.yml: Opera in VIDAA'],
  ['person', String.raw`\bProcess/tools(?:mp)?`, 'https://developers.weixin.qq.com: WeChat’s web view'],
  ['person', String.raw`\bQQDownload |\bchromeframe/`, 'fixtures, desktop.yml: additions to Internet Explorer'],
  ['person', String.raw`\bJava(?:Platform/JP|/Jbed)|java_c_|FirePHP/0\.3$`, 'fixtures, feature_phone.yml: platforms of telephones'],
  [
    'person',
    String.raw`\(?HTTP PGDL; ?HTTPS\)?|\(HTTPS\)|MAUI \(\)|MAUI WAP Browser|Google WAP Proxy|; Nucleus;`,
    'fixtures, feature_phone.yml: MAUI and Opera on telephones',
  ],
  ['person', `Windows Phone OS [^()]{0,100}`, 'https://learn.microsoft.com/previous-versions/windows/apps/hh848973(v=vs.85): the model'],
  [
    'person',
    String.raw`\b(?:Apple|Reuters|Smart|Sohu)News/|(?<!-)\bNews(?:Article)?/\d|BBCNewsUKWatchApp|\bBuzzFeed/`,
    'fixtures, mobile_apps.yml: apps that show articles',
  ],
  [
    'person',
    String.raw`\bAlipayDefined\([^)]{0,100}\)|(?<=\bMobile.{0,100})\bGrab/[\d.]+`,
    'https://opendocs.alipay.com: web views of Alipay; Grab',
  ],
  [
    'person',
    String.raw`\bInstagram [\d.]+ [^()]{0,20}\(?[^()]{0,200}|\bFBAN/[^\]]{0,400}\]?`,
    'fixtures, mobile_apps.yml: browsers in apps of Meta',
  ],
  ['person', String.raw`\[air\.com\.[\w.]+`, 'https://airsdk.dev: apps made with AIR'],
  ['person', String.raw`(?:Tungsten |Mode; )Proxy|Configuration/CLDC-1\.1 Google$`, 'fixtures, feature_phone.yml'],
  [
    'person',
    String.raw`^WhatsApp/[\d.]+ (?:Android|iPhone_OS)/\S+ Device/\S+$|^AndroidDownloadManager/`,
    'fixtures, smartphone.yml: the app itself. It sends no device for previews of links',
  ],
  [
    'person',
    String.raw`^opera/9\.80, \w+[ /]|^Cinnamon/[\d.]+, GFHD|^Mozilla/5\.0\(SmartHub;|^RutubeTV|asus_google_cube|^AGHM_DEV_U_AGENT`,
    'fixtures, tv.yml: boxes of providers',
  ],
  [
    'person',
    String.raw`^Microsoft Office \w+ \d{4} \([\d.]+\) Windows NT|PugpigBolt [\d.]+ \([^()]{0,60}|^Theyub v|^Moon FM/|^Amazon\.com/[\d.]+ \(Android`,
    'fixtures, mobile_apps.yml',
  ],
  [
    'person',
    String.raw`Embedded Web Browser from: http://bsalsa\.com/|Digital AlphaServer|OffByOne|\bBrowseX |^nook browser/|osmeta/`,
    'fixtures, desktop.yml',
  ],

  [
    'wearable',
    String.raw`\bwatch ?os\b|apple ?watch|watch\d,\d|tic ?watch|smart ?watch|\bwear os\b|\b(?:galaxy watch|sm-r[678]\d\d)|\bG Watch|Mobile VR;|; LEM1\d|; THOR |; APPLLP|; LEO-[BD]`,
    'fixtures, wearable.yml',
  ],
  [
    'wearable',
    String.raw`(?:oculus|quest|pico neo|pico [34])\b.{0,80} VR |OculusBrowser|PicoBrowser`,
    'https://developers.meta.com/horizon/documentation/web/browser-specs',
  ],
  [
    'console',
    String.raw`playstation|\bPS[345]\b|;ps[45];|xbox|nintendo|; ?Retroid Pocket|; ?RG ?(?:[34]\d{2}[A-Z]|55\d|cube)|SEGASATURN|gamepad|; ?Switch(?: OLED| Lite)?[);]|JXD_S\d`,
    'fixtures, console.yml',
  ],
  [
    'embedded',
    String.raw`tesla/|qtcarbrowser|; ?AFTLBT|\b(?:QUAD|OCTA|OCTOPUS)-CORE |; ?YT\d{4}|; ?SDA-\d|; ?8227L|; ?AIVI|DiLink|polestar|; ?KZCAR`,
    'fixtures, car_browser.yml',
  ],
  [
    'embedded',
    String.raw`\b(?:Sonos/|AEO[A-Z]{2}\b|Echo (?:Show|Spot)|yandexstation|PortalGo|CrKey .{0,80}DeviceType/SmartSpeaker|; ?IFP\d{4})`,
    `${FIRE_TV}; fixtures, smart_speaker.yml and smart_display.yml`,
  ],

  [
    'tv',
    String.raw`smart-?_?tv|hbbtv|ce-html|web0s|webos\.?tv|netcast|nettv|netrange|(?<!my\w\w |S1 |Plus )\bDTV\b|\bdlnadoc|\bviera|aquosbrowser|vidaa|opera tv store|smarttva|vstvb|\bOMI/`,
    `${HBBTV}; https://webostv.developer.lge.com; fixtures, tv.yml`,
  ],
  [
    'tv',
    String.raw`google ?tv|android ?tv|apple ?tv|\bTV(?= |;|$)(?!.{0,60}Mobile)|\bTV Safari|Safari/[\d.]+ TV|large screen|crkey|chromecast|roku|bravia|kivi|stb\b|tvos|beyondtv|BrightSign/|ViziOS/|stbapp|GW-Device|MR-Device|Gibbon/|\(Astro;|WebTV/|tclwebkit|Panasonic\.bd|AQUOS-AS|SigmaDesigns|Sagemcom-OTT|Coolita|\batv\d?\b`,
    'fixtures, tv.yml',
  ],
  ['tv', String.raw`; ?(?:AFT[A-Z0-9]{1,8})\b|Amazon;AFT|smarttv_AFT|sony_tv;`, FIRE_TV],
  [
    'tv',
    String.raw`sonycebrowser|bdplayer|blu-?ray|espial|antgalio|sagemcom_broadband|(?:wired|wireless)\)|\bMB\d{2,3}/|\bTSBNetTV|maple ?20|freebox|\bEKIOH|inettvbrowser|\bCE-TV`,
    'fixtures, tv.yml',
  ],
  [
    'mobile',
    MODEL +
      String.raw`(?:Archos (?:4|5[05]|Access|Core|Diamond|Sense|Saphir|Oxygen (?!101))|A50\d[ _-]|A505|MB\d{3}\b|Lenovo K[35]|STV100|NEO \d|myA\d|Polaroid P(?:5|SP)|TM-[2-5]\d{3}|Quest ?\d{3}|KLIPAD|HTV3\d|KORIDY|Letv|TECNO [AP](?:D|E|\d(?!\d))|GIONEE_G|NBX|RIVIERA|ANDY_|Gigabyte|Oukitel|VisionBook_P|YNDX-000SB|Polar\d|DROIDZ \w+ TV|A350 TV|KAZAM|era 4K|Dialog|Superb|V1919|M2011J18|M2102J|GRL-|FCP-|PD[YR]|PE[CGHM]|PAD[MTU]|SM-W20|SM919|DRP|SLTDVD|HMT\d|MusicPAD|TET-|A2019|A2010|A6020|B\d{4}G?\b|DT190|OnePlus|ASUS_T00|U20Plus)`,
    'fixtures, smartphone.yml: phones that later rows or the parser take for other devices',
  ],
  [
    'tablet',
    MODEL +
      NAME +
      String.raw`(?:\b(?:[xy]|mini|smart|life|andro)?tab(?!la)\w{0,12}|(?<!tech|cool|phone|note)pad(?! ?\+Q|fone|[MTU][A-Z0]{2}|phone)\w{0,8}|\btablet|slate|\bMID[-_]?\w{0,3}\d|iplay|\bnote ?book|\bkids?(?! S\d)|readboy)`,
    'fixtures, tablet.yml: models named for tablets',
  ],
  [
    'tablet',
    MODEL +
      String.raw`(?:AN\d\d?[A-Z]?G\d|MFC\d|SM-T\d|GT-P\d|GT-N(?:51|80)\d\d|KM(?:07|08|10)\d\d|AT\d{3}|A5[01]\d\b|B[1-3]-A?\d\d|U\d\dGT|myT\d|TPC|T(?:12|20|22|40|50|60|65|81|84|10)(?:[ _-]?(?:3G|PRO|Mini|Ultra|Max|Plus|EEA|N|ERi|E)\w*)|Aquarius CMP|M-MP\d|Polaris_8|Ginzzu G|HTC Flyer|SUPRA M\d|RT3|iBall|1000\d{5}|QTab|K(?:10|87)C|TEO|WO \d|KT\d00P|Masstel_T|Eagle_|FreeMe|PocketB|TEL-|Navitel|ZYNC|X_Style|Nokia T\d|Andromeda|Surfer|Tesla L\d|C-72\d|Q7A|CITI_|PO\d{4,5}T|Informer|P(?:11|40|20|80|85)(?:S|HD)?_(?:EEA|ROW|T|Art)|M(?:10|40)_|E1C|RCT6|CW-V|Pluri|EX[78]S|MT7-|MT-T8|BioWolf|7\d{2}TPC|HZ001|Elite O|TDT\d|I1[01]_|FAUST|VOLTA\d|JMS-|BTV-|NT-3|Neon\d|IDbot|SP704|NXM|PMID|RMD_|AX\dN|MOMO\d|TrekStor|X98 Air|V_TAB|JK70|SK-Mtek|VerykoolT|XR6|M7[67]QF|M40\(|Smarty|ACTAB|ETL-T|FAST7|X_TIGI_J|KJ_|Honor V6|M8L|MT07|Allview(?:\d|City|AX)|BNTV|MITO T\d|CT\d{3}|LAVIE|M[789](?:-3G|go|_4G)|Tesla_T|Superion|TECNO P\d{3}|Hope[78]|ML\d\d-|SmartView|RC[79]\d{3}|AP-\d{3}|MX\d{3}|MQ\d{3}|TM-(?:[01679]\d{3}|10\d\d)|TB-\d{3}A|Next\d|Onliner|NBX-|QS\d{4}[A-Z]$|TAD-|SPNG|iRULU|VM\d{4}|PMP\d|PMT\d|ARCHOS)`,
    'fixtures, tablet.yml: families of tablets',
  ],

  [
    'tv',
    MODEL +
      String.raw`(?!VisionBook|ANDY|Oukitel|angel)(?:[A-Z]{1,12}[-_ ]){0,2}(?:[A-Z]{0,8}(?:LED|TV|LD|LCD|BERG)-?|[HFTKVPC](?!\d\d(?:pro|max|plus|mini|ultra))|U(?!\d\d(?:GT|Plus))|U|LE|TD|TQ|MLT|WUD|VESTA|NORDMENDE_)?` +
      INCHES +
      String.raw`(?:LE[XASD]?|[A-Z]{1,5}-?\d|[A-Z]{3,}|[-_]?[A-Z]\d{3})`,
    'fixtures, tv.yml: models that begin with the diagonal',
  ],
  [
    'tv',
    MODEL +
      NAME +
      String.raw`(?:LED\d|\bTVE|ELED|QLED|\b(?:H|P|TD|SW|Mi|G)TV|\bSTV[-_]|(?<!\bB)TV[-_]|\bTV\d|(?<!JOY7|Joy|KEMPLER|na)_TV|(?<!D|Cinema)\BTV\b|\bLCD|T2C?SM|TC-SM|\bshell[ _])`,
    'fixtures, tv.yml: models named for television',
  ],
  [
    'tv',
    MODEL +
      NAME +
      String.raw`(?:\bbox|(?<!tur)box(?!X)(?:\b|[_S\d])|\bstick\b|\bset-?top|\bOTT\b|iptv|\bDVB(?!-T\b)|(?<![A-Z\d])[48]K\b|\bstream(?:er|ing)?\b|\bSTB|media player|\bMovie\b)`,
    'fixtures, tv.yml: boxes and sticks',
  ],
  [
    'tv',
    MODEL +
      String.raw`(?:pendoo|TranSpeed|XDS|MyGica|GI (?:UNI|iTV|Fly)|Amigo\d|WIWA|EO104|H-DMP|Lime[TZ]|[38]K\d{2,3}[8-]|CRD\d|SDOTT|GR\d{5}|Fundroid|CVTE|Dolamee|MK80|SPC_ALIEN|Perfeo_PF|DSCS|SEI600|QS02|IMTM|SWITRON|AI PONT|ADT-\d|AN-232|HB-2000|Cyclone X|(?:XGODY_|YUTMART-|Sunwell_|Amlogic |Draco |Technosat |Supermax |ILEPO |TranSpeed )?(?:H96|X9[2689](?!\d)|X88|T9[256](?![\d])|TX\d(?!\d)|TX3|A95X|M8S|MXQ|MX1[01]\b|HK1|KM(?:\d|22)(?!\d)|GT-?1|GTKing|GTX-|GTCOMBO|NEXBOX|Beelink|UGOOS|Tanix|Mecool|ME-COOL|VONTAR|Vorke|INVIN|ZIDOO|MINIX|NEO[-U]|NEO U|NEXON|Formuler|Dune|Matador|Movix|Selenga|TOX\d|VMP-?0|ATOM-|AS_?4K|AS5\d\d|KI+I? P|Andowl|HPH|R68|RED ?\d0|TR99|KANT-|Skystream|Ozone|IP-\d0|DREAMSTAR|D21[45]0|CT-8\d{3}|Rombica|Orbsmart|A5X|EVPAD|YUNDOO|NV[57]\d\d|S[678]00 MAX|RKM MK|iconBIT [MX]\w+ (?!ULTRA)|iconBIT X|POLAR(?:_|LINE)|Hiremco|NOGAPC|ABX-|EC6108|Eagle [A-Z]|Gazal|Vega S95|VIM\d|PIPO_X|AQUOS|YNDX-000[789]|YNDX-001|Netta|BID-|DV\d{4}|Allente|LT-\d\d))`,
    'fixtures, tv.yml: families of boxes and televisions',
  ],

  [
    'desktop',
    String.raw`chromebook|\bCrOS\b|; ?Desktop\b|osmeta/|macbook|\biMac\d|Mac OS/1\d|osx/|macOS[(/ -]|win(?:10|7|dows)?[ _]x64|\bwin32|win64\)`,
    CHROME,
  ],
  [
    'desktop',
    MODEL +
      String.raw`(?:Inspiron|Aspire|Satellite|TravelMate|Vostro|EasyNote|ThinkPad(?!Tab)|Latitude|HP (?:Pavilion|ProBook|EliteBook|Engage|Compaq)|Pixelbook|LIFEBOOK|Swift SF|NUC\d|BilimBook|IdeaPad|VivoBook|Remix|WayDroid)`,
    'fixtures, desktop.yml: Android on computers',
  ],
  ['desktop', `Windows NT[^)]{0,200}Media Center PC`, 'fixtures, desktop.yml'],

  [
    'tablet',
    String.raw`/apad\b|\bipad(?!;.{0,200}tclwebkit)|\bActiveD|ThinkPadTablet|PocketBook/|Puffin/[\d.]+[AI]T|_mini_Tab |HTC_Flyer|Silk/1\.0|spotify_android-tablet|\bpad/apad|kindle fire|; ?KF[A-Z]{2,5}\b`,
    `https://yandex.com/dev; ${FIRE_TABLET}`,
  ],
  [
    'tablet',
    String.raw`Windows NT [^)]{0,200}\bTouch\b[^)]{0,60}(?:WebView|Tablet PC|ARM)`,
    'https://learn.microsoft.com/previous-versions/windows/internet-explorer/ie-developer/compatibility/hh869301(v=vs.85)',
  ],
  [
    'mobile',
    MODEL +
      String.raw`(?:GT-N70|GT-N71|A(?:10|20|30|40|50)?\d{1,2}\d?(?:DL|SH|SO|KC|XM|OP|FC|ZT|BM|VL|BL|PG)\b|A(?:1[78]\d|309W|50\d[ _-]|1000s)|Vodafone \w|Young|Quest\d|ZOOM_|PE[HGR]\w00|PEHM|V2\d{3}|Coolpad|YL-Coolpad|SM-F9|RMX|PadFone|LG-E|M[67]\d1?C\b|SM-G|SM-N9|SM-J|A2022|B501|X67|ORBIT)`,
    'fixtures, phablet.yml and smartphone.yml: phones that the parser takes for tablets',
  ],
  [
    'tablet',
    MODEL +
      String.raw`(?:Optima|Plane|CITI (?:\d|Octa)|Nomi_C(?:07|08|10)|Numy|BQ(?:ru)?-(?:7|8|9|10)\d{2,3}[A-Z]\b|PMT\d|PMP\d|TB-?[X\d]|TZ\d{3}|NDL|AGS\d?-|BZ[A-Z]\d?-|KOB2|HDL-|DBY2|Digma|DROIDZ (?:Dash|Drive|Edge|Portal|Rot)|QS[07]\d{3}[A-Z]|QS9|RC[79]\d|VTAB|Vi?va_?[HC]|MC_|CCIT|Pixus_(?:A|D|Jo|T)|SKY (?:Kids|8)|RMD-|ALFA_|iPA2|M7[256]\d[A-Z]?\b|S[2345]70|90(?:0[37]|13|2\d|3\d)[A-Z]|808\d)[^;)]{0,40}`,
    'fixtures, tablet.yml: families of tablets',
  ],
  ['mobile', String.raw`\bAndroid[ /][\d.]{1,9}.{0,200} Mobile\b(?!.{0,200}Safari)|\bDalvik/[\d.]+ \(?Linux.{0,3} U.{0,3} Android`, CHROME],
  [
    'mobile',
    String.raw`up\.browser|midp|wap[-_ ]?browser|docomo|MAUI|\bMRE|\bBREW\b|IEMobile|WPDesktop|Windows Phone|\bwebOS/[12]\.|Windows 95; PalmSource|Windows CE|UCWEB/|\bdv\(iP|^iP(?:hone|od)|iPod_?touch|FBDV/iP|WhatsApp/|RM-\d{3,4}|opera (?:mobi|mini)|Nokia|Linux/[23][\d.]+\+? Android/|Windows NT 10\.0; ARM; `,
    'fixtures, feature_phone.yml and smartphone.yml',
  ],
  ['mobile', String.raw`\bFBAN/|spotify_other-mobile|on phone \(`, 'fixtures, mobile_apps.yml'],
  ['tablet', String.raw`\bAndroid [\d.]{1,9};` + LARGE + `.{1,200}AppleWebKit`, `${CHROME}: phones send Mobile`],
] as const)
