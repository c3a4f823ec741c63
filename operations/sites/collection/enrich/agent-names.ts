/**
 * The names of browsers and systems that hits have, in one spelling each. User agents write some of them differently: `KAIOS`,
 * `android`, `WEBOS`. Imports read the names of other products as these.
 */
const listed = (names: string) => names.split(' | ')

export const BROWSERS: readonly string[] = [
  ...listed('115 | 2345 | 360 | Alipay | Amaya | Android Browser | Arora | Avant | Avast Secure Browser | AVG Secure Browser'),
  ...listed('Baidu | Basilisk | Blazer | Bolt | Brave | Camino | Chrome | Chrome Headless | Chrome WebView | Chromium | Coc Coc'),
  ...listed('Conkeror | Daum | Dillo | Dolphin | Dragon | DuckDuckGo | Edge | Electron | Epiphany | Facebook | Falkon | Fennec'),
  ...listed('Firebird | Firefox | Firefox Focus | Firefox Reality | Flock | Flow | GoBrowser | Google App | Helio | HeyTap'),
  ...listed('Huawei Browser | iCab | Iceape | IceCat | Iceweasel | Instagram | Internet Explorer | Iridium | Iron | Jasmine'),
  ...listed('K-Meleon | KAKAOTALK | Kindle | Klar | Klarna | Konqueror | Ladybird | LBBROWSER | Line | LinkedIn | Links | Lunascape'),
  ...listed('Lynx | Maemo Browser | Maxthon | Midori | Minimo | MIUI Browser | Mosaic | Mozilla | NAVER | NetFront | Netscape'),
  ...listed('NetSurf | NokiaBrowser | NTENTBrowser | Obigo | Oculus Browser | OmniWeb | Opera | Opera Coast | Opera GX | Opera Mini'),
  ...listed('Opera Touch | OviBrowser | PaleMoon | PhantomJS | Phoenix | Pico Browser | Polaris | Puffin | QQBrowser'),
  ...listed('QQBrowserLite | Quark | QupZilla | rekonq | RockMelt | Safari | Sailfish Browser | Samsung Internet | SeaMonkey | Silk'),
  ...listed('Skyfire | Sleipnir | SlimBoat | Slimjet | Smart Lenovo Browser | Snapchat | Sogou Explorer | Sogou Mobile | Swiftfox'),
  ...listed('Tesla | TikTok | Tizen Browser | Twitter | UCBrowser | UP.Browser | Vivaldi | Vivo Browser | w3m | WebKit | WeChat'),
  ...listed('weibo | Whale | Wolvic | Yandex Browser'),
]

export const SYSTEMS: readonly string[] = [
  ...listed('AIX | AmigaOS | Android | Arch | Bada | BeOS | BlackBerry | BSD | CentOS | Chromecast | ChromeOS | Contiki | Debian'),
  ...listed('Deepin | DragonFly | elementary OS | Fedora | Firefox OS | FreeBSD | Fuchsia | Gentoo | GhostBSD | Haiku | HarmonyOS'),
  ...listed('HP-UX | iOS | Joli | KaiOS | Kubuntu | Linpus | Linspire | Linux | Lubuntu | macOS | Maemo | Mageia | Mandriva'),
  ...listed('Manjaro | MeeGo | Minix | Mint | MorphOS | NetBSD | NETRANGE | NETTV | Nintendo | OpenBSD | OpenHarmony | openSUSE'),
  ...listed('OpenVMS | OS/2 | Palm | PCLinuxOS | Plan 9 | PlayStation | QNX | Raspbian | Red Hat | RIM Tablet OS | RISC OS'),
  ...listed('Sabayon | Sailfish | SerenityOS | Series40 | Slackware | Solaris | SUSE | Symbian | Tizen | Ubuntu | Ubuntu Touch'),
  ...listed('UNIX | VectorLinux | VIERA | watchOS | webOS | Windows | Windows IoT | Windows Mobile | Windows Phone | Xbox | Xubuntu'),
  ...listed('Zenwalk'),
]

/** Each name by its lower case. */
export const bySpelling = (
  names: readonly string[],
  others: ReadonlyArray<readonly [theirs: string, ours: string]>,
): ReadonlyMap<string, string> =>
  new Map([
    ...names.map(name => [name.toLowerCase(), name] as const),
    ...others.map(([theirs, ours]) => [theirs.toLowerCase(), ours] as const),
  ])
