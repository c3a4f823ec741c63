/** Umami's names, which come from detect-browser 5 and ua-parser-js. It has no versions of browsers. */
import type { NameTable } from './table.ts'

/** Browsers that detect-browser takes for programs; Footfall drops their hits. */
export const PROGRAMS: ReadonlySet<string> = new Set(['searchbot', 'curl', 'phantomjs'])

export const umamiNames: NameTable = {
  browsers: [
    ['Android Browser', 'android'],
    ['Chrome', 'crios | aol'],
    ['Chrome WebView', 'chromium-webview'],
    ['Edge', 'edge-chromium | edge-ios'],
    ['Electron', 'beaker'],
    ['Firefox', 'fxios'],
    ['Internet Explorer', 'pie'],
    ['MIUI Browser', 'miui'],
    ['Opera Mini', 'opera-mini'],
    ['Safari', 'ios | bb10'],
    ['Samsung Internet', 'samsung'],
    ['WebKit', 'ios-webview'],
  ],
  systems: [
    ['Linux@', 'amazon os'],
    // Windows Phone sends `IEMobile`, by which detect-browser recognizes it.
    ['Windows Phone', 'windows mobile'],
    ['Windows@', 'windows ce'],
    ['Windows@10', 'windows 10/11'],
  ],
  devices: [],
}
