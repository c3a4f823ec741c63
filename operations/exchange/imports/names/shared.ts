/**
 * The names that collected hits have, and spellings of them that mean the same in every product. A name without spellings is
 * here so that other cases of it are known, and because a product's table may lead only to these names.
 */
import { BROWSERS, SYSTEMS } from '../../../sites/collection/index.ts'
import type { NameTable } from './table.ts'

const unspelled = (names: readonly string[]) => names.map(name => [name, ''] as const)

export const shared: NameTable = {
  browsers: [
    ...unspelled(BROWSERS),
    ['360', '360 browser'],
    ['Android Browser', 'android stock browser'],
    ['Baidu', 'baidu browser'],
    ['Chrome', 'google chrome | chrome mobile | mobile chrome | chrome mobile ios | chrome ios | chrome (ios)'],
    ['Chrome Headless', 'headless chrome | headlesschrome'],
    ['Chrome WebView', 'android webview | chrome (webview)'],
    ['Dragon', 'comodo dragon | icedragon'],
    ['DuckDuckGo', 'duckduckgo privacy browser | duckduckgo browser'],
    ['Edge', 'microsoft edge | edge (chromium) | edge (ios) | edge chromium | edge mobile | msedge'],
    ['Facebook', 'facebook app | facebook in-app browser'],
    ['Firefox', 'mozilla firefox | firefox mobile | mobile firefox | firefox mobile ios | firefox ios | firefox (ios)'],
    ['Google App', 'gsa | google search app'],
    ['Huawei Browser', 'huawei browser mobile'],
    ['Instagram', 'instagram app'],
    ['Internet Explorer', 'ie | ie mobile | iemobile | microsoft internet explorer | msie'],
    ['LinkedIn', 'linkedin app'],
    ['MIUI Browser', 'mi browser'],
    ['NokiaBrowser', 'nokia browser'],
    ['Opera', 'opera mobile | opera mobi | opera tablet'],
    ['PaleMoon', 'pale moon'],
    ['QQBrowser', 'qq browser | mqqbrowser'],
    ['Safari', 'mobile safari | safari mobile | safari (ios)'],
    ['Samsung Internet', 'samsung browser | samsungbrowser'],
    ['Silk', 'amazon silk | mobile silk'],
    ['Sogou Explorer', 'sogou'],
    ['Sogou Mobile', 'sogou mobile browser'],
    ['UCBrowser', 'uc browser'],
    ['WeChat', 'wechat browser | micromessenger'],
    ['Whale', 'whale browser | naver whale'],
    ['Yandex Browser', 'yandex | yabrowser | yandexbrowser'],
  ],
  systems: [
    ...unspelled(SYSTEMS),
    ['Android', 'android os'],
    ['Arch', 'arch linux'],
    ['BlackBerry', 'blackberry os'],
    ['ChromeOS', 'chrome os | chromium os | cros'],
    ['Haiku', 'haiku os'],
    ['iOS', 'ios (iphone) | iphone os | iphone | ipad | ipados | ios-ipados'],
    ['Linux', 'gnu/linux'],
    ['macOS', 'mac | mac os | mac os x | os x | osx | macintosh'],
    ['OpenBSD', 'open bsd'],
    ['Palm', 'palmos | palm os'],
    ['Red Hat', 'redhat'],
    ['Solaris', 'sunos | sun os'],
    ['Windows@XP', 'windows xp | windows server 2003'],
    ['Windows@Vista', 'windows vista'],
    ['Windows@ME', 'windows me'],
  ],
  devices: [
    ['desktop', 'laptop | computer | pc'],
    ['mobile', 'phone | smartphone | mobile phone | feature phone | phablet'],
    ['tablet', ''],
    ['tv', 'smarttv | smart tv | smart-tv | television'],
    ['console', 'game console | gaming console'],
    ['wearable', 'xr | watch'],
    ['embedded', ''],
  ],
}
